"""The sign-ins before a recorded call to a realm's own addresses: passwords, tokens, and how
they ended.
"""

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

from tests.recorded.prior_state import Impossible
from tests.recorded.prior_state_keycloak_browser import (
    CODES,
    FORM,
    OIDC,
    browsers,
    with_code,
    with_cookies,
)
from tests.recorded.prior_state_keycloak_caller import (
    ACCOUNTS,
    BACK,
    ENDS,
    Prepare,
    account,
    asking_client,
    asking_id,
    claims_shown,
    end,
    sent_form,
    shown_token,
    with_client,
)
from tests.recorded.prior_state_keycloak_realm import PASSWORD, RealmBefore, form, query
from tests.recorded.reading import Exchange
from tests.recorded.sending import Request, send


def sign_ins(exchange: Exchange) -> Iterator[tuple[str, Prepare]]:
    """What may have gone before a call to a realm's own address, likely things first."""
    sent, asked = form(exchange), query(exchange)
    ending = exchange.path.rpartition("/")[2]
    if ending == "token" and sent.get("grant_type") == "password":
        for what in ACCOUNTS:
            yield f"the person {what}", _with_password(exchange, what)
        yield "the client is another", _with_password(exchange, ACCOUNTS[0], known=False)
        kept = _with_password(exchange, ACCOUNTS[0], directAccessGrantsEnabled=False)
        yield "the client may not ask for passwords", kept
    elif ending == "token" and sent.get("grant_type") == "authorization_code":
        for what in CODES:
            yield f"the code {what}", with_code(exchange, what)
        yield "the code is none", with_client(exchange)
    elif shown_token(exchange):
        for what in ENDS:
            yield f"somebody {what}", _with_token(exchange, what)
    elif ending in {"auth", "authenticate"}:
        yield from browsers(exchange, posted=ending == "authenticate")
    elif ending == "logout" and asked:
        yield "the client is known", with_client(exchange)
        if "cookie" in exchange.headers:
            yield "somebody signed in", with_cookies(exchange, ENDS[0])
        yield (
            "the client has other addresses",
            with_client(exchange, address="http://elsewhere.example/"),
        )
        yield "nothing in particular", lambda before, request: request
    else:
        yield "nothing in particular", with_client(exchange)


def _with_password(exchange: Exchange, how: str, *, known: bool = True, **more: Any) -> Prepare:
    def prepare(before: RealmBefore, request: Request) -> Request:
        sent = form(exchange)
        if known and sent_form(exchange).get("client_id"):
            asking_client(before, exchange, **more)
        if before.name != "master" or sent.get("username") != "admin" or how != "is not there":
            account(before, sent.get("username", ""), sent.get("password", ""), how)
        return request

    return prepare


def _with_token(exchange: Exchange, what: str) -> Prepare:
    def prepare(before: RealmBefore, request: Request) -> Request:
        token, claims = shown_token(exchange), claims_shown(exchange)[0]
        shown = {"id": claims.get("sub") or "00000000-0000-4000-8000-000000000003"}
        user = before.person(shown, password=PASSWORD)
        if '"locale"' in exchange.text:
            user["attributes"]["locale"] = ["de"]
        own = str(claims.get("azp") or asking_id(exchange))
        caller = asking_client(before, exchange)
        holder = caller
        if own != caller["clientId"]:
            holder = before.client(own, secret="s", redirectUris=[BACK])
        grant = {
            "grant_type": "password",
            "client_id": own,
            "client_secret": str(holder.get("secret", "")),
            "username": user["username"],
            "password": PASSWORD,
        }
        offline = " offline_access" if claims.get("typ") == "Offline" else ""
        plain = claims.get("typ") != "ID" and "openid" not in str(claims.get("scope", "openid"))
        if scope := f"{'' if plain else 'openid'}{offline}".strip():
            grant["scope"] = scope
        made = send(
            Request(
                request.url,
                "POST",
                f"/realms/{before.name}/{OIDC}/token",
                FORM,
                urlencode(grant).encode(),
            )
        )
        kinds = {"Refresh": "refresh_token", "Offline": "refresh_token", "ID": "id_token"}
        ours = (made.json() or {}).get(kinds.get(str(claims.get("typ")), "access_token"))
        if not isinstance(ours, str):
            raise Impossible
        end(before, user, holder, what)
        request = _put(request, token, ours)
        if what == "whose token was used up since":
            before.realm.settings["revokeRefreshToken"] = True
            send(request)
        return request

    return prepare


def _put(request: Request, token: str, ours: str) -> Request:
    """Show our token instead of the recorded one, wherever that was."""
    body = request.body.replace(token.encode(), ours.encode())
    target = request.target.replace(token, ours)
    request = request.with_(body=body, target=target)
    shown = request.headers.get("authorization", "")
    return request.header("authorization", shown.replace(token, ours)) if shown else request
