"""The time between making an app password and storing it, with the two systems in memory."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from tests.drive_credentials.both import KEPT, NAME, SUB, TOKEN, Both
from tests.fake_world.people import make_person
from tests.fake_world.world import World
from workspace_manager import worker
from workspace_manager.contract.errors import Unavailable
from workspace_manager.contract.message import quote_words
from workspace_manager.contract.secret import Secret
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.refusal import Refused, WrongAccount
from workspace_manager.drive_credentials import after_sign_in, connect, context, in_browser
from workspace_manager.drive_credentials.ensure import DriveCredentialState, look
from workspace_manager.records.models import (
    AuditEntry,
    DriveConnection,
    DriveFlow,
    Lock,
    Person,
    VaultEntry,
)
from workspace_manager.work import components

pytestmark = pytest.mark.django_db


def test_nothing_secret_stays_here(both: Both, systems: ConnectedSystems, mira: Person) -> None:
    assert connect.by_token(mira, systems, TOKEN).connected
    assert both.attributes == {NAME: SUB, KEPT: "made-0"}
    assert not VaultEntry.objects.exists()
    assert not Lock.objects.exists()
    assert mira.accounts.filter(kind="drive.account", name=SUB).exists()
    assert AuditEntry.objects.filter(event="drive:connected").exists()


def test_who_left_meanwhile_gets_nothing_and_what_was_made_is_revoked(
    both: Both, systems: ConnectedSystems, mira: Person
) -> None:
    both.between = lambda: Person.objects.update(state=Person.State.LEAVING)
    with pytest.raises(Refused):
        connect.by_token(mira, systems, TOKEN)
    assert (both.living, both.attributes) == ({}, {})
    assert not VaultEntry.objects.exists()


def test_what_cannot_be_stored_is_revoked(
    both: Both, systems: ConnectedSystems, mira: Person
) -> None:
    both.full = True
    with pytest.raises(Unavailable):
        connect.by_token(mira, systems, TOKEN)
    assert both.living == {}


def test_the_account_is_recorded_when_the_storing_of_its_pair_is_not_answered(
    both: Both, systems: ConnectedSystems, mira: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_answer(_change: Any) -> None:
        raise Unavailable(quote_words("no answer"), kind=both.kind, doing=quote_words("reading"))

    monkeypatch.setattr(both, "verify", no_answer)
    both.unrevocable = True
    with pytest.raises(Unavailable):
        connect.by_token(mira, systems, TOKEN)
    assert connect.status(mira, systems).connected
    assert mira.accounts.filter(kind="drive.account", name=SUB).exists()


def test_the_account_of_a_pair_that_somebody_else_stored_is_recorded(
    both: Both, systems: ConnectedSystems, mira: Person
) -> None:
    """An earlier release, or another installation of the manager."""
    both.attributes |= {NAME: SUB, KEPT: "p"}
    both.living |= {"p": SUB}
    assert connect.by_token(mira, systems, TOKEN).connected
    assert mira.accounts.filter(kind="drive.account", name=SUB).exists()


def test_who_is_leaving_keeps_what_the_removal_has_to_revoke(
    both: Both, systems: ConnectedSystems, mira: Person
) -> None:
    both.attributes |= {NAME: "somebody-else", KEPT: "x"}
    Person.objects.update(state=Person.State.LEAVING)
    with pytest.raises(Refused):
        connect.by_token(mira, systems, TOKEN)
    assert both.attributes == {NAME: "somebody-else", KEPT: "x"}


@pytest.mark.parametrize(
    ("stored", "living", "kept"),
    [
        ({NAME: SUB, KEPT: "p"}, {"p": SUB}, True),
        ({NAME: f"keycloak-{SUB}", KEPT: "p"}, {"p": f"keycloak-{SUB}"}, True),
        ({NAME: SUB, KEPT: "p"}, {}, False),
        ({NAME: SUB, KEPT: "p"}, {"p": "somebody else"}, False),
        ({NAME: "somebody else", KEPT: "p"}, {"p": "somebody else"}, False),
        ({KEPT: "p"}, {"p": SUB}, False),
        ({NAME: SUB}, {}, False),
    ],
    ids=["works", "legacy", "refused", "opens another", "another's name", "no name", "half"],
)
def test_a_visit_drops_what_is_of_no_use_and_nothing_else(
    both: Both,
    systems: ConnectedSystems,
    mira: Person,
    stored: dict[str, str],
    living: dict[str, str],
    kept: bool,
) -> None:
    both.attributes |= stored
    both.living |= living
    after_sign_in.request_sync(mira, TOKEN, timezone.now() + timedelta(minutes=1))
    assert after_sign_in.run_pending_syncs(systems) == 1
    assert (both.attributes == stored) is kept
    assert both.attributes[NAME] in {SUB, f"keycloak-{SUB}"}
    row = DriveConnection.objects.get()
    assert (row.token, row.sync_until) == (None, None)


def test_what_is_dropped_while_it_is_looked_at_is_absent(
    both: Both, systems: ConnectedSystems, mira: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seen on a real drive: the visit after a sign-in drops a stale pair between two looks."""
    both.attributes |= {NAME: SUB, KEPT: "made"}
    plan = both.plan

    def then_dropped(target: Any, want: Any) -> Any:
        change = plan(target, want)
        both.attributes.clear()
        return change

    monkeypatch.setattr(both, "plan", then_dropped)
    assert look(context.context_of(mira, systems)) == (DriveCredentialState.ABSENT, "")


def test_a_visit_waits_for_a_drive_that_is_down_until_the_token_has_ended(
    both: Both, systems: ConnectedSystems, mira: Person
) -> None:
    both.attributes |= {NAME: SUB, KEPT: "p"}
    both.down = True
    after_sign_in.request_sync(mira, TOKEN, timezone.now() + timedelta(minutes=1))
    assert after_sign_in.run_pending_syncs(systems) == 0
    assert both.attributes == {NAME: SUB, KEPT: "p"}
    assert DriveConnection.objects.get().token is not None
    DriveConnection.objects.update(sync_until=timezone.now() - timedelta(seconds=1))
    after_sign_in.run_pending_syncs(systems)
    assert DriveConnection.objects.get().token is None


def test_the_handle_of_a_sign_in_in_the_browser_is_used_once(
    both: Both, systems: ConnectedSystems, mira: Person
) -> None:
    in_browser.start(mira, systems)
    assert in_browser.poll(mira, systems) is False
    both.grant("somebody else", "theirs")
    with pytest.raises(WrongAccount):
        in_browser.poll(mira, systems)
    assert (both.living, both.attributes) == ({}, {})
    with pytest.raises(Refused):
        in_browser.poll(mira, systems)


def test_what_was_granted_is_revoked_when_the_former_credentials_cannot_be_looked_at(
    both: Both, systems: ConnectedSystems, mira: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is given once: kept by nobody, it would open the drive for ever."""
    connect.by_token(mira, systems, TOKEN)
    in_browser.start(mira, systems)
    both.grant(SUB, "granted")

    def down(*_args: object) -> bool:
        raise Unavailable(quote_words("no answer"), kind="drive", doing=quote_words("asking"))

    monkeypatch.setattr(both, "credentials_work", down)
    with pytest.raises(Unavailable):
        in_browser.poll(mira, systems)
    assert list(both.living) == ["made-0"]


def test_a_drive_that_a_suspension_still_shuts_costs_nobody_the_stored_pair(
    both: Both, systems: ConnectedSystems, mira: Person
) -> None:
    """A disabled account is answered like a wrong password, and the person may be back before the
    drive is.
    """
    connect.by_token(mira, systems, TOKEN)
    kept, living = dict(both.attributes), dict(both.living)
    mira.accounts.filter(kind="drive.account").update(locked_by_us=True)
    both.living.clear()
    for ask in (connect.status, lambda p, s: connect.by_token(p, s, TOKEN), connect.end):
        with pytest.raises(
            Unavailable, match=("the drive account is still disabled after the end of a suspension")
        ):
            ask(mira, systems)
    assert both.attributes == kept
    both.living |= living
    mira.accounts.filter(kind="drive.account").update(locked_by_us=False)
    assert connect.status(mira, systems).connected


def test_an_expired_flow_is_told(systems: ConnectedSystems, mira: Person) -> None:
    DriveFlow.objects.create(person=mira, handle=Secret("old"))
    with pytest.raises(Refused, match="took too long"):
        in_browser.poll(mira, systems)


def test_two_at_once_make_one(
    both: Both, systems: ConnectedSystems, mira: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(context, "LONGEST_WAIT_S", 0.2)

    def again() -> None:
        with pytest.raises(Unavailable):
            connect.by_token(mira, systems, TOKEN)

    both.between = again
    connect.by_token(mira, systems, TOKEN)
    assert len(both.living) == 1


def test_what_a_kill_left_in_the_vault_is_erased(world: World) -> None:
    """Not what is being stored at this moment, nor what a plan carries, however long it waits."""
    make_person("root-admin", sub="admin-sub", role="administrator")
    alice = make_person("alice", sub="sub-of-alice")
    _, plan = components.create(
        alice, kind="sql_database", label="Notes", project=None, systems=world.systems()
    )
    left, new = (VaultEntry.objects.create(secret=Secret("of the drive")) for _ in range(2))
    VaultEntry.objects.exclude(id=new.id).update(created_at=timezone.now() - timedelta(hours=2))
    carried = set(VaultEntry.objects.filter(plan=plan).values_list("id", flat=True))
    worker.visit_drives.call_local()
    assert carried
    assert set(VaultEntry.objects.values_list("id", flat=True)) == {new.id, *carried}
    assert left.id not in carried
