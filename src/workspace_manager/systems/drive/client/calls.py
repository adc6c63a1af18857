"""Every call of the manager to the drive, one method each. Honest: a second delete raises NotFound.

Version 2 paths are used, whose HTTP status is more often true; version 1 answers are understood,
too. A person's credential is always sent as `Bearer`: a rejected bearer never counts as a
brute-force attempt, and a block of our address does not stop it
(docs/systems/drive.md#app-passwords, docs/systems/drive.md#brute-force-protection). Only the
administrator's is sent as Basic. A refused pair is not sent again until it changes.
"""

from collections.abc import Mapping
from typing import Any

import httpx

from workspace_manager.contract.answer import Answer, segment
from workspace_manager.contract.connector import CallPolicy
from workspace_manager.contract.errors import Denied, Invalid
from workspace_manager.contract.http import Basic, HttpClient, Token
from workspace_manager.contract.message import Message
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.drive.client.credential_owner import (
    APP_PASSWORD,
    Account,
    DescribedAccount,
    account_in,
    accounts_in,
    find_credential_account,
    is_app_password,
)
from workspace_manager.systems.drive.client.guard import PROCESS_REFUSALS, Guard, Refusals
from workspace_manager.systems.drive.client.login_flow import LoginFlows
from workspace_manager.systems.drive.client.ocs import (
    open_envelope,
    refuse_untrusted,
    understand,
)
from workspace_manager.systems.drive.client.shares import Shares, shares_of
from workspace_manager.systems.drive.client.sign_in import SignIn
from workspace_manager.systems.drive.client.token_session import TokenSession
from workspace_manager.systems.drive.messages import message

ACCOUNT = "drive.account"
DELETE_S = 120.0
"""Seconds a deletion may take: the files are deleted within the call
(docs/systems/drive.md#accounts).
"""


class DriveClient:
    """The client of one drive. `admin` None: the administrator's methods raise Denied."""

    def __init__(
        self,
        base_url: str,
        *,
        admin: Basic | None = None,
        policy: CallPolicy | None = None,
        transport: httpx.BaseTransport | None = None,
        refusals: Refusals = PROCESS_REFUSALS,
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
        """Return an account. The id in the answer may differ in case: the drive ignores case.
        Raises NotFound.
        """
        doing = message("reading_account")
        path = f"/ocs/v2.php/cloud/users/{segment(account_id, kind=ACCOUNT, doing=doing)}"
        return account_in(self._as_admin("GET", path, doing=doing))

    def delete_user(self, account_id: str) -> None:
        """Delete an account with its files and app passwords. Raises NotFound, or Conflict for our
        own account.
        """
        doing = message("deleting_account")
        path = f"/ocs/v2.php/cloud/users/{segment(account_id, kind=ACCOUNT, doing=doing)}"
        understand(self._as_admin("DELETE", path, doing=doing, answer_s=DELETE_S))

    def set_enabled(self, account_id: str, *, on: bool) -> None:
        """Enable or disable an account; its files, shares and app passwords stay. Raises Conflict
        for an unknown account and for our own.
        """
        doing = message("enabling_account" if on else "disabling_account")
        account = segment(account_id, kind=ACCOUNT, doing=doing)
        path = f"/ocs/v2.php/cloud/users/{account}/{'enable' if on else 'disable'}"
        understand(self._as_admin("PUT", path, doing=doing))

    def list_users(
        self, search: str = "", *, limit: int | None = 500, offset: int = 0
    ) -> list[str]:
        """Return account ids. `search` matches any part of id, name and e-mail, in any case.
        `limit` None: all of them.
        """
        params = {"search": search, "offset": str(offset)}
        params |= {"limit": str(limit)} if limit is not None else {}
        answer = self._as_admin(
            "GET", "/ocs/v2.php/cloud/users", doing=message("listing_accounts"), params=params
        )
        data = understand(answer).data
        users = data.get("users") if isinstance(data, dict) else None
        if not isinstance(users, list | str):
            raise answer.error(Invalid, message("list_of_unknown_shape"))
        return [user for user in users if isinstance(user, str)] if isinstance(users, list) else []

    def described_users(self, *, limit: int, offset: int) -> list[DescribedAccount]:
        """Return a page of accounts with their details. Each back-end of the drive counts
        separately: a page may hold more than `limit`, or fewer with others after it.
        """
        params = {"limit": str(limit), "offset": str(offset)}
        path = "/ocs/v2.php/cloud/users/details"
        return accounts_in(
            self._as_admin("GET", path, doing=message("listing_accounts"), params=params)
        )

    def whoami_admin(self) -> Account:
        """Return the configured administrator's account. Raises Denied for a wrong password."""
        return account_in(
            self._as_admin("GET", "/ocs/v2.php/cloud/user", doing=message("asking_who_we_are"))
        )

    @property
    def admin_by_app_password(self) -> bool:
        """Return whether the administrator's credential is an app password instead of their own."""
        return self.admin is not None and is_app_password(self.admin.password)

    def providers(self) -> list[dict[str, Any]]:
        """Return the OpenID Connect providers with their settings (user_oidc 8.5 and later; else
        raises NotFound or Invalid).
        """
        answer = self._as_admin(
            "GET", "/ocs/v2.php/apps/user_oidc/api/v1/provider", doing=message("reading_providers")
        )
        data = understand(answer).data
        return [p for p in data if isinstance(p, dict)] if isinstance(data, list) else []

    def app_version(self, app: str) -> str:
        """Return the version of an installed app, or "" if the drive does not tell."""
        answer = self._as_admin(
            "GET", f"/ocs/v2.php/cloud/apps/{app}", doing=message("reading_version", app=app)
        )
        data = understand(answer).data
        return str(data.get("version", "")) if isinstance(data, dict) else ""

    # --- one person's credentials -----------------------------------------------------------------

    def whoami(self, app_password: Secret, login_name: str = "") -> Account | None:
        """Return the account of an app password; None if the drive itself says that it is nobody's
        (401).

        `login_name`: of the stored pair; a refused pair is not sent again until it changes. A 401
        of another server raises Denied.
        """
        pair = Basic(login_name, app_password) if login_name else None
        guard = Guard(self.base_url, pair, self.refusals)
        if guard.was_refused:
            return None
        account = find_credential_account(
            self._http, Token("Authorization", app_password, scheme="Bearer")
        )
        if account is None:
            guard.note_refusal()
        return account

    def with_token(self, bearer: Secret) -> TokenSession:
        """Return a session with a person's own token; the caller ends it."""
        return TokenSession(self._http, self._browser, bearer)

    def revoke_app_password(self, app_password: Secret) -> None:
        """Revoke an app password by sending it. Raises Denied if it authenticates nobody.

        It is sent as bearer: while our address is blocked, Basic is refused unread, and a revoked
        app password sent as Basic counts as a failed sign-in
        (docs/systems/drive.md#brute-force-protection).
        """
        answer = self._http.send(
            "DELETE",
            "/ocs/v2.php/core/apppassword",
            doing=message("revoking_app_password"),
            kind=APP_PASSWORD,
            params={"format": "json"},
            credential=Token("Authorization", app_password, scheme="Bearer"),
        )
        understand(answer)

    def shares_of(self, app_password: Secret) -> Shares:
        """Return counts of what an app password's account shares with others."""
        return shares_of(self._http, app_password)

    # --- for the checks ---------------------------------------------------------------------------

    def status(self) -> dict[str, Any]:
        """Return `status.php`: installed, maintenance, version. It answers during maintenance,
        too.
        """
        answer = self._http.send(
            "GET", "/status.php", doing=message("reading_status"), anonymous=True
        )
        answer.raise_for_transient()
        refuse_untrusted(answer)
        document = answer.json()
        if not isinstance(document, dict) or "maintenance" not in document:
            raise answer.error(Invalid, message("not_the_drive"), advice=message("check_base_url"))
        return document

    def capabilities(self) -> Mapping[str, Any]:
        """Return the drive's public capabilities by part."""
        answer = self._http.send(
            "GET",
            "/ocs/v2.php/cloud/capabilities",
            doing=message("reading_capabilities"),
            params={"format": "json"},
            anonymous=True,
        )
        data = understand(answer).data
        found = data.get("capabilities") if isinstance(data, dict) else None
        return found if isinstance(found, dict) else {}

    def page(self, path: str, **params: str) -> Answer:
        """Return a page as a browser without a session gets it; the checks read its status,
        location and text.
        """
        return self._browser.send(
            "GET",
            path,
            doing=message("fetching", path=path),
            params=params,
            headers={"Accept": "text/html"},
            anonymous=True,
        )

    def sign_in(self) -> SignIn:
        """Return a sign-in that begins like a browser's and returns with an invalid code."""
        return SignIn(self._browser)

    def before_app_passwords(self) -> Answer | None:
        """Return the answer of another server on the route that makes app passwords; None if the
        drive itself answers. The request has no credential: the drive refuses that and does not
        count it.
        """
        answer = self._http.send(
            "GET",
            "/ocs/v2.php/core/getapppassword",
            doing=message("looking_for_app_passwords"),
            kind=APP_PASSWORD,
            params={"format": "json"},
            anonymous=True,
        )
        answer.raise_for_transient()
        envelope = open_envelope(answer)
        return None if envelope is not None and envelope.code == 997 else answer

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
        credential: Basic,
        **more: Any,
    ) -> Answer:
        """Send with Basic, unless this very pair was refused before."""
        guard = Guard(self.base_url, credential, self.refusals)
        guard.refuse_again(kind=kind, doing=doing)
        answer = self._http.send(
            method, path, doing=doing, kind=kind, credential=credential, **more
        )
        envelope = open_envelope(answer) if answer.status == 401 else None
        if envelope is not None and envelope.message == "Unauthorised":
            guard.note_refusal()
        return answer
