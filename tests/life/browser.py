"""A browser for tests without a window: keeps cookies, follows redirects, fills in the identity
provider's form.
"""

from typing import Any
from urllib.parse import urljoin

import httpx
from lxml import html


def document(text: str) -> html.HtmlElement:
    """A page, as a tree of HTML elements."""
    found = html.document_fromstring(text)
    assert isinstance(found, html.HtmlElement)
    return found


class Browser:
    """One person's browser."""

    def __init__(self) -> None:
        self.http = httpx.Client(
            follow_redirects=True,
            trust_env=False,
            event_hooks={"response": [self._relax]},
        )

    def _relax(self, _response: httpx.Response) -> None:
        """Send Secure cookies over plain http to loopback, as browsers do.

        See docs/systems/identity-provider.md#cookies.
        """
        for cookie in self.http.cookies.jar:
            cookie.secure = False

    def close(self) -> None:
        self.http.close()

    def get(self, url: str) -> httpx.Response:
        return self.http.get(url, headers={"Accept": "text/html"})

    def sign_in(self, url: str, username: str, password: str) -> httpx.Response:
        """Open a page that leads to the identity provider, fill in its form, and come back."""
        page = self.get(url)
        form = document(page.text).get_element_by_id("kc-form-login", None)
        if form is None:
            return page
        fields = {name: value or "" for name, value in form.form_values()}
        fields |= {"username": username, "password": password}
        return self.http.post(
            urljoin(str(page.url), form.action), data=fields, headers={"Accept": "text/html"}
        )

    def csrf(self, manager: str) -> dict[str, str]:
        """The header that unsafe calls with a session need."""
        for cookie in self.http.cookies.jar:
            if (
                cookie.name == "csrftoken"
                and cookie.domain.startswith("127.0.0.1")
                and cookie.value
            ):
                return {"X-CSRFToken": cookie.value, "Origin": manager, "Referer": f"{manager}/"}
        return {}

    def api(self, manager: str, method: str, path: str, body: Any = None) -> httpx.Response:
        """Call the REST API with the session."""
        return self.http.request(
            method,
            f"{manager}/api/v1{path}",
            json=body,
            headers=self.csrf(manager),
            follow_redirects=False,
        )
