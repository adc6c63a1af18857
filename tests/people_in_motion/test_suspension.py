"""Suspended and let back in: what was open is shut, and exactly that is opened again."""

import pytest

from tests.fake_world.identities import Town
from tests.fake_world.work import work
from tests.people_in_motion.people import ROOT, administrator, claims, make, remove, settled
from workspace_manager.contract.errors import Unavailable
from workspace_manager.core.refusal import Forbidden, Refused
from workspace_manager.engine import actions
from workspace_manager.people import admit as first_login
from workspace_manager.people import suspend, tokens
from workspace_manager.records.models import Component, Person, Plan, PlanStep

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def town() -> Town:
    administrator()
    return Town()


def out(town: Town) -> Plan:
    return suspend.suspend("alice", actor=ROOT, systems=town.systems())


def back(town: Town) -> Plan:
    return suspend.resume("alice", actor=ROOT, systems=town.systems())


def user(town: Town) -> dict[str, object]:
    return next(iter(town.users("alice").values()))


def test_everything_is_shut_and_opened_again(town: Town) -> None:
    alice = settled("alice", town)
    make(alice, "sql_database", town)
    work(town)
    town.things["notebook_hub.container:jupyter-alice"] = {"running": True}
    user(town)["sessions"] = 2
    _, clear = tokens.create(alice, name="laptop", actor="alice")
    out(town)
    work(town)
    assert (user(town)["enabled"], user(town)["sessions"]) == (False, 0)
    assert town.things["sql_server.user:alice"]["locked"] is True
    assert town.things["notebook_hub.container:jupyter-alice"] == {"running": False}
    assert tokens.person_of(clear) is None
    with pytest.raises(Forbidden, match="suspended"):
        first_login.admit(claims("alice", str(user(town)["sub"])), admit_unregistered=False)
    back(town)
    work(town)
    assert user(town)["enabled"] is True
    assert town.things["sql_server.user:alice"]["locked"] is False
    assert town.things["notebook_hub.container:jupyter-alice"] == {"running": False}
    assert tokens.person_of(clear) == alice


def test_what_was_shut_before_stays_shut(town: Town) -> None:
    settled("alice", town)
    user(town)["enabled"] = False  # by somebody in the identity provider itself
    out(town)
    work(town)
    back(town)
    work(town)
    assert user(town)["enabled"] is False


def test_an_undoing_that_never_ran_is_made_up_for(town: Town) -> None:
    """Suspended, resumed, suspended again before the first undoing ran, and resumed: everything is open as at first."""
    settled("alice", town)
    out(town)
    work(town)
    town.broken["identity_provider"] = lambda verb: Unavailable("down", kind="x", doing=verb)
    first = back(town)
    work(town, turns=2)
    out(town)
    first.refresh_from_db()
    assert first.state == Plan.State.SUPERSEDED
    town.broken.clear()
    work(town)
    assert user(town)["enabled"] is False
    back(town)
    work(town)
    assert user(town)["enabled"] is True


def test_what_is_being_made_waits_for_the_return(town: Town) -> None:
    alice = settled("alice", town)
    town.broken["sql_server"] = lambda verb: Unavailable("down", kind="x", doing=verb)
    component = make(alice, "sql_database", town)
    work(town, turns=2)
    out(town)
    town.broken.clear()
    work(town)
    assert "sql_server.user:alice" not in town.things
    creation = Plan.objects.get(kind="component.create")
    step = creation.steps.get(n=1)
    assert (step.state, step.cause) == (PlanStep.State.WAITING, "suspended")
    assert "suspended" in step.reason
    assert Plan.objects.get(kind="suspension").state == Plan.State.DONE  # nobody there to lock
    back(town)
    work(town)
    component.refresh_from_db()
    assert component.state == Component.State.READY
    assert not town.things["sql_server.user:alice"].get("locked")


def test_a_suspension_makes_nobody_elses_account_ours(town: Town) -> None:
    """An account of that name that we did not make stays untaken, also after somebody was suspended and let back in."""
    alice = settled("alice", town)
    town.things["sql_server.user:alice"] = {"exists": True}
    component = make(alice, "sql_database", town)
    work(town)
    out(town)
    work(town)
    back(town)
    work(town)
    creation = Plan.objects.get(kind="component.create")
    actions.retry(creation, 1, actor=ROOT)
    work(town)
    component.refresh_from_db()
    assert component.state == Component.State.FAILED
    assert creation.steps.get(n=1).state == PlanStep.State.STUCK


def test_somebody_suspended_is_removed(town: Town) -> None:
    alice = settled("alice", town)
    make(alice, "sql_database", town)
    work(town)
    town.broken["sql_server"] = lambda verb: Unavailable("down", kind="x", doing=verb)
    suspension = out(town)
    work(town, turns=2)
    remove("alice", town)
    suspension.refresh_from_db()
    assert suspension.state == Plan.State.SUPERSEDED
    town.broken.clear()
    work(town)
    assert not town.named("alice")
    assert not Person.objects.filter(username="alice").exists()
    with pytest.raises(Person.DoesNotExist):
        back(town)


def test_nobody_suspends_himself_or_the_last_one(town: Town) -> None:
    with pytest.raises(Refused, match="himself"):
        suspend.suspend(ROOT, actor=ROOT, systems=town.systems())
    with pytest.raises(Refused, match="last active administrator"):
        suspend.suspend(ROOT, actor="command line", systems=town.systems())
