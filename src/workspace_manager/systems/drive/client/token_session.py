"""Calls with a person's own token at the drive, in one session, which is ended afterwards.

Every call with such a token opens a session there, which remains as a temporary token of the
account (docs/systems/drive.md#sessions-that-a-token-leaves). So the calls of one token share a
session: its cookies stay in this object and are used for no other call.
"""

from workspace_manager.contract.cookies import Cookies
from workspace_manager.contract.http import HttpClient, Token
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.drive.client.credential_owner import (
    APP_PASSWORD,
    Account,
    account_in,
    ask_whose_credential,
    is_nobody,
)
from workspace_manager.systems.drive.client.ocs import open_envelope, understand
from workspace_manager.systems.drive.messages import message

SIGN_OUT = "/apps/user_oidc/sls"


class TokenSession:
    """A session with the token of a person."""

    def __init__(self, http: HttpClient, browser: HttpClient, bearer: Secret) -> None:
        self._http = http
        self._browser = browser
        self._credential = Token("Authorization", bearer, scheme="Bearer")
        self._cookies = Cookies()

    def whoami(self) -> Account | None:
        """Return the account of the token; None if the drive itself says that it is nobody's (401).

        This makes the account if there is none. Raises Denied for a 401 of another server.
        """
        answer = self._cookies.keep(
            ask_whose_credential(self._http, self._credential, self._cookies.headers())
        )
        return None if is_nobody(answer) else account_in(answer)

    def create_app_password(self) -> Secret | None:
        """Make an app password; each call makes another one. Return None if that is not offered.

        A 403, a 404 or an empty answer means "not offered": some versions of the OpenID Connect app
        cannot make one (docs/systems/drive.md#app-passwords-with-a-bearer-token), but the
        command-line tool can. Raises Denied for a rejected token.

        See docs/explanation/drive-connection.md#by-the-persons-token.
        """
        answer = self._cookies.keep(
            self._http.send(
                "GET",
                "/ocs/v2.php/core/getapppassword",
                doing=message("making_app_password"),
                kind=APP_PASSWORD,
                params={"format": "json"},
                headers=self._cookies.headers(),
                credential=self._credential,
            )
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

    def end(self) -> bool:
        """End the session, if there is one; return whether none is left. Raises Unavailable if that
        cannot be read.

        The drive's page for signing out ends the session of the cookies; its redirect is not
        followed.
        """
        if not self._signed_in():
            return True
        self._browser.send(
            "GET",
            SIGN_OUT,
            doing=message("ending_session"),
            kind=APP_PASSWORD,
            headers={"Accept": "text/html", **self._cookies.headers()},
            anonymous=True,
        )
        return not self._signed_in()

    def _signed_in(self) -> bool:
        """Return whether the cookies open the account without the token."""
        if not self._cookies:
            return False
        answer = self._http.send(
            "GET",
            "/ocs/v2.php/cloud/user",
            doing=message("ending_session"),
            kind=APP_PASSWORD,
            params={"format": "json"},
            headers=self._cookies.headers(),
            anonymous=True,
        )
        return not is_nobody(answer)
