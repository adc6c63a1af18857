"""A sign-in through the drive's OpenID Connect app, as far as it goes without a person: to the
identity provider, and back with an invalid code.

The drive sends that code to the identity provider with its own client id and secret, and shows the
answer. Nobody is signed in, and nothing counts as a failed sign-in
(docs/systems/drive.md#signing-in-with-openid-connect).
"""

from urllib.parse import urlsplit

from workspace_manager.contract.answer import Answer
from workspace_manager.contract.cookies import Cookies
from workspace_manager.contract.http import HttpClient
from workspace_manager.systems.drive.messages import message

BEGIN, BACK = "/apps/user_oidc/login/", "/apps/user_oidc/code"
NO_CODE = "workspace-manager-check"
HTML = {"Accept": "text/html", "Accept-Language": "en"}


class SignIn:
    """One visit; its cookies are used for no other call."""

    def __init__(self, browser: HttpClient) -> None:
        self._browser = browser
        self._cookies = Cookies()

    def begin(self, number: str) -> Answer:
        """Return the drive's redirect for the provider with this number."""
        return self._ask(f"{BEGIN}{number}")

    def return_with(self, state: str) -> Answer:
        """Return the drive's answer to an invalid code."""
        return self._ask(BACK, state=state, code=NO_CODE)

    def open_provider(self, address: str) -> Answer:
        """Return the identity provider's page at the address of the drive's redirect."""
        where = urlsplit(address)
        origin = f"{where.scheme}://{where.netloc}"
        provider = HttpClient(origin, system="drive", policy=self._browser.policy)
        try:
            return provider.send(
                "GET",
                f"{where.path}?{where.query}",
                doing=message("trying_sign_in"),
                headers=HTML,
                anonymous=True,
            )
        finally:
            provider.close()

    def _ask(self, path: str, **params: str) -> Answer:
        answer = self._browser.send(
            "GET",
            path,
            doing=message("trying_sign_in"),
            params=params,
            headers={**HTML, **self._cookies.headers()},
            anonymous=True,
        )
        return self._cookies.keep(answer)
