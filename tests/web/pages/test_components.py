"""Components and projects on their pages: made, watched, shared, deleted."""

from collections.abc import Callable

from django.test import Client

from tests.web.pages import scenes
from workspace_manager.records.models import (
    Component,
    Person,
    Plan,
    Project,
    ServiceKey,
    StoredSetting,
)
from workspace_manager.web.pages import snippets


def test_a_component_is_asked_for_and_can_be_watched(as_anna: Client, anna: Person) -> None:
    scenes.set_up_systems()
    response = as_anna.post("/components/new", {"kind": "sql_database", "label": "Letters"})
    component = Component.objects.get()
    assert response.headers["Location"] == f"/components/{component.id}"
    page = as_anna.get(f"/components/{component.id}").content.decode()
    assert "being created" in page
    assert "Create the database" in page
    assert f"/components/{component.id}/progress?seen=" in page
    assert "/steps/" not in page


def test_a_system_that_is_not_set_up_is_said(as_anna: Client) -> None:
    response = as_anna.post("/components/new", {"kind": "sql_database", "label": "Letters"})
    assert response.status_code == 409
    assert "The SQL server is not configured." in response.content.decode()


def test_a_form_without_entries_says_what_is_missing(as_anna: Client) -> None:
    response = as_anna.post("/components/new", {})
    assert response.status_code == 422
    assert response.content.decode().count("This field is required.") == 2


def test_progress_is_sent_only_when_something_changed(as_anna: Client) -> None:
    scenes.set_up_systems()
    as_anna.post("/components/new", {"kind": "triplestore_repository", "label": "Places"})
    component = Component.objects.get()
    page = as_anna.get(f"/components/{component.id}").content.decode()
    seen = page.split("progress?seen=")[1].split('"')[0]
    address = f"/components/{component.id}/progress"
    assert as_anna.get(address, {"seen": seen}).status_code == 204
    Component.objects.update(state="waiting")
    changed = as_anna.get(address, {"seen": seen})
    assert changed.status_code == 200
    assert "hx-swap-oob" in changed.content.decode()
    Component.objects.update(state="ready")
    assert as_anna.get(address, {"seen": seen}).headers["HX-Refresh"] == "true"
    Component.objects.all().delete()
    assert as_anna.get(address, {"seen": seen}).headers["HX-Redirect"] == "/components"


def test_snippets_hold_no_secret(as_anna: Client, anna: Person) -> None:
    scenes.set_up_work(anna)
    for component in anna.components.all():
        page = as_anna.get(f"/components/{component.id}").content.decode()
        assert component.name in page
        assert "correct-horse" not in page
    page = as_anna.get(
        f"/components/{anna.components.get(label='Letter index').id}"
    ).content.decode()
    assert "mariadb -h sql.example.org -P 3306 -u ws_anna -p ws_letter_index" in page


def test_snippets_follow_the_address() -> None:
    component = Component(
        kind="sql_database", name="ws_x", address="postgresql://db.example.org:5433/ws_x"
    )
    texts = {
        snippet.name: snippet.text for snippet in snippets.connection_snippets(component, "anna")
    }
    assert texts["shell"] == "psql -h db.example.org -p 5433 -U anna ws_x"
    assert 'dbname="ws_x"' in texts["python"]
    assert texts["jdbc"] == "jdbc:postgresql://db.example.org:5433/ws_x"


def test_members_see_and_do_not_delete(
    anna: Person, bela: Person, browser_of: Callable[[Person], Client]
) -> None:
    scenes.set_up_work(anna, bela)
    shared = anna.components.get(label="Letter index")
    private = anna.components.get(label="Scratch")
    member = browser_of(bela)
    page = member.get(f"/components/{shared.id}").content.decode()
    assert "Delete this component" not in page
    assert (
        member.post(f"/components/{shared.id}/delete", {"confirm": shared.label}).status_code == 403
    )
    assert member.get(f"/components/{private.id}").status_code == 404
    assert (
        member.post(f"/components/{private.id}/delete", {"confirm": "Scratch"}).status_code == 404
    )


def test_each_reads_of_an_access_of_their_own(
    anna: Person, bela: Person, browser_of: Callable[[Person], Client]
) -> None:
    scenes.set_up_systems()
    scenes.set_up_work(anna, bela)
    shared = anna.components.get(label="Letter index")
    scenes.account(bela, "sql_server.user", "ws_bela")
    page = browser_of(bela).get(f"/components/{shared.id}").content.decode()
    assert "can read and change everything in it." in page
    assert "mariadb -h sql.example.org -P 3306 -u ws_bela -p ws_letter_index" in page
    assert "ws_anna" not in page
    assert 'href="https://sql-admin.example.org"' in page
    assert f'action="/components/{shared.id}/test"' in page
    page = browser_of(anna).get(f"/components/{shared.id}").content.decode()
    assert "ws_bela" not in page
    assert "You own it and have full access." in page


def test_a_machine_key_has_a_snippet_of_its_own(as_anna: Client, anna: Person) -> None:
    scenes.set_up_work(anna)
    mine = anna.components.get(label="Letter index")
    ServiceKey.objects.create(
        owner=anna, system="sql_server", account="ws_m_anna", component=mine, purpose="the scanner"
    )
    page = as_anna.get(f"/components/{mine.id}").content.decode()
    assert "the scanner" in page
    assert "mariadb -h sql.example.org -P 3306 -u ws_m_anna -p ws_letter_index" in page


def test_the_connection_is_tested_on_the_page(
    anna: Person, browser_of: Callable[[Person], Client]
) -> None:
    """Nothing answers at that address: that is a finding, in the part of the page that shows it."""
    scenes.set_up_systems()
    scenes.set_up_work(anna)
    mine = anna.components.get(label="Letter index")
    StoredSetting.objects.filter(system="sql_server", name="host").update(value="127.0.0.1")
    StoredSetting.objects.create(system="sql_server", name="port", value="1")
    address = f"/components/{mine.id}/test"
    part = browser_of(anna).post(address, HTTP_HX_REQUEST="true").content.decode()
    assert part.startswith('<div class="tested" id="tested"')
    assert "The SQL server did not give a usable answer" in part
    assert "What to do:" in part
    whole = browser_of(anna).post(address).content.decode()
    assert "<h1>Letter index</h1>" in whole
    assert "The SQL server did not give a usable answer" in whole


def test_opening_to_everybody_is_asked_with_what_the_world_would_see(
    anna: Person, bela: Person, browser_of: Callable[[Person], Client]
) -> None:
    scenes.set_up_systems()
    url = StoredSetting.objects.filter(system="triplestore", name="url")
    url.update(value="http://127.0.0.1:1")
    project = scenes.project(anna, "Maps", bela)
    places = Component.objects.create(
        owner=anna,
        kind="triplestore_repository",
        label="Places",
        name="ts-places",
        address="https://triples.example.org/repositories/ts-places",
        state="ready",
        project=project,
    )
    address = f"/components/{places.id}/public"
    assert browser_of(bela).get(address).status_code == 403
    owner = browser_of(anna)
    assert f'href="{address}"' in owner.get(f"/components/{places.id}").content.decode()
    page = owner.get(address).content.decode()
    assert "The content could not be counted now." in page
    assert places.address in page
    assert "Copies that search engines and others made remain" in page
    told = owner.get(f"/api/v1/components/{places.id}/public-read").json()
    assert (told["public_read"], told["possible"], told["statements"]) == (False, True, None)
    assert "The content could not be counted now." in told["warning"]
    assert told["warning_message"]["code"]
    # Nothing answers there: closing needs no answer, and opening is a plan that waits for one.
    Component.objects.update(public_read=True)
    assert owner.post(address, {"read": "members"}).status_code == 302
    assert Plan.objects.get().kind == "component.public"
    page = owner.get(f"/components/{places.id}").content.decode()
    assert "Public access is being changed." in page
    assert ("public, readable without signing in") in browser_of(bela).get(
        "/components"
    ).content.decode()


def test_deleting_needs_the_name(as_anna: Client, anna: Person) -> None:
    scenes.set_up_systems()
    component = scenes.database(anna, "Scratch")
    wrong = as_anna.post(f"/components/{component.id}/delete", {"confirm": "scratch"})
    assert wrong.status_code == 422
    assert "Type the component’s name exactly as shown." in wrong.content.decode()
    right = as_anna.post(f"/components/{component.id}/delete", {"confirm": "Scratch"})
    assert right.status_code == 302
    assert Plan.objects.get().kind == "component.delete"
    again = as_anna.post(f"/components/{component.id}/delete", {"confirm": "Scratch"})
    assert again.status_code == 409


def test_a_project_is_made(as_anna: Client) -> None:
    response = as_anna.post("/projects/new", {"label": "Maps", "description": "Old ones"})
    project = Project.objects.get()
    assert response.headers["Location"] == f"/projects/{project.id}"
    assert "Old ones" in as_anna.get(f"/projects/{project.id}").content.decode()
    assert as_anna.post("/projects/new", {"label": " "}).status_code == 422


def test_projects_are_shown_to_those_in_them(
    as_anna: Client, anna: Person, bela: Person, browser_of: Callable[[Person], Client]
) -> None:
    mine = scenes.project(anna, "Mine", bela)
    other = scenes.project(bela, "Other")
    assert "Béla" in as_anna.get(f"/projects/{mine.id}").content.decode()
    assert as_anna.get(f"/projects/{other.id}").status_code == 404
    assert "Where I am a member" in browser_of(bela).get("/projects").content.decode()


def test_connected_accounts_are_ones_own(
    as_anna: Client, as_ada: Client, anna: Person, bela: Person
) -> None:
    scenes.set_up_work(anna)
    assert "jupyter-anna" in as_anna.get(f"/user/{anna.id}/connected-accounts").content.decode()
    assert as_anna.get(f"/user/{bela.id}/connected-accounts").status_code == 404
    assert as_ada.get(f"/user/{bela.id}/connected-accounts").status_code == 200
