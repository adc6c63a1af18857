"""Projects of the manager on a real WebProtégé: made, shared, linked later, put in the trash, and
left by whoever is removed; what the check says of it, and its start after a kill.
"""

import signal
from collections.abc import Callable

import httpx
import pytest

from tests.conformance import webprotege_database
from tests.fake_world.people import make_person
from tests.pinned_settings import pin
from tests.real.leftovers import check_leftovers_are_cleared
from tests.real_parts import Part
from tests.systems.whole_inventory import everything
from workspace_manager.contract.connector import Severity
from workspace_manager.engine.run import run
from workspace_manager.plan_kinds import PLAN_KINDS
from workspace_manager.records.models import Membership, Person, Plan, Project
from workspace_manager.removal.approve import approve_removal
from workspace_manager.removal.draft import draft_removal
from workspace_manager.systems.ontology_editor import SYSTEM
from workspace_manager.wiring import connected_systems
from workspace_manager.work import memberships, ontology_links, projects
from workspace_sandbox.real import webprotege

pytestmark = [
    pytest.mark.real("WebProtégé"),
    pytest.mark.usefixtures("real_webprotégé"),
    pytest.mark.django_db(transaction=True),
]
KIND = "ontology_editor.project"
EDIT, MANAGE = {"CAN_EDIT"}, {"CAN_MANAGE", "PROJECT_DOWNLOADER"}


@pytest.fixture
def editor(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> webprotege.Address:
    """The one of this run, and the manager's settings lead to it."""
    address: webprotege.Address = request.getfixturevalue("real_webprotégé").address
    values = {"host": address.url, "api_key": address.api_key.reveal()}
    pin(monkeypatch, "ontology_editor", {**values, "service_account": webprotege.SERVICE_ACCOUNT})
    return address


@pytest.fixture
def mira() -> Person:
    return make_person("mira", sub="sub-of-mira")


@pytest.fixture
def noor() -> Person:
    return make_person("noor", sub="sub-of-noor")


def work() -> None:
    for _ in range(3):
        for plan in Plan.objects.filter(state__in=Plan.OPEN).order_by("created_at"):
            run(plan.id, connected_systems(), kinds=PLAN_KINDS)


def create_project(owner: Person, label: str) -> Project:
    project = projects.make(owner, connected_systems(), label=label)
    work()
    project.refresh_from_db()
    assert project.ontology_project_id
    return project


def roles(editor: webprotege.Address, project: Project) -> dict[str, set[str]]:
    """Of people: our own account has its own in each project."""
    with webprotege_database.open_database(editor) as database:
        found = webprotege_database.projects(database)[project.ontology_project_id]["roles"]
    return {name: set(held) for name, held in found.items() if name != webprotege.SERVICE_ACCOUNT}


def is_in_the_trash(editor: webprotege.Address, project_id: str) -> bool:
    with webprotege_database.open_database(editor) as database:
        return bool(webprotege_database.projects(database)[project_id]["inTrash"])


def test_a_project_is_made_for_its_owner_and_shared_and_put_in_the_trash(
    editor: webprotege.Address, mira: Person, noor: Person
) -> None:
    project = create_project(mira, "Birds of Bern")
    assert roles(editor, project) == {"mira": MANAGE}
    memberships.add(project, noor, actor="mira", systems=connected_systems())
    work()
    assert roles(editor, project) == {"mira": MANAGE, "noor": EDIT}
    memberships.end(project, noor, actor="noor", systems=connected_systems())
    work()
    assert roles(editor, project) == {"mira": MANAGE}
    number = project.ontology_project_id
    projects.delete(project, actor="mira", systems=connected_systems())
    work()
    assert is_in_the_trash(editor, number)
    assert not Project.objects.exists()


def test_a_project_of_before_is_linked_once_with_its_members(
    editor: webprotege.Address, mira: Person, noor: Person
) -> None:
    project = Project.objects.create(owner=mira, label="Finds", ontology_mark="mark-of-finds")
    Membership.objects.create(project=project, person=noor)
    for wished in ("link", "grant"):
        lines = ontology_links.apply([project], actor="ada", systems=connected_systems())
        assert [line.action for line in lines] == [wished]
        work()
        project.refresh_from_db()
    assert roles(editor, project) == {"mira": MANAGE, "noor": EDIT}


def test_whoever_is_removed_leaves_no_project_and_no_access(
    editor: webprotege.Address, mira: Person, noor: Person
) -> None:
    own, shared = create_project(noor, "Shells"), create_project(mira, "Herbs")
    memberships.add(shared, noor, actor="mira", systems=connected_systems())
    work()
    assert roles(editor, shared) == {"mira": MANAGE, "noor": EDIT}
    plan = draft_removal("noor", actor="ada", systems=connected_systems())
    approve_removal(plan.id, digest=plan.digest, actor="ada", systems=connected_systems())
    steps = Plan.objects.get(id=plan.id).steps
    work()
    plan.refresh_from_db()
    last = steps.get(n=7)
    assert last.state == "done", (plan.state, last.state, last.reason)
    assert is_in_the_trash(editor, own.ontology_project_id)
    assert roles(editor, shared) == {"mira": MANAGE}


def test_the_check_finds_nothing_but_the_sign_in_that_this_build_lacks(
    editor: webprotege.Address, mira: Person
) -> None:
    create_project(mira, "Ferns")
    system = connected_systems().by_name["ontology_editor"]
    found = {one.name: one.severity for one in system.check()}
    assert {name for name, how in found.items() if how is not Severity.OK} == {"sign_in"}


def test_a_key_of_a_guest_and_a_key_without_a_right_are_told(
    request: pytest.FixtureRequest,
    editor: webprotege.Address,
    mira: Person,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    part: webprotege.WebProtege = request.getfixturevalue("real_webprotégé")
    pin(monkeypatch, "ontology_editor", {"api_key": part.key_of("est").reveal()})
    found = {
        one.name: one.severity for one in connected_systems().by_name["ontology_editor"].check()
    }
    assert found["key"] is Severity.FAILING
    pin(monkeypatch, "ontology_editor", {"api_key": part.key_of("nobody").reveal()})
    projects.make(mira, connected_systems(), label="Mosses")
    work()
    plan = Plan.objects.get(kind="project.link")
    assert plan.state == Plan.State.STUCK, plan.state
    assert plan.steps.get().reason.code == "ontology_editor.right_lacking"
    logged = [one.getMessage() for one in caplog.records if str(plan.id) in getattr(one, "ids", "")]
    assert len(logged) == 1
    assert plan.steps.get().reason.english in logged[0]


def test_what_was_made_is_listed_until_it_is_in_the_trash(
    editor: webprotege.Address, mira: Person
) -> None:
    project = create_project(mira, "Lichens")
    number = project.ontology_project_id
    one = everything(SYSTEM, connected_systems().by_name["ontology_editor"])[KIND, number]
    assert (one.ours, one.holders) == (True, ("mira",))
    projects.delete(project, actor="mira", systems=connected_systems())
    work()
    assert (KIND, number) not in everything(SYSTEM, connected_systems().by_name["ontology_editor"])


def test_it_comes_back_after_a_kill_with_what_it_kept(
    real_part: Callable[..., Part],
) -> None:
    real_part("WebProtégé", version=webprotege.version(), why_not=webprotege.why_not())
    part = webprotege.WebProtege()
    try:
        address = part.start()
        headers = {"Authorization": f"apikey {address.api_key.reveal()}"}
        body = {"projectOwner": "mira", "displayName": "Kept", "langTag": "en", "description": ""}
        with httpx.Client(base_url=address.url, headers=headers) as hands:
            hands.post("/data/projects", json=body).raise_for_status()
            assert part._process is not None
            part._process.send_signal(signal.SIGKILL)
            part._process.wait()
            assert part.has_ended()
            part.start_again()
            assert [one["displayName"] for one in hands.get("/data/projects").json()] == ["Kept"]
    finally:
        part.stop()


@pytest.mark.everything  # as MariaDB and RDF4J, whose starts cost less
def test_what_a_killed_run_left_is_cleared(editor: webprotege.Address) -> None:
    check_leftovers_are_cleared(webprotege, "WebProtege()")
    headers = {"Authorization": f"apikey {editor.api_key.reveal()}"}
    assert httpx.get(f"{editor.url}/data/projects", headers=headers).is_success
