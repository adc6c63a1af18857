"""Browsers at a realm's pages before a recorded call: pages opened, forms sent, cookies kept, codes
brought back.
"""

import base64
import hashlib
import re
from collections.abc import Iterator
from urllib.parse import parse_qs, quote, urlencode, urlsplit

from tests.recorded.prior_state import Impossible
from tests.recorded.prior_state_keycloak_caller import (
    ACCOUNTS,
    BACK,
    ENDS,
    Prepare,
    account,
    asking_client,
    end,
    with_client,
)
from tests.recorded.prior_state_keycloak_realm import PASSWORD, RealmBefore, form
from tests.recorded.reading import Exchange
from tests.recorded.sending import Reply, Request, send

FORM = {"content-type": "application/x-www-form-urlencoded"}


OIDC = "protocol/openid-connect"


SOMEBODY = "bob"


def browsers(exchange: Exchange, *, posted: bool) -> Iterator[tuple[str, Prepare]]:
    if posted:
        for what in ACCOUNTS:
            yield f"the person {what}", _posted(exchange, what)
        yield "the page was never opened", with_client(exchange)
        return
    if "cookie" in exchange.headers:
        for what in ENDS:
            yield f"somebody {what}", with_cookies(exchange, what)
    yield "nobody has signed in", _without_cookies(exchange)
    yield "nothing is known", lambda before, request: request.header("cookie", None)
    for what, more in (
        ("the client has other addresses", {"address": "http://elsewhere.example/"}),
        ("nobody may sign in for the client", {"standardFlowEnabled": False}),
        ("the client wants a challenge", {"attributes": {"pkce.code.challenge.method": "S256"}}),
    ):
        yield what, with_client(exchange, **more)


def _without_cookies(exchange: Exchange) -> Prepare:
    def prepare(before: RealmBefore, request: Request) -> Request:
        asking_client(before, exchange)
        return request.header("cookie", None)

    return prepare


def _page(before: RealmBefore, url: str, client_id: str, back: str, **more: str) -> Reply:
    """Open the sign-in page."""
    asked = {
        "client_id": client_id,
        "response_type": "code",
        "scope": "openid",
        "redirect_uri": back,
        "state": "st",
        "nonce": "nn",
        **more,
    }
    return send(
        Request(url, "GET", f"/realms/{before.name}/{OIDC}/auth?{urlencode(asked)}", {}, b"")
    )


def _action(page: Reply) -> str:
    """Where the form of a sign-in page goes."""
    found = re.search(r'action="([^"]+)"', page.text)
    if found is None:
        raise Impossible
    parts = urlsplit(found[1].replace("&amp;", "&"))
    return f"{parts.path}?{parts.query}"


def _jar(*pages: Reply) -> str:
    cookies: dict[str, str] = {}
    for page in pages:
        cookies |= page.cookies()
    return "; ".join(f"{name}={value}" for name, value in cookies.items() if value)


def signed_in(
    before: RealmBefore, url: str, client_id: str, back: str, **more: str
) -> tuple[Reply, str]:
    """Sign somebody in with a browser; gives the answer to the form, and the browser's cookies."""
    page = _page(before, url, client_id, back, **more)
    typed = urlencode({"username": SOMEBODY, "password": PASSWORD}).encode()
    done = send(Request(url, "POST", _action(page), {**FORM, "cookie": _jar(page)}, typed))
    return done, _jar(page, done)


def _posted(exchange: Exchange, what: str) -> Prepare:
    def prepare(before: RealmBefore, request: Request) -> Request:
        sent = form(exchange)
        client = asking_client(before, exchange)
        account(before, sent.get("username", ""), sent.get("password", ""), what)
        page = _page(before, request.url, client["clientId"], client["redirectUris"][0])
        return request.with_(target=_action(page)).header("cookie", _jar(page))

    return prepare


def with_cookies(exchange: Exchange, what: str) -> Prepare:
    def prepare(before: RealmBefore, request: Request) -> Request:
        client = asking_client(before, exchange)
        user = before.person({"username": SOMEBODY}, password=PASSWORD)
        _, cookies = signed_in(before, request.url, client["clientId"], client["redirectUris"][0])
        end(before, user, client, what)
        return request.header("cookie", cookies)

    return prepare


CODES = (
    "is fresh",
    "was used",
    "is for another address",
    "is somebody else's",
    "was asked for with another proof",
)
"""What may be the matter with a code; somebody else's: another client's."""


def with_code(exchange: Exchange, how: str = CODES[0]) -> Prepare:
    """Somebody came back with a code."""

    def prepare(before: RealmBefore, request: Request) -> Request:
        sent = form(exchange)
        client = asking_client(before, exchange)
        before.person({"username": SOMEBODY}, password=PASSWORD)
        to = BACK if how == "is for another address" else sent.get("redirect_uri") or BACK
        proof = sent.get("code_verifier", "")
        if how == "is somebody else's":
            client = before.client("another", secret="s", redirectUris=[to])
        if how == "was asked for with another proof":
            proof = "another-proof-of-forty-three-characters-or-more"
        done, _ = signed_in(before, request.url, client["clientId"], to, **_challenge(proof))
        code = parse_qs(urlsplit(done.header("location") or "").query).get("code", [""])[0]
        if not code or not sent.get("code"):
            raise Impossible
        shown, ours = quote(sent["code"]).encode(), quote(code).encode()
        request = request.with_(body=request.body.replace(shown, ours))
        if how == "was used":
            send(request)
        return request

    return prepare


def _challenge(verifier: str) -> dict[str, str]:
    if not verifier:
        return {}
    digest = hashlib.sha256(verifier.encode()).digest()
    challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
    return {"code_challenge": challenge, "code_challenge_method": "S256"}
