"""Accounts of credentials, as the drive tells."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from workspace_manager.contract.answer import Answer
from workspace_manager.contract.errors import Invalid
from workspace_manager.contract.http import HttpClient, Token
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.drive.client.ocs import open_envelope, understand
from workspace_manager.systems.drive.messages import message

APP_PASSWORD = "drive.app_password"  # noqa: S105 - a kind, not a password
_MADE_THERE = re.compile(r"[A-Za-z0-9]{72}|[A-Za-z0-9]{5}(?:-[A-Za-z0-9]{5}){4}")
"""App passwords as the drive's interfaces make them, or its page."""
WHO = "/ocs/v2.php/cloud/user"


@dataclass(frozen=True)
class Account:
    """One account as the drive shows it. `backend`: `user_oidc`, `Database`, …; `enabled` None: not
    shown to the asker.
    """

    id: str
    backend: str
    enabled: bool | None
    groups: tuple[str, ...]


@dataclass(frozen=True)
class DescribedAccount:
    """An account with what the drive keeps of its person; nobody confirmed the address."""

    account: Account
    email: str
    full_name: str


def is_app_password(password: Secret) -> bool:
    """Recognised by its form: trying it as a token would show a real password to the service that
    checks the drive's tokens.
    """
    return bool(_MADE_THERE.fullmatch(password.reveal()))


def account_in(answer: Answer) -> Account:
    """Return the account that an answer shows. Raises what the answer means, Invalid for another
    shape.
    """
    return _account(answer, understand(answer).data)


def _account(answer: Answer, data: Any) -> Account:
    if not isinstance(data, dict) or not isinstance(data.get("id"), str) or not data["id"]:
        raise answer.error(Invalid, message("account_of_unknown_shape"))
    groups = data.get("groups")
    enabled = data.get("enabled")
    if not isinstance(enabled, bool | str | int | None):
        raise answer.error(Invalid, message("account_of_unknown_shape"))
    return Account(
        id=data["id"],
        backend=str(data.get("backend", "")),
        enabled=None if enabled is None else enabled in {True, "1", "true"},
        groups=tuple(str(group) for group in groups) if isinstance(groups, list) else (),
    )


def accounts_in(answer: Answer) -> list[DescribedAccount]:
    """Return the accounts that a page with details shows. One that is known there and read by no
    back-end any more is shown by its id alone. Raises what the answer means, Invalid for another
    shape.
    """
    data = understand(answer).data
    users = data.get("users") if isinstance(data, dict) else None
    if isinstance(users, dict):
        return [_read_described(answer, one, name) for name, one in users.items()]
    # An empty page is a list: PHP does not tell an empty object from one.
    if not isinstance(users, list):
        raise answer.error(Invalid, message("list_of_unknown_shape"))
    return [_read_described(answer, one) for one in users]


def _read_described(answer: Answer, shown: Any, name: str = "") -> DescribedAccount:
    """Read one account of a page. One of another shape is named by its key, so that the others are
    read.
    """
    try:
        account = _account(answer, shown)
    except Invalid:
        if not name:
            raise
        return DescribedAccount(Account(name, "", None, ()), "", "")
    return DescribedAccount(account, _text(shown.get("email")), _text(shown.get("displayname")))


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def ask_whose_credential(
    http: HttpClient, credential: Token, headers: Mapping[str, str] | None = None
) -> Answer:
    """Ask whose credential it is."""
    return http.send(
        "GET",
        WHO,
        doing=message("asking_whose_credential"),
        kind=APP_PASSWORD,
        params={"format": "json"},
        headers=headers,
        credential=credential,
    )


def is_nobody(answer: Answer) -> bool:
    """Return whether the drive itself says that a credential is nobody's: its own 401, not a
    proxy's.
    """
    envelope = open_envelope(answer) if answer.status == 401 else None
    return envelope is not None and envelope.code == 997


def find_credential_account(http: HttpClient, credential: Token) -> Account | None:
    """Return the account of a credential; None for the drive's own refusal. Another server's 401
    raises Denied.
    """
    answer = ask_whose_credential(http, credential)
    return None if is_nobody(answer) else account_in(answer)
