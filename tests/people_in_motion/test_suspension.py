"""Suspended and let back in: what was open is shut, and exactly that is opened again."""

import pytest

from tests.fake_world.identities import WorldWithIdentities
from tests.fake_world.work import work, work_now
from tests.people_in_motion.people import ROOT, administrator, claims, make, remove, settle_person
from workspace_manager.access import tokens
from workspace_manager.contract.errors import Unavailable
from workspace_manager.contract.message import quote_words
from workspace_manager.core.refusal import Forbidden, Refused
from workspace_manager.engine import actions
from workspace_manager.people import admit as first_login
from workspace_manager.people import suspend
from workspace_manager.records.models import Component, Person, Plan, PlanStep

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def world() -> WorldWithIdentities:
    administrator()
    return WorldWithIdentities()


def out(world: WorldWithIdentities) -> Plan:
    return suspend.suspend("alice", actor=ROOT, systems=world.systems())


def back(world: WorldWithIdentities) -> Plan:
    return suspend.resume("alice", actor=ROOT, systems=world.systems())


def user(world: WorldWithIdentities) -> dict[str, object]:
    return next(iter(world.users("alice").values()))


def test_everything_is_shut_and_opened_again(world: WorldWithIdentities) -> None:
    alice = settle_person("alice", world)
    make(alice, "sql_database", world)
    work(world)
    world.things["notebook_hub.container:jupyter-alice"] = {"running": True}
    user(world)["sessions"] = 2
    _, clear = tokens.create(alice, name="laptop", actor="alice")
    out(world)
    work(world)
    assert (user(world)["enabled"], user(world)["sessions"]) == (False, 0)
    assert world.things["sql_server.user:alice"]["locked"] is True
    assert world.things["notebook_hub.container:jupyter-alice"] == {"running": False}
    assert tokens.find_token(clear) is None
    with pytest.raises(Forbidden, match="suspended"):
        first_login.admit(claims("alice", str(user(world)["sub"])), admit_unregistered=False)
    back(world)
    work(world)
    assert user(world)["enabled"] is True
    assert world.things["sql_server.user:alice"]["locked"] is False
    assert world.things["notebook_hub.container:jupyter-alice"] == {"running": False}
    assert tokens.find_token(clear) is None  # tokens end for good


def test_what_was_shut_before_stays_shut(world: WorldWithIdentities) -> None:
    settle_person("alice", world)
    user(world)["enabled"] = False  # by somebody in the identity provider itself
    out(world)
    work(world)
    back(world)
    work(world)
    assert user(world)["enabled"] is False


def test_an_undoing_that_never_ran_is_made_up_for(world: WorldWithIdentities) -> None:
    """Suspended, resumed, suspended again before the first undoing ran, and resumed: everything is
    open as at first.
    """
    settle_person("alice", world)
    out(world)
    work(world)
    world.broken["identity_provider"] = lambda verb: Unavailable(
        quote_words("down"), kind="x", doing=quote_words(verb)
    )
    first = back(world)
    work(world, turns=2)
    out(world)
    first.refresh_from_db()
    assert first.state == Plan.State.SUPERSEDED
    world.broken.clear()
    work(world)
    assert user(world)["enabled"] is False
    back(world)
    work(world)
    assert user(world)["enabled"] is True


def test_what_is_being_made_waits_for_the_return(world: WorldWithIdentities) -> None:
    alice = settle_person("alice", world)
    world.broken["sql_server"] = lambda verb: Unavailable(
        quote_words("down"), kind="x", doing=quote_words(verb)
    )
    component = make(alice, "sql_database", world)
    work(world, turns=2)
    out(world)
    world.broken.clear()
    work(world)
    assert "sql_server.user:alice" not in world.things
    creation = Plan.objects.get(kind="component.create")
    step = creation.steps.get(n=1)
    assert (step.state, step.cause) == (PlanStep.State.WAITING, "suspended")
    assert "suspended" in str(step.reason)
    assert Plan.objects.get(kind="suspension").state == Plan.State.DONE  # nobody there to lock
    back(world)
    work(world)
    component.refresh_from_db()
    assert component.state == Component.State.READY
    assert not world.things["sql_server.user:alice"].get("locked")


def test_a_suspension_makes_nobody_elses_account_ours(world: WorldWithIdentities) -> None:
    """An account of that name that we did not make stays untaken, also after somebody was suspended
    and let back in.
    """
    alice = settle_person("alice", world)
    world.things["sql_server.user:alice"] = {"exists": True}
    component = make(alice, "sql_database", world)
    work(world)
    out(world)
    work(world)
    back(world)
    work(world)
    creation = Plan.objects.get(kind="component.create")
    actions.retry(creation, 1, actor=ROOT)
    work(world)
    component.refresh_from_db()
    assert component.state == Component.State.FAILED
    assert creation.steps.get(n=1).state == PlanStep.State.STUCK


def test_somebody_suspended_is_removed(world: WorldWithIdentities) -> None:
    alice = settle_person("alice", world)
    make(alice, "sql_database", world)
    work(world)
    world.broken["sql_server"] = lambda verb: Unavailable(
        quote_words("down"), kind="x", doing=quote_words(verb)
    )
    suspension = out(world)
    work(world, turns=2)
    remove("alice", world)
    suspension.refresh_from_db()
    assert suspension.state == Plan.State.SUPERSEDED
    world.broken.clear()
    work(world)
    assert not world.named("alice")
    assert not Person.objects.filter(username="alice").exists()
    with pytest.raises(Person.DoesNotExist):
        back(world)


def test_you_cannot_suspend_yourself_or_the_last_one(world: WorldWithIdentities) -> None:
    with pytest.raises(Refused, match="your own account"):
        suspend.suspend(ROOT, actor=ROOT, systems=world.systems())
    with pytest.raises(Refused, match="last active administrator"):
        suspend.suspend(ROOT, actor="command line", systems=world.systems())


def test_the_block_stands_until_the_suspension_is_done(world: WorldWithIdentities) -> None:
    alice = settle_person("alice", world)
    make(alice, "sql_database", world)
    work(world)
    world.broken["sql_server"] = lambda verb: Unavailable(
        quote_words("down"), kind="sql_server", doing=quote_words(verb)
    )
    plan = out(world)
    work(world, turns=1)
    user(world)["enabled"] = True
    work(world, turns=1)
    assert user(world)["enabled"] is False
    plan.refresh_from_db()
    assert plan.state == Plan.State.WAITING
    assert any(
        "during the suspension. It was blocked again." in str(text) for text in plan.findings
    )
    world.broken.clear()
    work(world)
    user(world)["enabled"] = True
    work(world)
    assert user(world)["enabled"] is True


def test_a_resumption_waits_for_the_suspension_s_call_until_it_is_answered_and_no_longer(
    world: WorldWithIdentities,
) -> None:
    """The database user is locked while an administrator already lets somebody back in: the step
    that unlocks it waits for that call, not for the time it might have taken.
    """
    make(settle_person("alice", world), "sql_database", world)
    work(world)
    plans: list[Plan] = []

    def resume_meanwhile(system: str, verb: str) -> None:
        if (system, verb) == ("sql_server", "apply") and not plans:
            plans.append(back(world))
            assert plans[0].steps.get(cause="under_way").system == "sql_server"

    world.call = resume_meanwhile  # type: ignore[method-assign]
    out(world)
    work_now(world)
    work_now(world)
    plans[0].refresh_from_db()
    assert plans[0].state == Plan.State.DONE
    assert world.things["sql_server.user:alice"]["locked"] is False


def test_a_resumption_waits_on_while_another_call_to_that_system_is_under_way(
    world: WorldWithIdentities,
) -> None:
    """It is not known of a call that gives no answer whether it has ended."""
    make(settle_person("alice", world), "sql_database", world)
    work(world)
    world.slow.add(("sql_server.user", "apply"))
    out(world)
    work_now(world)
    world.slow.clear()
    again = back(world)
    work_now(world)
    assert again.steps.get(cause="under_way").system == "sql_server"
    world.effects_come()
    work(world)
    assert world.things["sql_server.user:alice"]["locked"] is False
