"""Pages of people who have much: a part at a time, looked through, and with as many queries as for
little.
"""

from collections.abc import Callable

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.web.pages import scenes
from workspace_manager.records.models import (
    Component,
    Membership,
    Person,
    Plan,
    PlanStep,
    Project,
    Stack,
)

FEW, MANY, PROJECTS = 10, 1000, 120


def components(owner: Person, count: int, projects: list[Project], **values: object) -> None:
    begin = Component.objects.count()
    Component.objects.bulk_create(
        Component(
            owner=owner,
            label=f"Notes {n}",
            name=f"ws_{owner.username}_{n}",
            kind=list(Component.Kind)[n % 3],
            state="ready",
            project=projects[n % len(projects)] if projects else None,
            **values,
        )
        for n in range(begin, begin + count)
    )


def projects(owner: Person, count: int, *members: Person) -> list[Project]:
    """Every second of one name: they are told apart."""
    made = Project.objects.bulk_create(
        Project(owner=owner, label=f"Herbarium {n // 2}") for n in range(count)
    )
    Membership.objects.bulk_create(
        Membership(project=one, person=member) for one in made for member in members
    )
    return made


def looked_at(browser: Client, address: str) -> tuple[int, int, str]:
    """Queries, bytes, and the page."""
    browser.get(address)
    with CaptureQueriesContext(connection) as queries:
        answer = browser.get(address)
    assert answer.status_code == 200, address
    return len(queries), len(answer.content), answer.content.decode()


def stacks(owner: Person, count: int, projects: list[Project]) -> None:
    begin = Stack.objects.count()
    Stack.objects.bulk_create(
        Stack(
            owner=owner,
            label=f"All {n}",
            name=f"st-{owner.username}-{n}",
            state="ready",
            project=projects[n % len(projects)],
        )
        for n in range(begin, begin + count)
    )


def test_much_costs_what_little_does(as_anna: Client, anna: Person, bela: Person) -> None:
    addresses = (
        "/components",
        "/components?q=notes&kind=sql_database",
        "/stacks",
        "/stacks?q=all&whose=shared",
        "/",
    )
    for owner, made in ((anna, projects(anna, 4)), (bela, projects(bela, 4, anna))):
        components(owner, FEW, made)
        stacks(owner, FEW, made)
    few = {address: looked_at(as_anna, address)[0] for address in addresses}
    for owner, made in (
        (anna, projects(anna, PROJECTS // 2)),
        (bela, projects(bela, PROJECTS // 2, anna)),
    ):
        components(owner, MANY // 2, made)
        stacks(owner, MANY // 4, made)
    for address in addresses:
        many, size, _ = looked_at(as_anna, address)
        assert many == few[address], address
        assert size < 100_000


def test_a_page_shows_a_part_and_its_links_keep_what_was_asked(
    as_anna: Client, anna: Person
) -> None:
    components(anna, 60, projects(anna, 2))
    _, _, page = looked_at(as_anna, "/components?kind=sql_database&sort=label&q=notes")
    assert "20 in total" in page
    _, _, page = looked_at(as_anna, "/components?q=notes&sort=label&whose=mine")
    assert "1 to 25 of 60" in page
    assert 'href="?q=notes&amp;whose=mine&amp;sort=label&amp;page=2"' in page
    _, _, last = looked_at(as_anna, "/components?q=notes&whose=mine&sort=label&page=3")
    assert "51 to 60 of 60" in last
    assert '<option value="mine" selected>' in last


def test_each_filter_finds_its_own(as_anna: Client, anna: Person, bela: Person) -> None:
    (herbarium, _) = projects(bela, 2, anna)
    components(anna, 1, [])
    components(bela, 1, [herbarium], public_read=True)
    components(bela, 1, [])
    mine, shared, hidden = (f"Notes {n}" for n in range(3))
    for asked, found in {
        "": {mine, shared},
        "whose=mine": {mine},
        "whose=shared": {shared},
        "owner=bela": {shared},
        f"project={herbarium.id}": {shared},
        "kind=knowledge_stack": set(),
        "state=failed": set(),
        "q=2": set(),
        "kind=nonsense&state=&project=nonsense&page=nonsense": {mine, shared},
    }.items():
        page = as_anna.get(f"/components?{asked}").content.decode()
        assert {one for one in (mine, shared, hidden) if f">{one}<" in page} == found, asked
    assert page.count("public, readable without signing in") == 1
    assert "Nothing found." in as_anna.get("/components?q=nonsense").content.decode()
    assert "Create your first component" not in as_anna.get("/components?q=x").content.decode()


def test_a_list_shows_how_far_plans_have_come_and_renews_itself(
    as_anna: Client, anna: Person
) -> None:
    scenes.set_up_systems()
    as_anna.post("/components/new", {"kind": "sql_database", "label": "Letters"})
    PlanStep.objects.filter(n=1).update(state=PlanStep.State.DONE)
    page = as_anna.get("/components").content.decode()
    assert "1 of 3 steps" in page
    address = page.split('hx-get="?')[1].split('"')[0].replace("&amp;", "&")
    live = {"HX-Request": "true"}
    assert as_anna.get(f"/components?{address}", headers=live).status_code == 204
    PlanStep.objects.filter(n=2).update(state=PlanStep.State.DONE)
    part = as_anna.get(f"/components?{address}", headers=live).content.decode()
    assert part.startswith('<div id="found" hx-get=')
    assert "2 of 3 steps" in part
    Component.objects.update(state="ready")
    Plan.objects.update(state="done")
    assert "hx-trigger" not in as_anna.get(f"/components?{address}", headers=live).content.decode()


def test_what_else_lists_components_does_not_grow_without_end(
    as_ada: Client, anna: Person, browser_of: Callable[[Person], Client]
) -> None:
    made = projects(anna, PROJECTS)
    components(anna, 300, made[:1])
    project = f"/projects/{made[0].id}"
    _, size, page = looked_at(browser_of(anna), project)
    assert f'href="/components?project={made[0].id}"' in page
    assert size < 60_000
    _, size, page = looked_at(as_ada, "/manage/people/anna")
    assert "Showing 50 of 420." in page
    assert size < 60_000
    _, size, page = looked_at(browser_of(anna), "/projects?q=herbarium")
    assert 'href="?q=herbarium&amp;mine=2"' in page
    assert size < 60_000
    _, size, page = looked_at(browser_of(anna), "/")
    assert "Show all 300 components" in page
    assert "Show all 120 projects" in page
    assert size < 60_000


def test_projects_come_a_page_at_a_time(as_anna: Client, anna: Person, bela: Person) -> None:
    projects(anna, 30)
    projects(bela, 30, anna)
    _, size, page = looked_at(as_anna, "/projects")
    assert page.count(">yours") == page.count(">owned by bela") == 25
    assert 'href="?mine=2"' in page
    assert 'href="?shared=2#shared"' in page
    assert size < 60_000
    _, _, page = looked_at(as_anna, "/projects?mine=2")
    assert (page.count(">yours"), page.count(">owned by bela")) == (5, 25)


def test_what_waits_is_counted_once_for_both_navigations(as_ada: Client) -> None:
    as_ada.get("/stacks")
    with CaptureQueriesContext(connection) as queries:
        page = as_ada.get("/stacks").content.decode()
    assert page.count('aria-label="Main"') == 2
    asked = [query["sql"] for query in queries if "COUNT(" in query["sql"]]
    assert len(asked) == len(set(asked))


def test_a_state_is_said_in_the_language_of_each_reader(
    as_anna: Client, anna: Person, bela: Person, browser_of: Callable[[Person], Client]
) -> None:
    """What a badge looks like is kept between requests."""
    Person.objects.filter(id=bela.id).update(locale="de")
    components(anna, 1, [])
    components(bela, 1, [])
    for browser, said in ((as_anna, "ready"), (browser_of(bela), "bereit"), (as_anna, "ready")):
        _, _, page = looked_at(browser, "/components")
        assert f"<span>{said}</span>" in page
