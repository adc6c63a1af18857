"""Accounts themselves say that they are ours and that we shut them: it is known when every plan is
forgotten.
"""

from typing import Any

import pytest

from tests.fake_world.people import make_person
from tests.fake_world.work import work
from tests.fake_world.world import World
from workspace_manager.contract.connector import UNKNOWN, Change
from workspace_manager.core.account_link import (
    locked_accounts,
    made_by_us,
    note_ended,
    note_sent,
    still_new,
)
from workspace_manager.people import suspend
from workspace_manager.records.models import Account, Person, Plan
from workspace_manager.work import components

pytestmark = pytest.mark.django_db(transaction=True)

KIND, SUB = "sql_server.user", "sub-of-mira"


@pytest.fixture
def mira(db: None) -> Person:
    make_person("root-admin", role="administrator")
    person = make_person("mira", sub=SUB)
    Account.objects.create(
        system="sql_server", kind=KIND, name="mira", username="mira", person=person
    )
    return person


def change(person: Person, after: Any, *, before: Any = None, new: bool = False) -> Change:
    return Change(
        kind=KIND,
        subject=str(person.id),
        target={"user": "mira"},
        before=before,
        after=after,
        new=new,
    )


def test_an_account_is_ours_from_the_call_that_makes_it_to_the_one_that_removes_it(
    mira: Person,
) -> None:
    making = change(mira, {"exists": True}, new=True)
    assert still_new(making).new
    assert not made_by_us(mira, KIND, "mira")
    note_sent(making)
    assert made_by_us(mira, KIND, "mira")
    assert not still_new(making).new
    note_sent(change(mira, None, before={"exists": True}))
    assert not made_by_us(mira, KIND, "mira")


def test_locking_what_bears_the_name_makes_it_nobodys(mira: Person) -> None:
    note_sent(change(mira, {"locked": True}, before={"exists": True, "locked": False}))
    note_ended(change(mira, {"exists": True, "locked": False}))
    assert not made_by_us(mira, KIND, "mira")


@pytest.mark.parametrize(
    ("before", "ours"),
    [({"locked": False}, True), ({"locked": True}, False), (UNKNOWN, True), (None, False)],
)
def test_only_what_was_open_was_shut_by_us(mira: Person, before: Any, ours: bool) -> None:
    note_sent(change(mira, {"locked": True}, before=before))
    assert ((KIND, "mira") in locked_accounts(mira)) is ours


def test_shut_already_by_an_earlier_suspension_it_stays_ours_to_open(mira: Person) -> None:
    note_sent(change(mira, {"locked": True}, before={"locked": False}))
    note_sent(change(mira, {"locked": True}, before={"locked": True}))
    assert locked_accounts(mira)
    note_ended(change(mira, {"exists": True, "locked": False}))
    assert not locked_accounts(mira)


def test_an_account_nobody_wrote_down_has_a_row_once_we_shut_it(mira: Person) -> None:
    Account.objects.filter(kind=KIND).delete()
    note_sent(change(mira, {"locked": True}, before={"locked": False}))
    assert (KIND, "mira") in locked_accounts(mira)


def test_somebody_elses_account_of_the_name_is_not_touched(mira: Person) -> None:
    other = make_person("other")
    Account.objects.filter(kind=KIND).update(person=other)
    note_sent(change(mira, {"locked": True}, before={"locked": False}))
    note_sent(change(mira, {"exists": True}, new=True))
    row = Account.objects.get(kind=KIND)
    assert (row.person, row.locked_by_us, row.made_by_us) == (other, False, False)


def test_everything_is_known_when_all_plans_are_forgotten(mira: Person, world: World) -> None:
    Account.objects.filter(kind=KIND).delete()
    user = f"identity_provider.user:{SUB}"
    world.things[user] = {"enabled": True, "sessions": 1}
    components.create(mira, kind="sql_database", label="Db", project=None, systems=world.systems())
    work(world)
    world.things[f"{KIND}:mira"] |= {"locked": False}
    suspend.suspend("mira", actor="root-admin", systems=world.systems())
    work(world)
    assert (world.things[user]["enabled"], world.things[f"{KIND}:mira"]["locked"]) == (False, True)
    Plan.objects.all().delete()
    suspend.resume("mira", actor="root-admin", systems=world.systems())
    work(world)
    assert (world.things[user]["enabled"], world.things[f"{KIND}:mira"]["locked"]) == (True, False)
    assert made_by_us(mira, KIND, "mira")
    assert not locked_accounts(mira)


def test_an_account_is_known_in_whatever_order_a_database_gives_its_target(mira: Person) -> None:
    """PostgreSQL keeps JSON by the length of its names: `sub` before `account_id`."""
    Account.objects.create(
        system="drive", kind="drive.account", name="d-1", username="mira", person=mira
    )
    for target in ({"account_id": "d-1", "sub": SUB}, {"sub": SUB, "account_id": "d-1"}):
        shutting = Change(
            kind="drive.account", subject=str(mira.id), target=target,
            after={"enabled": False}, before={"exists": True, "enabled": True},
        )  # fmt: skip
        note_sent(shutting)
        assert locked_accounts(mira) == {("drive.account", "d-1")}
        note_ended(shutting.model_copy(update={"after": {"enabled": True}}))
        assert not locked_accounts(mira)
