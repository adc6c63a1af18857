"""Every call the manager makes to the drive, one method each; honest: a second delete raises
NotFound.

Version 2 paths, whose HTTP status tells the truth more often; version 1 answers are understood too.
A user's credential is always shown as `Bearer`, since a rejected bearer is never counted as a
brute-force attempt (docs/systems/drive.md#app-passwords,
docs/systems/drive.md#brute-force-protection); Basic is used where the drive insists on it, and a
refused pair is not sent again for a while.
"""

from dataclasses import dataclass
from typing import Any

import httpx

from workspace_manager.contract.answer import Answer, segment
from workspace_manager.contract.connector import CallPolicy
from workspace_manager.contract.errors import Denied, Invalid
from workspace_manager.contract.http import Basic, Credential, HttpClient, Token
from workspace_manager.contract.message import Message
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.drive.client.guard import OF_THIS_PROCESS, Guard, Refusals
from workspace_manager.systems.drive.client.login_flow import LoginFlows
from workspace_manager.systems.drive.client.ocs import open_envelope, understand
from workspace_manager.systems.drive.messages import message

ACCOUNT = "drive.account"
APP_PASSWORD = "drive.app_password"  # noqa: S105 - a kind, not a password
DELETE_S = 120.0
"""Seconds a deletion may take: the files go within the call (docs/systems/drive.md#accounts)."""


@dataclass(frozen=True)
class Account:
    """One account as the drive shows it. `backend`: `user_oidc`, `Database`, …; `enabled` None: not
    shown to the asker.
    """

    id: str
    backend: str
    enabled: bool | None
    groups: tuple[str, ...]


class DriveClient:
    """Speak to one drive. `admin` None: the administrator's methods raise Denied."""

    def __init__(
        self,
        base_url: str,
        *,
        admin: Basic | None = None,
        policy: CallPolicy | None = None,
        transport: httpx.BaseTransport | None = None,
        refusals: Refusals = OF_THIS_PROCESS,
    ) -> None:
        self.admin = admin
        self.refusals = refusals
        self.base_url = base_url.rstrip("/")
        self._http = HttpClient(
            base_url,
            system="drive",
            policy=policy,
            headers={"OCS-APIRequest": "true"},
            transport=transport,
        )
        self._browser = HttpClient(base_url, system="drive", policy=policy, transport=transport)
        self.login_flows = LoginFlows(self._http, self.base_url)

    # --- accounts, as administrator ---------------------------------------------------------------

    def user(self, account_id: str) -> Account:
        """Read one account. The id in the answer may differ in case: the drive ignores case. Raises
        NotFound.
        """
        doing = message("reading_account")
        path = f"/ocs/v2.php/cloud/users/{segment(account_id, kind=ACCOUNT, doing=doing)}"
        return _account(self._as_admin("GET", path, doing=doing))

    def delete_user(self, account_id: str) -> None:
        """Delete one account with its files and app passwords. Raises NotFound, or Conflict for our
        own account.
        """
        doing = message("deleting_account")
        path = f"/ocs/v2.php/cloud/users/{segment(account_id, kind=ACCOUNT, doing=doing)}"
        understand(self._as_admin("DELETE", path, doing=doing, answer_s=DELETE_S))

    def set_enabled(self, account_id: str, *, on: bool) -> None:
        """Enable or disable one account; its files, shares and app passwords stay. Raises Conflict
        for an unknown one and for our own.
        """
        doing = message("enabling_account" if on else "disabling_account")
        account = segment(account_id, kind=ACCOUNT, doing=doing)
        path = f"/ocs/v2.php/cloud/users/{account}/{'enable' if on else 'disable'}"
        understand(self._as_admin("PUT", path, doing=doing))

    def list_users(self, search: str = "", *, limit: int = 500, offset: int = 0) -> list[str]:
        """List account ids; `search` matches id, name and e-mail, any part, any case."""
        params = {"search": search, "limit": str(limit), "offset": str(offset)}
        answer = self._as_admin(
            "GET", "/ocs/v2.php/cloud/users", doing=message("listing_accounts"), params=params
        )
        data = understand(answer).data
        users = data.get("users") if isinstance(data, dict) else None
        if not isinstance(users, list | str):
            raise answer.error(Invalid, message("list_of_unknown_shape"))
        return [user for user in users if isinstance(user, str)] if isinstance(users, list) else []

    def whoami_admin(self) -> Account:
        """Ask who the configured administrator is. Raises Denied for a wrong password."""
        return _account(
            self._as_admin("GET", "/ocs/v2.php/cloud/user", doing=message("asking_who_we_are"))
        )

    def providers(self) -> list[dict[str, Any]]:
        """List the OpenID Connect providers and their settings (user_oidc 8.5 and later; else
        NotFound or Invalid).
        """
        answer = self._as_admin(
            "GET", "/ocs/v2.php/apps/user_oidc/api/v1/provider", doing=message("reading_providers")
        )
        data = understand(answer).data
        return [p for p in data if isinstance(p, dict)] if isinstance(data, list) else []

    def app_version(self, app: str) -> str:
        """Give the version of an installed app, or "" when the drive does not tell."""
        answer = self._as_admin(
            "GET", f"/ocs/v2.php/cloud/apps/{app}", doing=message("reading_version", app=app)
        )
        data = understand(answer).data
        return str(data.get("version", "")) if isinstance(data, dict) else ""

    # --- one person's credentials -----------------------------------------------------------------

    def whoami(self, bearer: Secret) -> Account | None:
        """Ask whose token or app password this is; None when the drive itself says that it is
        nobody's (401).

        With an OpenID Connect token this makes the account if there is none. A 401 that is not the
        drive's own raises Denied.
        """
        answer = self._http.send(
            "GET",
            "/ocs/v2.php/cloud/user",
            doing=message("asking_whose_credential"),
            kind=APP_PASSWORD,
            params={"format": "json"},
            credential=_bearer(bearer),
        )
        envelope = open_envelope(answer)
        if answer.status == 401 and envelope is not None and envelope.code == 997:
            return None
        return _account(answer)

    def create_app_password(self, bearer: Secret) -> Secret | None:
        """Make an app password with a person's token. Each call makes one more. None: not offered.

        Not offered is 403, 404 or an empty answer: some versions of the OpenID Connect app cannot
        (docs/systems/drive.md#app-passwords-with-a-bearer-token), and then the command-line tool
        can. Raises Denied for a rejected token.

        See docs/explanation/drive-connection.md#by-the-persons-token.
        """
        answer = self._http.send(
            "GET",
            "/ocs/v2.php/core/getapppassword",
            doing=message("making_app_password"),
            kind=APP_PASSWORD,
            params={"format": "json"},
            credential=_bearer(bearer),
        )
        envelope = open_envelope(answer)
        if answer.status == 404 or (envelope is not None and envelope.code in {403, 404, 998}):
            return None
        if answer.status in {200, 403} and not answer.content.strip():
            return None
        data = understand(answer).data
        password = data.get("apppassword") if isinstance(data, dict) else None
        return (
            Secret(password, name="app password")
            if isinstance(password, str) and password
            else None
        )

    def revoke_app_password(self, login_name: str, app_password: Secret) -> None:
        """Revoke an app password by showing it. Raises Denied when it does not authenticate: call
        only after it was seen alive.

        A failure here counts as a failed sign-in. A login name with a colon cannot be sent as
        Basic; then it goes as bearer.
        """
        credential: Credential = (
            _bearer(app_password) if ":" in login_name else Basic(login_name, app_password)
        )
        answer = self._send_once(
            "DELETE",
            "/ocs/v2.php/core/apppassword",
            doing=message("revoking_app_password"),
            kind=APP_PASSWORD,
            credential=credential,
        )
        understand(answer)

    # --- looks for the checks ---------------------------------------------------------------------

    def status(self) -> dict[str, Any]:
        """Read `status.php`: installed, maintenance, version. Answers during maintenance too."""
        answer = self._http.send(
            "GET", "/status.php", doing=message("reading_status"), anonymous=True
        )
        answer.raise_for_transient()
        document = answer.json()
        if not isinstance(document, dict) or "maintenance" not in document:
            raise answer.error(Invalid, message("not_the_drive"), advice=message("check_base_url"))
        return document

    def page(self, path: str) -> Answer:
        """Fetch a page as a browser without a session would; the checks read its status, location
        and text.
        """
        return self._browser.send(
            "GET",
            path,
            doing=message("fetching", path=path),
            headers={"Accept": "text/html"},
            anonymous=True,
        )

    # --- inside -----------------------------------------------------------------------------------

    def _as_admin(self, method: str, path: str, *, doing: Message, **more: Any) -> Answer:
        if self.admin is None:
            raise Denied(
                message("no_administrator"),
                kind=ACCOUNT,
                doing=doing,
                advice=message("set_administrator_credentials"),
            )
        params = {"format": "json", **more.pop("params", {})}
        return self._send_once(
            method, path, doing=doing, kind=ACCOUNT, credential=self.admin, params=params, **more
        )

    def _send_once(
        self,
        method: str,
        path: str,
        *,
        doing: Message,
        kind: str,
        credential: Credential,
        **more: Any,
    ) -> Answer:
        """Send with Basic unless this very pair was refused lately."""
        guard = Guard(self.base_url, credential, self.refusals)
        guard.refuse_again(kind=kind, doing=doing)
        more.setdefault("params", {"format": "json"})
        answer = self._http.send(
            method, path, doing=doing, kind=kind, credential=credential, **more
        )
        envelope = open_envelope(answer) if answer.status == 401 else None
        if envelope is not None and envelope.message == "Unauthorised":
            guard.note_refusal()
        return answer


def _bearer(secret: Secret) -> Token:
    return Token("Authorization", secret, scheme="Bearer")


def _account(answer: Answer) -> Account:
    data = understand(answer).data
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
