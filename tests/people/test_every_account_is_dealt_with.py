"""Every kind that holds a person's account is dealt with by a removal and a suspension, or its
system says in words why not.
"""

import pytest
from allauth.socialaccount.models import SocialAccount

from tests.fake_world.work import work
from tests.fake_world.world import World
from workspace_manager.contract.system import KindSpec
from workspace_manager.people.suspend import suspend
from workspace_manager.records.models import Account, Person, PlanChange
from workspace_manager.removal import build, step6_remove_triplestore_user
from workspace_manager.removal.approve import approve_removal
from workspace_manager.removal.draft import draft_removal
from workspace_manager.systems import registry

KINDS = [one for spec in registry().specs.values() for one in spec.kinds if one.holds_account]


@pytest.fixture
def recorded(alice: Person, ada: Person) -> Person:
    """Somebody with an account of every kind."""
    for kind in KINDS:
        system = kind.kind.partition(".")[0]
        Account.objects.create(
            system=system, kind=kind.kind, name=f"alice-{system}", username="alice", person=alice
        )
    SocialAccount.objects.create(
        user=alice, provider="identity_provider", uid="alice-identity_provider"
    )
    return alice


def test_there_is_such_a_kind_in_most_systems() -> None:
    assert len(KINDS) >= 6
    for kind in KINDS:
        for why in (kind.not_removed, kind.not_shut):
            assert why is None or len(why.english) > 40


@pytest.mark.django_db
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.kind)
def test_a_removal_deals_with_it(kind: KindSpec, recorded: Person, world: World) -> None:
    plan = draft_removal("alice", actor="ada", systems=world.systems())
    dealt_with = PlanChange.objects.filter(step__plan=plan, kind=kind.kind).exists()
    assert dealt_with is (kind.not_removed is None), (
        f"A removal {'plans' if dealt_with else 'does not plan'} to end {kind.kind}. "
        f"Let its step in `removal/` name the kind, or say in `KindSpec.not_removed` why it stays."
    )


@pytest.mark.django_db
def test_a_removal_deals_with_a_system_that_has_no_step_of_its_own(
    recorded: Person, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder in `systems/` is installed by being there; nobody has to remember a list."""
    left = [one for one in build.STEPS if one is not step6_remove_triplestore_user.step]
    monkeypatch.setattr(build, "STEPS", tuple(left))
    plan = draft_removal("alice", actor="ada", systems=world.systems())
    (step,) = plan.steps.filter(name="remove_triplestore_accounts")
    assert [change.name for change in step.changes.all()] == ["alice", "alice-triplestore"]


@pytest.mark.django_db
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.kind)
def test_a_suspension_deals_with_it(kind: KindSpec, recorded: Person, world: World) -> None:
    plan = suspend("alice", actor="ada", systems=world.systems())
    dealt_with = PlanChange.objects.filter(step__plan=plan, kind=kind.kind).exists()
    assert dealt_with is (kind.not_shut is None)


@pytest.mark.django_db
def test_accounts_nobody_knows_any_more_are_stuck_and_never_silent(
    recorded: Person, world: World
) -> None:
    Account.objects.create(
        system="pottery", kind="pottery.account", name="alice7", username="alice", person=recorded
    )
    plan = draft_removal("alice", actor="ada", systems=world.systems())
    steps = {step.n: step for step in plan.steps.all()}
    assert [step.name for step in plan.steps.order_by("n")][5:] == [
        "remove_triplestore_user",
        "remove_pottery_accounts",
        "delete_records",
    ]
    assert steps[8].needs == [5, 6, 7]
    (change,) = steps[7].changes.all()
    assert (change.kind, change.name) == ("pottery.account", "alice7")
    suspended = suspend("alice", actor="ada", systems=world.systems())
    assert "alice7" in str(suspended.document["by_hand"][0])


@pytest.mark.django_db(transaction=True)
def test_the_step_says_what_to_do_and_holds_the_records_back(alice: Person, ada: Person) -> None:
    world = World()
    Account.objects.create(
        system="pottery", kind="pottery.account", name="alice7", username="alice", person=alice
    )
    plan = draft_removal("alice", actor="ada", systems=world.systems())
    approve_removal(plan.id, digest=plan.digest, actor="ada", systems=world.systems())
    work(world)
    steps = {step.name: step for step in plan.steps.all()}
    stuck = steps["remove_pottery_accounts"]
    assert stuck.state == "stuck"
    assert "is no longer installed, but accounts are recorded there" in str(stuck.reason)
    assert "by hand" in str(stuck.advice)
    assert steps["delete_records"].state == "pending"
