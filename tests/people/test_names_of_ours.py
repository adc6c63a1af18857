"""Names that systems and the manager use themselves: nobody is given one at any door, whoever bears
one is found, and our own rights are never taken with theirs.
"""

import uuid

import pytest

from tests.fake_world.people import make_person
from tests.fake_world.work import work
from tests.fake_world.world import World
from tests.people.test_names_free import DOORS, Door, application
from workspace_manager.contract.connector import Severity
from workspace_manager.contract.message import in_words
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.refusal import BadInput, Forbidden, Refused
from workspace_manager.operations import checks
from workspace_manager.operations import settings as system_settings
from workspace_manager.people import admit, names_free, register
from workspace_manager.people.admit import Claims
from workspace_manager.records.models import Person, Plan, Project, Registration
from workspace_manager.removal.approve import approve_removal
from workspace_manager.removal.draft import draft_removal
from workspace_manager.work import components, memberships

pytestmark = pytest.mark.django_db(transaction=True)

ACCOUNTS = {
    "ontology_editor": {"service_account": "machine.editor"},
    "drive": {"admin_username": "machine.drive", "container_name": "machine.box"},
    "triplestore": {"admin_username": "machine.store"},
    "sql_server": {"admin_username": "machine.sql"},
    "identity_provider": {"admin_username": "machine.realm"},
}
OURS = sorted({name for one in ACCOUNTS.values() for name in one.values()})
OTHERS = ["Machine.Editor", "machine.editor", "svc-anything", "SVC-x"]


@pytest.fixture
def systems(world: World) -> ConnectedSystems:
    for system, values in ACCOUNTS.items():
        system_settings.save(system, values, actor="ada")
    return ConnectedSystems(by_name=world.systems().by_name, settings=names_free.settings_now())


@pytest.mark.parametrize("name", [*OURS, *OTHERS])
def test_nobody_registers_one(name: str, systems: ConnectedSystems) -> None:
    with pytest.raises(BadInput):
        register.register(application(name))
    assert not Registration.objects.exists()


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("name", [*OURS, *OTHERS, "machine editor"])
def test_nobody_gets_one_otherwise(name: str, door: Door, systems: ConnectedSystems) -> None:
    if name == "machine editor":
        system_settings.save("ontology_editor", {"service_account": "machine_editor"}, actor="ada")
        live = names_free.settings_now()
        systems = ConnectedSystems(by_name=systems.by_name, settings=live)
    with pytest.raises(
        (Refused, Forbidden),
        match=r"A system uses the name .* itself|Nobody in this workspace can have your user name",
    ):
        door(name, systems)


def test_nor_as_the_first_administrator(
    systems: ConnectedSystems, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("django.conf.settings.FIRST_ADMINISTRATOR", "machine.editor")
    claims = Claims(sub=str(uuid.uuid4()), username="machine.editor")
    with pytest.raises(Forbidden):
        admit.admit(claims, admit_unregistered=False)
    assert not Person.objects.exists()


@pytest.mark.parametrize("system", ACCOUNTS)
def test_check_finds_whoever_bears_one(system: str, systems: ConnectedSystems) -> None:
    name = next(iter(ACCOUNTS[system].values()))
    assert not checks.borne_by_people(system, systems)
    make_person(name)
    Registration.objects.create(username="alice", status=Registration.Status.APPROVED)
    (found,) = checks.borne_by_people(system, systems)
    assert found in checks.findings(system, systems)
    assert found.severity is Severity.FAILING
    assert name in found.text
    assert "another name" in found.remedy
    assert found.message
    assert in_words(found.message, "de") != found.text


def test_whoever_bears_one_gets_nothing_that_is_ours(
    systems: ConnectedSystems, world: World
) -> None:
    """Told before, in words; and leaving takes no account of ours."""
    make_person("root-admin", role="administrator")
    for system, values in ACCOUNTS.items():
        name = next(iter(values.values()))
        person = make_person(name, sub=str(uuid.uuid4()))
        world.things |= {f"sql_server.user:{name}": {"exists": True}}
        world.things |= {f"triplestore.user:{name}": {"exists": True}}
        project = Project.objects.create(
            owner=make_person(f"owner-{system}"),
            label="P",
            ontology_project_id=str(uuid.uuid4()),
        )
        memberships.add(project, person, actor="ada", systems=systems)
        work(world)
        told = components.impossible_kinds(person, systems)
        assert (system == "sql_server") == ("sql_database" in told)
        assert (system == "triplestore") == ("triplestore_repository" in told)
        membership = f"ontology_editor.membership:{project.ontology_project_id} {name}"
        assert (membership in world.things) == (system != "ontology_editor")
        memberships.end(project, person, actor="ada", systems=systems)
        work(world)
        plan = draft_removal(name, actor="root-admin", systems=systems)
        approve_removal(plan.id, digest=plan.digest, actor="root-admin", systems=systems)
        work(world)
        plan.refresh_from_db()
        assert plan.state == Plan.State.DONE
        assert (f"sql_server.user:{name}" in world.things) == (system == "sql_server")
        assert (f"triplestore.user:{name}" in world.things) == (system == "triplestore")
