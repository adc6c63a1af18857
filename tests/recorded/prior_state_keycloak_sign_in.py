"""Who had signed in before a recorded call to a realm's own addresses: passwords, tokens, and how
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
    asked_to_confirm,
    browsers,
    half_way,
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
    with_service,
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
        yield "the client has another secret", _other_secret(exchange, with_client(exchange))
        kept = _with_password(exchange, ACCOUNTS[0], directAccessGrantsEnabled=False)
        yield "the client may not ask for passwords", kept
    elif ending == "token" and sent.get("grant_type") == "authorization_code":
        for what in CODES:
            yield f"the code {what}", with_code(exchange, what)
        yield "the client has another secret", _other_secret(exchange, with_code(exchange))
        yield "the code is none", with_client(exchange)
    elif ending == "token" and sent.get("grant_type") == "client_credentials":
        yield "the client has an account", with_service(exchange)
        yield "the client has no account", with_client(exchange)
        yield "the client has another secret", _other_secret(exchange, with_service(exchange))
        yield "the client is another", lambda before, request: request
        yield "the client is public", with_client(exchange, publicClient=True)
    elif shown_token(exchange):
        for what in ENDS:
            yield f"somebody {what}", _with_token(exchange, what)
            yield (
                f"somebody {what}, at a client for others",
                _with_token(exchange, what, audience=True),
            )
        kept = _with_token(exchange, ENDS[0])
        yield "the client has another secret", _other_secret(exchange, kept)
    elif ending in {"auth", "authenticate"}:
        yield from browsers(exchange, posted=ending == "authenticate")
    elif ending == "required-action":
        for what in ("has a temporary password", "has no whole profile"):
            yield f"the person {what}", half_way(exchange, what)
    elif ending == "logout-confirm":
        yield "somebody was asked to confirm", asked_to_confirm(exchange)
        yield "nobody was asked", with_client(exchange)
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
        yield "the client has another secret", _other_secret(exchange, with_client(exchange))


def _with_password(exchange: Exchange, how: str, *, known: bool = True, **more: Any) -> Prepare:
    def prepare(before: RealmBefore, request: Request) -> Request:
        sent = form(exchange)
        if known and sent_form(exchange).get("client_id"):
            asking_client(before, exchange, **more)
        if before.name != "master" or sent.get("username") != "admin" or how != "is not there":
            account(before, sent.get("username", ""), sent.get("password", ""), how)
        return request

    return prepare


def _with_token(exchange: Exchange, what: str, *, audience: bool = False) -> Prepare:
    def prepare(before: RealmBefore, request: Request) -> Request:
        token, claims = shown_token(exchange), claims_shown(exchange)[0]
        shown = {"id": claims.get("sub") or "00000000-0000-4000-8000-000000000003"}
        user = before.person(shown, password=PASSWORD)
        if '"locale"' in exchange.text:
            user["attributes"]["locale"] = ["de"]
        told = _told_by_mappers(exchange)
        user["attributes"].update({name: ["x"] for name in told})
        own = str(claims.get("azp") or asking_id(exchange))
        caller = asking_client(before, exchange)
        holder = caller
        if own != caller["clientId"]:
            holder = before.client(own, secret="s", redirectUris=[BACK])
        holder.setdefault("protocolMappers", []).extend(_attribute(name) for name in told)
        if audience:
            holder["protocolMappers"] += [
                _audience(caller["clientId"]),
                _audience("https://drive.example"),
            ]
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


def _other_secret(exchange: Exchange, prepare: Prepare) -> Prepare:
    """As prepared, but the client's secret has changed since."""

    def changed(before: RealmBefore, request: Request) -> Request:
        request = prepare(before, request)
        client = before.realm.client_named(asking_id(exchange))
        if client is None or client.get("publicClient"):
            raise Impossible
        client["secret"] = "another secret"
        return request

    return changed


STANDARD = {
    *("sub", "name", "preferred_username", "given_name", "family_name", "email", "email_verified"),
    *("locale", "acr", "sid", "azp", "iss", "aud", "jti", "typ", "scope", "client_id", "username"),
    *("token_type", "auth_time", "session_state", "error", "error_description"),
}
"""What Keycloak tells of a person by itself, in words."""


def _told_by_mappers(exchange: Exchange) -> list[str]:
    """Attributes of the person that mappers of the client put into the answer."""
    shown = exchange.json()
    if not exchange.path.endswith(("/userinfo", "/introspect")) or not isinstance(shown, dict):
        return []
    return [
        name for name, value in shown.items() if isinstance(value, str) and name not in STANDARD
    ]


def _attribute(name: str) -> dict[str, Any]:
    config = {"user.attribute": name, "claim.name": name, "jsonType.label": "String"}
    told = ("access.token.claim", "id.token.claim", "userinfo.token.claim")
    return {
        "id": name,
        "name": name,
        "protocol": "openid-connect",
        "protocolMapper": "oidc-usermodel-attribute-mapper",
        "config": {**config, **dict.fromkeys((*told, "introspection.token.claim"), "true")},
    }


def _audience(client_id: str) -> dict[str, Any]:
    config = {
        "included.custom.audience": client_id,
        "access.token.claim": "true",
        "introspection.token.claim": "true",
    }
    return {
        "id": client_id,
        "name": client_id,
        "protocol": "openid-connect",
        "protocolMapper": "oidc-audience-mapper",
        "config": config,
    }


def _put(request: Request, token: str, ours: str) -> Request:
    """Show our token instead of the recorded one, wherever that was."""
    body = request.body.replace(token.encode(), ours.encode())
    target = request.target.replace(token, ours)
    request = request.with_(body=body, target=target)
    shown = request.headers.get("authorization", "")
    return request.header("authorization", shown.replace(token, ours)) if shown else request
