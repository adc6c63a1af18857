"""The visit after a sign-in, a second window and the person's own click come together: each waits
for its turn, and what was issued is kept or revoked.
"""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from tests.drive_credentials.both import KEPT, NAME, SUB, TOKEN, Both
from workspace_manager.contract.errors import Conflict, Denied, Invalid, Unavailable
from workspace_manager.contract.message import quote_words
from workspace_manager.contract.secret import Secret
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.refusal import Refused, WrongAccount
from workspace_manager.drive_credentials import after_sign_in, connect, context, in_browser
from workspace_manager.records.models import (
    AuditEntry,
    DriveConnection,
    DriveFlow,
    Person,
    VaultEntry,
)
from workspace_sandbox.patience import PATIENCE_S


@pytest.mark.usefixtures("in_a_file", "patient")
def test_six_parallel_ensures_make_one_pair_and_none_is_refused(
    both: Both, systems: ConnectedSystems, mira: Person
) -> None:
    both.between = lambda: time.sleep(0.05)
    start = threading.Barrier(6)

    def ensure(_number: int) -> bool:
        try:
            start.wait()
            return connect.by_token(mira, systems, TOKEN).connected
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(ensure, range(6))) == [True] * 6
    assert both.living == {"made-0": SUB}
    assert both.attributes == {NAME: SUB, KEPT: "made-0"}


@pytest.mark.usefixtures("in_a_file", "patient")
def test_disconnecting_waits_for_the_visit_and_then_disconnects(
    both: Both, systems: ConnectedSystems, mira: Person
) -> None:
    inside = threading.Event()

    def between() -> None:
        inside.set()
        time.sleep(0.3)

    both.between = between
    after_sign_in.request_sync(mira, TOKEN, timezone.now() + timedelta(minutes=1))

    def visit() -> int:
        try:
            return after_sign_in.run_pending_syncs(systems)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        visiting = pool.submit(visit)
        assert inside.wait(PATIENCE_S)
        connect.end(mira, systems)
        assert visiting.result() == 1
    assert (both.living, both.attributes) == ({}, {})


@pytest.mark.django_db
def test_who_waited_too_long_reads_what_is_going_on_at_the_drive(
    both: Both, systems: ConnectedSystems, mira: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(context, "LONGEST_WAIT_S", 0.1)
    with (
        context.exclusive(context.context_of(mira, systems)),
        pytest.raises(Unavailable) as busy,
    ):
        connect.end(mira, systems)
    assert (busy.value.system, busy.value.retry_after) == ("drive", 2)
    assert "another window" in busy.value.detail


@pytest.mark.django_db
def test_a_granted_sign_in_is_taken_although_the_visit_came_first(
    both: Both, systems: ConnectedSystems, mira: Person
) -> None:
    in_browser.start(mira, systems)
    both.grant(SUB, "granted")
    connect.by_token(mira, systems, TOKEN)
    assert in_browser.poll(mira, systems)
    assert both.living == {"granted": SUB}, "what the visit made is revoked"
    assert both.attributes == {NAME: SUB, KEPT: "granted"}
    assert not VaultEntry.objects.exists()


@pytest.mark.django_db
def test_what_a_closed_page_was_granted_is_taken_by_the_worker(
    both: Both, systems: ConnectedSystems, mira: Person
) -> None:
    in_browser.start(mira, systems)
    both.grant(SUB, "granted")
    after_sign_in.settle(systems)
    assert both.attributes == {}, "its page may still ask"
    DriveFlow.objects.update(asked_at=timezone.now() - timedelta(minutes=1))
    after_sign_in.settle(systems)
    assert both.attributes == {NAME: SUB, KEPT: "granted"}
    assert in_browser.poll(mira, systems), "a page that asks late is told"


@pytest.mark.django_db
def test_a_sign_in_that_was_begun_again_is_taken_wherever_it_is_granted(
    both: Both, systems: ConnectedSystems, mira: Person
) -> None:
    in_browser.start(mira, systems)
    in_browser.start(mira, systems)
    both.grant(SUB, "first", flow=1)
    assert in_browser.poll(mira, systems)
    both.grant(SUB, "second", flow=2)
    assert in_browser.poll(mira, systems)
    assert (both.living, both.attributes[KEPT]) == ({"second": SUB}, "second")


@pytest.mark.django_db
def test_what_is_granted_after_disconnecting_is_revoked(
    both: Both, systems: ConnectedSystems, mira: Person
) -> None:
    in_browser.start(mira, systems)
    connect.end(mira, systems)
    both.grant(SUB, "granted")
    with pytest.raises(Refused):
        in_browser.poll(mira, systems)
    DriveFlow.objects.update(asked_at=timezone.now() - timedelta(minutes=1))
    after_sign_in.settle(systems)
    assert (both.living, both.attributes) == ({}, {})
    assert not DriveFlow.objects.exists()


@pytest.mark.django_db
def test_nobody_opens_sign_ins_without_end(systems: ConnectedSystems, mira: Person) -> None:
    for _ in range(in_browser.MOST_OPEN):
        in_browser.start(mira, systems)
    with pytest.raises(Refused, match="Too many"):
        in_browser.start(mira, systems)


@pytest.mark.django_db
@pytest.mark.parametrize("why", ["cannot be stored", "another account"])
def test_what_could_not_be_revoked_at_once_is_revoked_later(
    both: Both, systems: ConnectedSystems, mira: Person, why: str
) -> None:
    both.unrevocable = True
    if why == "cannot be stored":
        both.full = True
        with pytest.raises(Unavailable):
            connect.by_token(mira, systems, TOKEN)
    else:
        in_browser.start(mira, systems)
        both.grant("somebody else", "granted")
        with pytest.raises(WrongAccount):
            in_browser.poll(mira, systems)
    assert len(both.living) == 1
    VaultEntry.objects.update(created_at=timezone.now() - timedelta(minutes=10))
    after_sign_in.settle(systems)
    assert len(both.living) == 1, "the drive does not answer yet"
    both.unrevocable = False
    after_sign_in.settle(systems)
    assert (both.living, VaultEntry.objects.count()) == ({}, 0)
    assert AuditEntry.objects.filter(event="drive:unkept_revoked").count() == 1


@pytest.mark.django_db
@pytest.mark.parametrize("stored", [True, False])
def test_a_kill_between_issuing_and_keeping_leaves_nothing_unknown(
    both: Both, systems: ConnectedSystems, mira: Person, stored: bool
) -> None:
    """A kill after it was stored has to cost nobody the connection."""
    both.living["issued"] = SUB
    VaultEntry.objects.create(
        secret=Secret("issued"),
        issued_for=mira,
        created_at=timezone.now() - timedelta(minutes=10),
    )
    if stored:
        both.attributes |= {NAME: SUB, KEPT: "issued"}
    after_sign_in.settle(systems)
    assert (both.living == {"issued": SUB}) is stored
    assert not VaultEntry.objects.exists()


@pytest.mark.django_db
def test_what_was_issued_waits_for_the_end_of_a_suspension(
    both: Both, systems: ConnectedSystems, mira: Person
) -> None:
    """A disabled account refuses it like a dead one; afterwards it would open the drive unseen."""
    entry = VaultEntry.objects.create(
        secret=Secret("issued"), issued_for=mira, created_at=timezone.now() - timedelta(days=60)
    )
    account = mira.accounts.create(system="drive", kind="drive.account", name=SUB, username="mira")
    mira.accounts.update(locked_by_us=True)
    after_sign_in.settle(systems)
    assert VaultEntry.objects.get() == entry
    both.living["issued"] = SUB
    VaultEntry.objects.update(created_at=timezone.now() - timedelta(minutes=10))
    mira.accounts.filter(id=account.id).update(locked_by_us=False)
    after_sign_in.settle(systems)
    assert (both.living, VaultEntry.objects.count()) == ({}, 0)


@pytest.mark.django_db
def test_a_request_without_a_token_leaves_no_error_behind(
    both: Both, systems: ConnectedSystems, mira: Person
) -> None:
    said = connect.by_token(mira, systems, None)
    assert said.bearer_error is not None
    assert "in the browser" in said.bearer_error.english
    assert connect.status(mira, systems).bearer_error is None


NO = {
    "kind": "drive.app_password",
    "doing": quote_words("making"),
    "advice": quote_words("aud lacks it"),
}


@pytest.mark.django_db
@pytest.mark.parametrize("error", [Denied, Conflict, Invalid])
def test_a_refused_token_is_told_to_the_person_and_shown_to_administrators(
    both: Both,
    systems: ConnectedSystems,
    mira: Person,
    error: type[Denied],
    caplog: pytest.LogCaptureFixture,
) -> None:
    both.refuses = error(quote_words("occ and audiences"), **NO)  # type: ignore[arg-type]
    said = connect.by_token(mira, systems, TOKEN).bearer_error
    assert said is not None
    assert "aud" not in said.english.replace("audi", "")
    assert "occ" not in said.english
    assert connect.status(mira, systems).bearer_error == said
    entry = AuditEntry.objects.get(event="drive:token_not_taken")
    assert entry.details == {"why": "occ and audiences", "advice": "aud lacks it"}
    assert "aud lacks it" in caplog.text


@pytest.mark.django_db
def test_an_error_does_not_outlive_its_cause(
    both: Both, systems: ConnectedSystems, mira: Person
) -> None:
    both.refuses = Denied(quote_words("no"), **NO)  # type: ignore[arg-type]
    connect.by_token(mira, systems, TOKEN)
    after_sign_in.request_sync(mira, TOKEN, timezone.now() + timedelta(minutes=1))
    assert connect.status(mira, systems).bearer_error is None, "a new sign-in, a new token"
    connect.by_token(mira, systems, TOKEN)
    both.refuses = None
    assert connect.by_token(mira, systems, TOKEN).bearer_error is None
    assert DriveConnection.objects.get().bearer_error is None


@pytest.mark.django_db
def test_a_session_that_could_not_be_ended_is_said_by_hand_when_disconnecting(
    both: Both, systems: ConnectedSystems, mira: Person
) -> None:
    both.session_left, both.can_end = True, False
    connect.by_token(mira, systems, TOKEN)
    assert DriveConnection.objects.get().session_left
    said = connect.end(mira, systems).by_hand
    assert said is not None
    assert SUB in said.english
    both.session_left, both.can_end = True, True
    connect.by_token(mira, systems, TOKEN)
    assert connect.end(mira, systems).by_hand is None
    assert both.ended == 2


@pytest.mark.django_db
def test_a_name_in_another_case_is_told_as_such_and_revoked(
    both: Both, systems: ConnectedSystems, mira: Person
) -> None:
    """The app password would open the drive under the name as it was typed alone."""
    in_browser.start(mira, systems)
    both.grant(SUB.upper(), "granted")
    with pytest.raises(
        WrongAccount,
        match="different upper and lower case",
    ):
        in_browser.poll(mira, systems)
    assert (both.living, both.attributes) == ({}, {})


@pytest.mark.django_db
@pytest.mark.parametrize("when", ["start_login_flow", "poll_login_flow"])
def test_a_drive_that_allows_no_sign_in_in_the_browser_is_told_in_words(
    both: Both,
    systems: ConnectedSystems,
    mira: Person,
    monkeypatch: pytest.MonkeyPatch,
    when: str,
) -> None:
    """403 on a drive with single sign-on alone."""

    def forbidden(*_args: object) -> None:
        raise Denied(quote_words("403"), **NO)  # type: ignore[arg-type]

    if when == "poll_login_flow":
        in_browser.start(mira, systems)
    monkeypatch.setattr(both, when, forbidden)
    with pytest.raises(Refused, match="not allow connecting in the browser"):
        (in_browser.poll if when == "poll_login_flow" else in_browser.start)(mira, systems)
    assert not DriveFlow.objects.exists()


@pytest.mark.django_db
def test_a_sign_in_of_nobody_is_told_and_what_it_granted_is_revoked(
    both: Both, systems: ConnectedSystems, mira: Person
) -> None:
    in_browser.start(mira, systems)
    both.grant("", "granted")
    with pytest.raises(WrongAccount, match="does not recognise you by that sign-in, so nothing"):
        in_browser.poll(mira, systems)
    assert (both.living, both.attributes) == ({}, {})


@pytest.mark.django_db
@pytest.mark.parametrize("how", ["sign-in", "disconnect"])
def test_a_pair_that_was_refused_and_lives_again_is_revoked_when_it_is_dropped(
    both: Both,
    systems: ConnectedSystems,
    mira: Person,
    monkeypatch: pytest.MonkeyPatch,
    how: str,
) -> None:
    """A remembered refusal may be older than the account's coming back."""
    both.living["old"] = SUB
    both.attributes |= {NAME: SUB, KEPT: "old"}
    monkeypatch.setattr(both, "credentials_work", lambda *_: False)
    if how == "disconnect":
        connect.end(mira, systems)
    else:
        connect.by_token(mira, systems, TOKEN)
    assert "old" not in both.living


@pytest.mark.django_db
def test_anothers_pair_is_dropped_and_not_revoked(
    both: Both, systems: ConnectedSystems, mira: Person
) -> None:
    both.living["theirs"] = "somebody else"
    both.attributes |= {NAME: "somebody else", KEPT: "theirs"}
    connect.end(mira, systems)
    assert (both.living, both.attributes) == ({"theirs": "somebody else"}, {})


@pytest.mark.django_db
@pytest.mark.parametrize("how", ["token", "visit", "browser"])
def test_what_a_read_only_directory_cannot_store_is_told_and_lives_nowhere(
    both: Both, systems: ConnectedSystems, mira: Person, how: str
) -> None:
    both.read_only = True
    if how == "browser":
        in_browser.start(mira, systems)
        both.grant(SUB, "granted")
        with pytest.raises(Refused, match="The administrators have been notified"):
            in_browser.poll(mira, systems)
    elif how == "visit":
        after_sign_in.request_sync(mira, TOKEN, timezone.now() + timedelta(minutes=1))
        assert after_sign_in.run_pending_syncs(systems) == 1
    else:
        for _ in range(2):
            said = connect.by_token(mira, systems, TOKEN).bearer_error
            assert said
            assert "The administrators have been notified" in said.english
            assert connect.status(mira, systems).bearer_error == said
    assert (both.living, both.attributes) == ({}, {})
    entry = AuditEntry.objects.get(event="drive:not_stored")
    assert entry.details == {"why": "no", "advice": "set it to UNSYNCED"}
