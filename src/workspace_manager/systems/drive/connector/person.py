"""The drive's part of a check as a person: whether it accepts the token, for whose account, and
whether it issues an app password.

The app password is revoked and the session ended before this returns; the account is removed with
the person.
"""

from collections.abc import Iterator
from typing import cast

from workspace_manager.contract.connector import Finding, System
from workspace_manager.contract.errors import ConnectorError
from workspace_manager.contract.person_trial import TrialResult, Visitor
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.drive.checks_finding import FAILING, OK, WARNING, finding
from workspace_manager.systems.drive.client import ACCOUNT, Account, DriveClient, TokenSession
from workspace_manager.systems.drive.connector import Drive
from workspace_manager.systems.drive.messages import message

TOKEN, PASSWORD = message("check_person_token"), message("check_person_app_password")


def with_token_of(system: System, visitor: Visitor) -> TrialResult:
    """Try the token of a temporary person. Raises the five errors.

    An account with an unexpected name belongs to the person only if it did not exist before: the
    token may open somebody else's.
    """
    drive = cast(Drive, system)
    if not drive.settings.use_bearer_token:
        return TrialResult()
    before = set(drive.client.list_users(limit=None))
    session = drive.client.with_token(visitor.token)
    opened = session.whoami()
    came = () if opened is None or opened.id in before else (opened.id,)
    return TrialResult(tuple(_account_finding(drive, session, opened, visitor)), {ACCOUNT: came})


def _account_finding(
    drive: Drive, session: TokenSession, opened: Account | None, visitor: Visitor
) -> list[Finding]:
    try:
        found = list(_try_token(drive, session, opened, visitor))
    except ConnectorError as error:
        found = [finding(PASSWORD, FAILING, error.in_full, error.advice_message)]
    if session.end() or drive.end_sessions(visitor.sub):
        return found
    left = message("person_session_left")
    return [*found, finding(TOKEN, WARNING, left, message("person_session_left.remedy"))]


def _try_token(
    drive: Drive, session: TokenSession, account: Account | None, visitor: Visitor
) -> Iterator[Finding]:
    if account is None:
        text, remedy = message("person_token_refused"), message("person_token_refused.remedy")
        yield finding(TOKEN, FAILING, text, remedy, (PASSWORD.code,))
        return
    ours = drive.account_ids(visitor.sub)
    if account.id not in ours:
        text = message("person_other_account", there=account.id[:100], wanted=" / ".join(ours))
        yield finding(TOKEN, FAILING, text, message("person_other_account.remedy"))
    else:
        yield finding(TOKEN, OK, message("person_token_taken", account=account.id))
    app_password = session.create_app_password()
    if app_password is None:
        by_hand = drive.has_command_line
        text = message("person_no_app_password_fallback" if by_hand else "person_no_app_password")
        remedy = message("update_app_or_name_container")
        yield finding(PASSWORD, WARNING if by_hand else FAILING, text, remedy)
        return
    yield from _used_and_revoked(drive.client, app_password, account.id)


def _used_and_revoked(
    client: DriveClient, app_password: Secret, account_id: str
) -> Iterator[Finding]:
    """Yield whether the app password opens the account until it is revoked, and nothing
    afterwards.
    """
    opened = client.whoami(app_password)
    client.revoke_app_password(app_password)
    if opened is None or opened.id != account_id:
        text = message("person_app_password_useless")
        yield finding(PASSWORD, FAILING, text, message("person_app_password_useless.remedy"))
    elif client.whoami(app_password) is not None:
        text = message("person_app_password_lives")
        yield finding(PASSWORD, FAILING, text, message("person_app_password_lives.remedy"))
    else:
        yield finding(PASSWORD, OK, message("person_app_password_works"))
