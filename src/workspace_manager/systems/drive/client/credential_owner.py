"""Accounts of credentials, as the drive reports them."""

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
"""App passwords in the form of the drive's interfaces or of its page."""
WHO = "/ocs/v2.php/cloud/user"


@dataclass(frozen=True)
class Account:
    """An account as the drive shows it. `backend`: `user_oidc`, `Database`, …; `enabled` None: not
    shown to this caller.
    """

    id: str
    backend: str
    enabled: bool | None
    groups: tuple[str, ...]


@dataclass(frozen=True)
class DescribedAccount:
    """An account with the drive's data of its person; the address is unconfirmed."""

    account: Account
    email: str
    full_name: str


def is_app_password(password: Secret) -> bool:
    """Return whether a password has the form of an app password. Trying it as a token would send a
    real password to the service that checks the drive's tokens.
    """
    return bool(_MADE_THERE.fullmatch(password.reveal()))


def account_in(answer: Answer) -> Account:
    """Return the account of an answer. Raises the error of the answer, and Invalid for another
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
    """Return the accounts of a page with details. A known account that no back-end reads any more
    has only its id. Raises the error of the answer, and Invalid for another shape.
    """
    data = understand(answer).data
    users = data.get("users") if isinstance(data, dict) else None
    if isinstance(users, dict):
        return [_read_described(answer, one, name) for name, one in users.items()]
    # An empty page is a list: PHP does not tell an empty object from an empty list.
    if not isinstance(users, list):
        raise answer.error(Invalid, message("list_of_unknown_shape"))
    return [_read_described(answer, one) for one in users]


def _read_described(answer: Answer, shown: Any, name: str = "") -> DescribedAccount:
    """Return an account of a page. One of another shape is named by its key, so that it does not
    hide the others.
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
    """Request the account of a credential."""
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
    """Return whether the drive itself says that a credential is nobody's, by a 401 of its own and
    not of a proxy.
    """
    envelope = open_envelope(answer) if answer.status == 401 else None
    return envelope is not None and envelope.code == 997


def find_credential_account(http: HttpClient, credential: Token) -> Account | None:
    """Return the account of a credential; None for the drive's own refusal. Raises Denied for
    another server's 401.
    """
    answer = ask_whose_credential(http, credential)
    return None if is_nobody(answer) else account_in(answer)
