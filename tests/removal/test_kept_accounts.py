"""A removal shows accounts that existed before apart, ends their access and keeps them, unless an
administrator asked for their end.
"""

import pytest

from tests.fake_world.leaving import SUB, alice_with_everything
from tests.fake_world.work import work
from tests.fake_world.world import World
from workspace_manager.core.refusal import Refused
from workspace_manager.plan_kinds import view_plan
from workspace_manager.records.models import Account, Person, Plan, Tombstone
from workspace_manager.removal.approve import approve_removal
from workspace_manager.removal.draft import draft_removal

pytestmark = pytest.mark.django_db

KEPT = ("identity_provider.user", "drive.account", "sql_server.user", "triplestore.user")


@pytest.fixture
def alice(world: World) -> Person:
    """Alice, of whose accounts a take-over found those in four systems."""
    person = alice_with_everything(world)
    world.things["triplestore.user:alice"]["authorities"] = ["ROLE_USER", "WRITE_theirs"]
    Account.objects.create(
        system="drive", kind="drive.account", name=SUB, username="alice", person=person
    )
    assert Account.objects.filter(person=person, kind__in=KEPT).update(adopted=True) == 4
    return person


def removed(world: World, **more: bool) -> Plan:
    plan = draft_removal("alice", actor="root-admin", systems=world.systems(), **more)
    approve_removal(plan.id, digest=plan.digest, actor="root-admin", systems=world.systems())
    work(world)
    plan.refresh_from_db()
    assert plan.state == Plan.State.DONE
    return plan


def test_what_existed_before_is_shut_and_stays(world: World, alice: Person) -> None:
    plan = removed(world)
    assert not Person.objects.filter(username="alice").exists()
    assert world.things[f"identity_provider.user:{SUB}"]["enabled"] is False
    assert world.things[f"identity_provider.user:{SUB}"]["sessions"] == 0
    assert world.things[f"drive.account:{SUB}"]["enabled"] is False
    assert world.things["sql_server.user:alice"]["locked"] is True
    assert "triplestore.user:alice" in world.things
    assert world.things["triplestore.user:alice"]["authorities"] == ["ROLE_USER"]
    # What was made here goes as ever, and so does every credential that was stored.
    assert "sql_server.database:ws_alice" not in world.things
    assert f"drive.app_password:{SUB}" not in world.things
    assert world.things["notebook_hub.container:jupyter-alice"]["running"] is False
    ended = {one.credential: one.state for one in view_plan(plan).end_of_access}
    assert {ended[one] for one in ("password", "drive_session", "sql_password")} == {"ended"}
    assert Tombstone.objects.get(username="alice").sub == SUB


def test_the_preview_names_it_apart(world: World, alice: Person) -> None:
    plan = draft_removal("alice", actor="root-admin", systems=world.systems())
    remarks = [one for one in view_plan(plan).remarks if one.startswith("Taken over, kept:")]
    assert len(remarks) == len(KEPT)
    assert any("SQL server alice" in one for one in remarks), remarks


def test_it_goes_where_an_administrator_asks_for_that(world: World, alice: Person) -> None:
    plan = removed(world, remove_adopted=True)
    assert any("Taken over, deleted as requested:" in one for one in view_plan(plan).remarks)
    assert not [one for one in world.things if "alice" in one and "container" not in one]
    assert f"drive.account:{SUB}" not in world.things


def test_what_was_shown_as_kept_is_never_deleted_instead(world: World, alice: Person) -> None:
    plan = draft_removal("alice", actor="root-admin", systems=world.systems())
    Account.objects.filter(person=alice, kind="sql_server.user").update(adopted=False)
    with pytest.raises(Refused):
        approve_removal(plan.id, digest=plan.digest, actor="root-admin", systems=world.systems())
    plan.refresh_from_db()
    assert plan.state == Plan.State.STALE


def test_what_was_taken_over_after_the_preview_is_kept(world: World, alice: Person) -> None:
    Account.objects.filter(person=alice).update(adopted=False)
    plan = draft_removal("alice", actor="root-admin", systems=world.systems())
    Account.objects.filter(person=alice, kind="sql_server.user").update(adopted=True)
    approve_removal(plan.id, digest=plan.digest, actor="root-admin", systems=world.systems())
    work(world)
    plan.refresh_from_db()
    assert plan.state == Plan.State.DONE
    assert world.things["sql_server.user:alice"]["locked"] is True
    assert "triplestore.user:alice" not in world.things
