"""Service keys: shown once, to their owner, on request, and kept by nobody."""

from django.test import Client

from tests.web.pages import scenes
from tests.web.pages.test_long_lists import looked_at
from workspace_manager.contract.secret import Secret
from workspace_manager.records.models import Component, Person, Plan, ServiceKey

SECRET = "correct-horse-battery-staple"


def test_the_list_shows_no_secret(as_anna: Client, anna: Person) -> None:
    scenes.key(anna, "sql_server", "ws_anna")
    page = as_anna.get("/service-keys").content.decode()
    assert "ws_anna" in page
    assert "Show once" in page
    assert SECRET not in page


def test_it_is_shown_once_and_masked(as_anna: Client, anna: Person) -> None:
    key = scenes.key(anna, "sql_server", "ws_anna")
    first = as_anna.post(f"/service-keys/{key.id}/reveal")
    page = first.content.decode()
    assert first.headers["Cache-Control"] == "no-store"
    assert f'<input id="secret" type="password" value="{SECRET}"' in page
    second = as_anna.post(f"/service-keys/{key.id}/reveal")
    assert second.status_code == 409
    assert SECRET not in second.content.decode()
    assert "Already shown." in second.content.decode()


def test_the_form_says_what_to_choose(as_anna: Client, anna: Person) -> None:
    scenes.database(anna, "Herbarium")
    page = as_anna.get("/service-keys").content.decode()
    assert "Choose a component" in page
    assert "-----" not in page


def test_nobody_else_sees_it(as_anna: Client, as_ada: Client, bela: Person) -> None:
    key = scenes.key(bela, "sql_server", "ws_bela")
    assert as_anna.post(f"/service-keys/{key.id}/reveal").status_code == 404
    assert as_ada.post(f"/service-keys/{key.id}/reveal").status_code == 404
    key.refresh_from_db()
    assert key.secret is not None


def test_looking_is_not_revealing(as_anna: Client, anna: Person) -> None:
    key = scenes.key(anna, "sql_server", "ws_anna")
    assert as_anna.get(f"/service-keys/{key.id}/reveal").status_code == 405


def test_an_empty_list_teaches(as_anna: Client) -> None:
    assert "your first component" in as_anna.get("/service-keys").content.decode()


def test_keys_say_what_they_open_and_programs_stand_apart(as_anna: Client, anna: Person) -> None:
    scenes.key(anna, "sql_server", "anna")
    component = Component.objects.create(
        owner=anna, kind="sql_database", label="Finds", name="ws_finds", state="ready"
    )
    ServiceKey.objects.create(
        owner=anna, system="sql_server", account="wm_anna_finds_1", label="Import",
        purpose="Import", component=component, secret=Secret(SECRET),
    )  # fmt: skip
    page = as_anna.get("/service-keys").content.decode()
    own, programs = page.split("Keys of your programs")
    assert "Opens your databases and those shared with you." in own
    assert "Renew now" in own
    assert "Delete now" not in own
    assert "Delete now" in programs
    assert f'Opens only <a href="/components/{component.id}">Finds</a>' in programs
    assert SECRET not in page


def test_a_running_plan_stands_on_the_key(as_anna: Client, as_ada: Client, anna: Person) -> None:
    key = scenes.key(anna, "sql_server", "anna")
    Plan.objects.create(
        kind="service_key.renew", person="anna", subject=str(anna.id), about=str(key.id),
        state="running", digest="x", document_text='{"steps": [], "sub": ""}',
    )  # fmt: skip
    page = as_anna.get("/service-keys").content.decode()
    assert "Key renewal" in page
    assert "Renew now" not in page
    assert "Show once" not in page
    seen = page.split("seen=")[1].split('"')[0]
    assert as_anna.get(f"/service-keys/progress?seen={seen}").status_code == 204
    assert as_anna.get("/service-keys/progress").status_code == 200
    of_anna = as_ada.get("/manage/people/anna/service-keys").content.decode()
    assert "Key renewal" in of_anna
    assert SECRET not in of_anna


def test_what_is_refused_is_said_on_the_page(as_anna: Client, as_ada: Client, anna: Person) -> None:
    key = scenes.key(anna, "sql_server", "anna")
    answer = as_anna.post(f"/service-keys/{key.id}/delete")
    assert answer.status_code == 409
    assert "your own key" in answer.content.decode()
    assert as_ada.post(f"/service-keys/{key.id}/renew").status_code == 404
    wrong = as_anna.post("/service-keys", {"component": str(key.id), "purpose": "x"})
    assert wrong.status_code == 422


def of_stacks(owner: Person, count: int) -> list[Component]:
    """Knowledge stacks, each with two keys that it was given, and a program's key of each."""
    begin = Component.objects.count()
    made = []
    for n in range(begin, begin + count):
        database, stack = Component.objects.bulk_create(
            Component(
                owner=owner, kind=kind, label=f"{kind} {n}", name=f"{kind}-{n}", state="ready"
            )
            for kind in ("sql_database", "knowledge_stack")
        )
        given = ("sql_server", f"wm_s{n}", stack), ("triplestore", f"wm_t{n}", stack)
        ServiceKey.objects.bulk_create(
            ServiceKey(
                owner=owner, system=system, account=account, label="x", purpose=f"Run {n}",
                component=database, used_by=used_by,
            )
            for system, account, used_by in (*given, ("sql_server", f"wm_p{n}", None))
        )  # fmt: skip
        made.append(stack)
    return made


def test_many_keys_are_folded_paged_and_looked_through(
    as_anna: Client, as_ada: Client, anna: Person
) -> None:
    scenes.key(anna, "sql_server", "anna")
    addresses = (
        (as_anna, "/service-keys"),
        (as_anna, "/service-keys?q=run"),
        (as_ada, "/manage/people/anna/service-keys"),
    )
    stack, *_ = of_stacks(anna, 2)
    few = [looked_at(*one)[0] for one in addresses]
    of_stacks(anna, 60)
    pages = [looked_at(*one) for one in addresses]
    assert [queries for queries, _, _ in pages] == few
    page = pages[0][2]
    own, programs, folded = (
        page.partition("Keys of your programs")[0],
        page.partition("Keys of your programs")[2].partition("Keys of knowledge stacks")[0],
        page.partition("Keys of knowledge stacks")[2],
    )
    assert "Opens your databases and those shared with you." in own
    assert (programs.count("wm_p"), folded.count('<details id="keys-')) == (20, 20)
    assert "Page 1 of 4" in programs
    assert "stacks=2#of-stacks" in folded
    assert "wm_s" not in programs
    assert f'<details id="keys-{stack.id}"><summary>{stack.label} ' in folded
    assert "Delete now" not in folded
    asked = looked_at(as_anna, f"/service-keys?of={stack.id}")[2]
    assert asked.count('<details id="keys-') == 1
    assert "Keys of your programs" not in asked
    found = looked_at(as_anna, "/service-keys?q=wm_p31")[2]
    assert found.count("wm_p31") >= 1
    assert "Keys of knowledge stacks" not in found
    assert "Nothing found." in looked_at(as_anna, "/service-keys?q=nowhere")[2]
