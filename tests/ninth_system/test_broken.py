"""A system of somebody else that is broken, in every way there is: each of its functions and verbs
raises, gives nothing or gives something odd. The others are unharmed, and the trouble is its own.
"""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from workspace_forge.connector import Forge, connect
from workspace_forge.names import ACCOUNT
from workspace_forge.settings import Settings
from workspace_forge.stand_in import ForgeStandIn

from tests.fake_world.world import World
from tests.ninth_system.conftest import Install
from tests.visitors import Visitor
from workspace_manager.contract.connector import Change, Outcome, Severity
from workspace_manager.contract.secret import SecretResolver
from workspace_manager.contract.system import DesiredState, OwnNames
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.engine import run as engine
from workspace_manager.operations import checks, health
from workspace_manager.people import names_free
from workspace_manager.people.suspend import resume, suspend
from workspace_manager.plan_kinds import PLAN_KINDS
from workspace_manager.records.models import Person, Plan
from workspace_manager.removal.approve import approve_removal
from workspace_manager.removal.draft import draft_removal
from workspace_manager.systems import registry

pytestmark = pytest.mark.django_db(transaction=True)
Connected = Callable[[], ConnectedSystems]
LEAKED = "canary-in-an-exception"


def raising(*_given: Any, **_named: Any) -> Any:
    raise KeyError(LEAKED)


class Odd(Exception):
    """A class of its own, with a text that cannot be made."""

    def __str__(self) -> str:
        raise TypeError(LEAKED)


def odd(*_given: Any, **_named: Any) -> Any:
    raise Odd


def nothing(*_given: Any, **_named: Any) -> Any:
    return None


def text(*_given: Any, **_named: Any) -> Any:
    return LEAKED


WAYS: dict[str, Callable[..., Any]] = {
    "raises": raising,
    "raises_odd": odd,
    "nothing": nothing,
    "text": text,
}
FUNCTIONS = ("accounts", "shut", "open", "own_names", "realm_client", "remarks", "decides", "lacks")
VERBS = ("plan", "apply", "remove", "verify")
OF_SYSTEM = ("check", "prove_credential", "prove_rights", "try_again")


class Broken:
    """The forge with some verb broken: of the system, or of each connector."""

    def __init__(self, forge: Forge, verb: str, way: Callable[..., Any]) -> None:
        self.name, self._forge, self._verb, self._way = forge.name, forge, verb, way

    @property
    def connectors(self) -> Any:
        if self._verb == "connectors":
            return self._way()
        if self._verb not in {*VERBS, "calls"}:
            return self._forge.connectors
        for one in self._forge.connectors.values():
            setattr(one, self._verb, self._way)
        return self._forge.connectors

    def __getattr__(self, name: str) -> Any:
        return self._way if name == self._verb else getattr(self._forge, name)


def broken(
    monkeypatch: pytest.MonkeyPatch, install: Install, verb: str, way: Callable[..., Any]
) -> None:
    def made(settings: Settings, secrets: SecretResolver) -> Any:
        return Broken(connect(settings, secrets), verb, way)

    monkeypatch.setattr("workspace_forge.connector.broken", made, raising=False)
    install(connect="workspace_forge.connector:broken")


def worked(plan: Plan, systems: ConnectedSystems) -> Plan:
    while engine.run(plan.id, systems, kinds=PLAN_KINDS):
        pass
    plan.refresh_from_db()
    return plan


def removed(systems: ConnectedSystems) -> Plan:
    plan = draft_removal("alice", actor="ada", systems=systems)
    worked(plan, systems)
    approve_removal(plan.id, digest=plan.digest, actor="ada", systems=systems)
    return worked(plan, systems)


def states(plan: Plan) -> dict[str, str]:
    return dict(plan.steps.values_list("name", "state"))


OURS_DONE = {"done", "already_gone", "skipped"}


def only_the_forge_is_in_trouble(plan: Plan) -> None:
    """Its step says what is at fault, and every other step is as it would be without it."""
    found = states(plan)
    forge = found.pop("remove_forge_accounts")
    found.pop("delete_records")
    assert {*found.values()} <= OURS_DONE, found
    assert forge in {"stuck", "done", "waiting", "already_gone"}
    step = plan.steps.get(name="remove_forge_accounts")
    assert LEAKED not in f"{step.reason} {step.advice} {step.evidence}"
    if forge == "stuck":
        assert step.reason
        assert step.advice


def others_are_unharmed(systems: ConnectedSystems) -> None:
    """Names are given, the checks of the others say what they say, and the broken one's is its."""
    assert names_free.applicant_name("dora") == "dora"
    names_free.refuse("dora", systems)
    found = checks.findings("sql_server", systems)
    assert LEAKED not in str(found)
    health.look("forge", systems)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_broken_function_harms_its_system_alone(
    name: str,
    way: str,
    install: Install,
    connected: Connected,
    smith: Person,
    ada: Person,
    forge: ForgeStandIn,
) -> None:
    install(**{name: WAYS[way]})
    systems = connected()
    others_are_unharmed(systems)
    said = checks.findings("forge", systems)
    may_be_none = way == "nothing" and name in {"realm_client", "lacks"}
    assert may_be_none or any(one.severity is not Severity.OK for one in said), said
    assert LEAKED not in str(said)
    plan = removed(systems)
    only_the_forge_is_in_trouble(plan)
    if name == "accounts":
        assert states(plan)["remove_forge_accounts"] == "stuck"
        assert "sub-of-alice" in forge.state["users"]


@pytest.mark.one_in(4)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("verb", [*VERBS, *OF_SYSTEM, "calls", "connectors"])
def test_a_broken_verb_harms_its_system_alone(
    verb: str,
    way: str,
    install: Install,
    connected: Connected,
    smith: Person,
    ada: Person,
    forge: ForgeStandIn,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    broken(monkeypatch, install, verb, WAYS[way])
    systems = connected()
    others_are_unharmed(systems)
    said = checks.findings("forge", systems)
    assert LEAKED not in str(said)
    if verb in {"check", "connectors"}:
        assert any(one.severity is not Severity.OK for one in said)
    plan = removed(systems)
    only_the_forge_is_in_trouble(plan)
    if verb in {"plan", "remove"}:
        assert states(plan)["remove_forge_accounts"] == "stuck"
    assert "sub-of-bob" in forge.state["users"]


@pytest.mark.parametrize("way", WAYS)
def test_what_cannot_be_connected_is_said(
    way: str, install: Install, connected: Connected, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workspace_forge.connector.broken", WAYS[way], raising=False)
    install(connect="workspace_forge.connector:broken")
    systems = connected()
    assert "forge" not in systems.by_name
    others_are_unharmed(systems)
    (finding, *_) = checks.findings("forge", systems)
    assert finding.severity is Severity.FAILING
    assert LEAKED not in str(finding)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", ["shut", "open"])
def test_a_suspension_is_stuck_where_it_cannot_say_what_to_shut(
    name: str, way: str, install: Install, connected: Connected, smith: Person, ada: Person
) -> None:
    install(**{name: WAYS[way]})
    systems = connected()
    shut = worked(suspend("alice", actor="ada", systems=systems), systems)
    opened = worked(resume("alice", actor="ada", systems=systems), systems)
    plan, step = (shut, "shut_forge") if name == "shut" else (opened, "open_forge")
    found = states(plan)
    assert found.pop(step) == "stuck"
    assert {*found.values()} <= OURS_DONE
    assert plan.steps.get(name=step).reason


@pytest.mark.parametrize("way", [raising, odd, text], ids=["raises", "raises_odd", "text"])
def test_a_settings_class_that_raises_is_its_own_trouble(
    way: Callable[..., Any], install: Install, connected: Connected
) -> None:
    class Unfit(Settings):
        def __post_init__(self) -> None:
            if self.url:
                way()

    install(settings=Unfit)
    systems = connected()
    others_are_unharmed(systems)


def test_wishes_for_things_of_another_system_are_not_believed(
    install: Install, connected: Connected, smith: Person, ada: Person, world: World
) -> None:
    """A wish names the things of its own system, whatever its function says."""
    world.things["drive.account"] = {"bob": {"exists": True}}

    def greedy(_settings: Settings, _holder: Any) -> tuple[DesiredState, ...]:
        return (DesiredState("drive.account", {"user_id": "bob"}),)

    install(accounts=greedy)
    systems = connected()
    plan = removed(systems)
    assert states(plan)["remove_forge_accounts"] == "stuck"
    assert "bob" in str(world.things["drive.account"])


def test_a_look_with_another_wish_is_not_acted_on(
    install: Install,
    connected: Connected,
    smith: Person,
    ada: Person,
    forge: ForgeStandIn,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A suspension that wishes an account blocked never deletes it."""

    def plan(target: Any, _want: Any) -> Change:
        before = {"exists": True}
        return Change(kind=ACCOUNT, subject="", target=dict(target), before=before, after=None)

    broken(monkeypatch, install, "plan", plan)
    systems = connected()
    found = worked(suspend("alice", actor="ada", systems=systems), systems)
    assert states(found)["shut_forge"] == "stuck"
    assert "sub-of-alice" in forge.state["users"]


def test_names_that_are_patterns_that_do_not_compile_reserve_nothing(
    install: Install, connected: Connected
) -> None:
    install(own_names=lambda _settings: OwnNames(patterns=("(",)))
    others_are_unharmed(connected())


def test_an_outcome_of_another_type_is_no_success(
    install: Install,
    connected: Connected,
    smith: Person,
    ada: Person,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    broken(monkeypatch, install, "remove", lambda _change: {"result": "changed"})
    assert not isinstance({"result": "changed"}, Outcome)
    plan = removed(connected())
    assert states(plan)["remove_forge_accounts"] == "stuck"


def test_the_preview_says_what_cannot_be_known(
    install: Install, connected: Connected, smith: Person, ada: Person, client: Client
) -> None:
    install(accounts=raising, remarks=raising)
    plan = draft_removal("alice", actor="ada", systems=connected())
    client.force_login(ada)
    page = client.get(f"/manage/plans/{plan.id}").content.decode()
    assert "Check for" in page
    assert "everything there" in page
    assert "forge.remarks raised KeyError" in page
    assert "unsaid" not in page.replace("data-", "")
    assert LEAKED not in page


def test_every_page_of_the_broken_one_answers(
    install: Install, connected: Connected, as_administrator: Visitor, smith: Person
) -> None:
    install(**dict.fromkeys((*FUNCTIONS, "settings"), raising) | {"settings": Settings})
    connected()
    for where in ("/systems", "/systems/forge", "/people", "/systems/forge/health"):
        assert as_administrator.ask("GET", where).status_code == 200, where
    drafted = as_administrator.ask("POST", "/people/alice/removal")
    assert drafted.status_code == 201
    assert as_administrator.ask("GET", "/people/alice/suspension").status_code == 200
    assert "forge" in registry().specs
