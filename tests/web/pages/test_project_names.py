"""Names of other people's things: equal names can be told apart, nobody is shown another's
login, and what this workspace does not have greets nobody.
"""

from collections.abc import Callable

from django.test import Client

from tests.web.pages import scenes
from workspace_manager.records.models import Person, StoredSetting

Sign = Callable[[Person], Client]


def test_projects_of_one_name_say_whose_they_are(
    as_anna: Client, anna: Person, bela: Person
) -> None:
    mine = scenes.project(anna, "Letters")
    other = scenes.project(anna, "Letters")
    theirs = scenes.project(bela, "Letters", anna)
    scenes.project(anna, "Maps")
    for path in ("/", "/projects"):
        page = as_anna.get(path).content.decode()
        for one in (mine, other):
            assert f"<code>{str(one.id)[:8]}</code>" in page, path
        assert f"<code>{str(theirs.id)[:8]}</code>" not in page, "its owner tells it apart"
        assert page.count("<code>") == 2, path
    form = as_anna.get("/components/new").content.decode()
    assert f">Letters · {str(mine.id)[:8]}<" in form
    assert ">Letters · bela<" in form
    assert ">Maps<" in form
    assert (
        str(mine.id)[:8]
        in as_anna.get(f"/projects/{mine.id}").content.decode().partition("</h1>")[2]
    )


def test_components_say_which_project_of_that_name(as_anna: Client, anna: Person) -> None:
    one, two = scenes.project(anna, "Letters"), scenes.project(anna, "Letters")
    scenes.database(anna, "A", project=one)
    scenes.database(anna, "B", project=two)
    page = as_anna.get("/components").content.decode()
    assert f"Letters · {str(one.id)[:8]}" in page
    assert f"Letters · {str(two.id)[:8]}" in page


def test_a_member_is_not_shown_the_owners_login(
    anna: Person, bela: Person, browser_of: Sign
) -> None:
    scenes.set_up_work(anna, bela)
    shared = anna.components.get(label="Letter index")
    page = browser_of(bela).get(f"/components/{shared.id}").content.decode()
    assert "ws_anna" not in page
    assert "YOUR_ACCOUNT" in page
    assert "The account is being created, or creating it failed." in page
    scenes.account(bela, "sql_server.user", "ws_bela")
    page = browser_of(bela).get(f"/components/{shared.id}").content.decode()
    assert "-u ws_bela -p" in page
    assert "ws_anna" not in page
    assert "YOUR_ACCOUNT" not in page


def test_an_administrator_is_told_whose_account_it_is(
    anna: Person, bela: Person, as_ada: Client
) -> None:
    scenes.set_up_work(anna, bela)
    shared = anna.components.get(label="Letter index")
    page = as_ada.get(f"/components/{shared.id}").content.decode()
    assert "Account of anna" in page
    assert "-u ws_anna" not in page, "it is not the reader's"


def test_an_application_that_the_workspace_does_not_have_is_no_tile(as_anna: Client) -> None:
    """The demo has no SQL admin tool, and greeted everybody with a yellow tile."""
    scenes.set_up_systems()
    StoredSetting.objects.filter(name="admin_tool_url").delete()
    page = as_anna.get("/").content.decode()
    assert "SQL admin tool" not in page
    assert "not set up" not in page
    assert "https://drive.example.org" in page


def test_what_is_not_set_up_waits_for_administrators_alone(as_anna: Client, as_ada: Client) -> None:
    scenes.set_up_systems("drive")
    for member in (as_anna.get("/"), as_anna.get("/start")):
        assert "not set up" not in member.content.decode()
    page = as_ada.get("/").content.decode()
    assert "not set up" in page
    assert 'href="/manage/systems#notebook_hub"' in page


def test_a_new_workspace_says_why_there_are_no_applications(as_anna: Client) -> None:
    assert "No applications yet." in as_anna.get("/").content.decode()
