"""Who had signed in before a recorded call to a realm's own addresses: tokens, codes, browsers with their cookies, and how they ended."""

import base64
import hashlib
import json
import re
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias
from urllib.parse import parse_qs, quote, unquote_plus, urlencode, urlsplit

from tests.recorded.reading import Exchange
from tests.recorded.realm_before import PASSWORD, RealmBefore, form, query
from tests.recorded.sending import Reply, Request, send
from workspace_manager.contract.stand_in import now_ms
from workspace_manager.systems.identity_provider.emulator import sessions

Prepare: TypeAlias = Callable[[RealmBefore, Request], Request]
FORM = {"content-type": "application/x-www-form-urlencoded"}
OIDC = "protocol/openid-connect"
SOMEBODY = "bob"
BACK = "http://127.0.0.1:9/cb"
ENDS = (
    "signed in",
    "disabled since",
    "signed out since",
    "deleted since",
    "whose client lost the session since",
)
"""What may have become of somebody who had signed in."""
ACCOUNTS = (
    "has this password",
    "has another password",
    "is disabled",
    "has a temporary password",
    "has no whole profile",
    "is locked",
    "is not there",
)


def sign_ins(exchange: Exchange) -> Iterator[tuple[str, Prepare]]:
    """What may have gone before a call to a realm's own address, likely things first."""
    sent, asked = form(exchange), query(exchange)
    ending = exchange.path.rpartition("/")[2]
    if ending == "token" and sent.get("grant_type") == "password":
        for what in ACCOUNTS:
            yield f"the person {what}", _with_password(exchange, what)
        yield "the client is another", _with_password(exchange, ACCOUNTS[0], known=False)
    elif ending == "token" and sent.get("grant_type") == "authorization_code":
        yield "the code is fresh", _with_code(exchange)
        yield "the code was used", _with_code(exchange, used=True)
        yield "the code is none", _with_client(exchange)
    elif ending == "token" and sent.get("grant_type") == "client_credentials":
        yield "the client has an account", _with_service(exchange)
        yield "the client has no account", _with_client(exchange)
    elif _shown_token(exchange):
        for what in ENDS:
            yield f"somebody {what}", _with_token(exchange, what)
            yield (
                f"somebody {what}, at a client for others",
                _with_token(exchange, what, audience=True),
            )
    elif ending in {"auth", "authenticate"}:
        yield from _browsers(exchange, posted=ending == "authenticate")
    elif ending == "required-action":
        for what in ("has a temporary password", "has no whole profile"):
            yield f"the person {what}", _half_way(exchange, what)
    elif ending == "logout" and asked:
        yield "the client is known", _with_client(exchange)
        yield (
            "the client has other addresses",
            _with_client(exchange, address="http://elsewhere.example/"),
        )
        yield "nothing in particular", lambda before, request: request
    else:
        yield "nothing in particular", _with_client(exchange)


# --- clients ----------------------------------------------------------------------------------------------------------------


def _sent(exchange: Exchange) -> dict[str, str]:
    """The form, with the client's id and secret in it also where they were shown in a header."""
    scheme, _, value = exchange.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "basic":
        return form(exchange)
    name, _, secret = base64.b64decode(value + "===").decode(errors="replace").partition(":")
    shown = {"client_id": unquote_plus(name), "client_secret": unquote_plus(secret)}
    return {**form(exchange), **shown}


def _client_id(exchange: Exchange) -> str:
    sent, asked = _sent(exchange), query(exchange)
    claims = next(iter(_claims(exchange)), {})
    return str(sent.get("client_id") or asked.get("client_id") or claims.get("azp") or "drive")


def _client(
    before: RealmBefore, exchange: Exchange, *, address: str = "", **more: Any
) -> dict[str, Any]:
    """The client that is named, with the secret it shows and the addresses it asks for."""
    sent, asked = _sent(exchange), query(exchange)
    wanted = [
        sent.get("redirect_uri"),
        asked.get("redirect_uri"),
        asked.get("post_logout_redirect_uri"),
    ]
    wanted += [_client_data(exchange).get("ru")]
    back = [address] if address else [*filter(None, wanted), BACK]
    client_id = _client_id(exchange)
    known = before.realm.client_named(client_id)
    if known is not None and known.get("publicClient"):
        return known
    secret = sent.get("client_secret") or "s"
    if known is not None and sent.get("token"):
        secret = str(known.get("secret"))
    more.setdefault("fullScopeAllowed", True)
    return before.client(client_id, redirectUris=back, secret=secret, **more)


def _with_client(exchange: Exchange, *, address: str = "") -> Prepare:
    def prepare(before: RealmBefore, request: Request) -> Request:
        _client(before, exchange, address=address)
        return request

    return prepare


def _with_service(exchange: Exchange) -> Prepare:
    def prepare(before: RealmBefore, request: Request) -> Request:
        before.service_account(_client_id(exchange), "")
        _client(before, exchange)
        return request

    return prepare


# --- passwords --------------------------------------------------------------------------------------------------------------


def _account(before: RealmBefore, name: str, password: str, how: str) -> None:
    """Have somebody in this condition."""
    if how == "is not there" or not name:
        return
    bare = how == "has no whole profile"
    shown = {"username": name, **({"id": "00000000-0000-4000-8000-000000000002"} if bare else {})}
    kept = PASSWORD if how == "has another password" else password or PASSWORD
    user = before.person(shown, password=kept)
    if how == "is disabled":
        user["enabled"] = False
    if how == "has a temporary password":
        user["requiredActions"] = ["UPDATE_PASSWORD"]
    if how == "is locked":
        before.realm.settings["bruteForceProtected"] = True
        before.realm.data["failures"][user["id"]] = {
            "numFailures": 2,
            "lastFailure": now_ms(),
            "failedLoginNotBefore": sessions.seconds() + 60,
        }


def _with_password(exchange: Exchange, how: str, *, known: bool = True) -> Prepare:
    def prepare(before: RealmBefore, request: Request) -> Request:
        sent = form(exchange)
        if known and sent.get("client_id"):
            _client(before, exchange)
        if before.name != "master" or sent.get("username") != "admin" or how != "is not there":
            _account(before, sent.get("username", ""), sent.get("password", ""), how)
        return request

    return prepare


# --- tokens -----------------------------------------------------------------------------------------------------------------


def _shown_token(exchange: Exchange) -> str:
    """The token that is shown, whose claims are known."""
    sent, asked = form(exchange), query(exchange)
    shown = [exchange.headers.get("authorization", "").partition(" ")[2]]
    shown += [sent.get(name, "") for name in ("refresh_token", "token", "access_token")]
    shown += [asked.get("id_token_hint", "")]
    return next((token for token in shown if token in exchange.claims), "")


def _claims(exchange: Exchange) -> list[dict[str, Any]]:
    token = _shown_token(exchange)
    return [exchange.claims[token]] if token else []


def _with_token(exchange: Exchange, what: str, *, audience: bool = False) -> Prepare:
    def prepare(before: RealmBefore, request: Request) -> Request:
        token, claims = _shown_token(exchange), _claims(exchange)[0]
        shown = {"id": claims.get("sub") or "00000000-0000-4000-8000-000000000003"}
        user = before.person(shown, password=PASSWORD)
        user["attributes"]["locale"] = ["de"]
        own = str(claims.get("azp") or _client_id(exchange))
        caller = _client(before, exchange)
        holder = caller if own == caller["clientId"] else before.client(own, secret="s")
        if audience:
            holder["protocolMappers"] = [
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
        grant["scope"] = ("" if plain else "openid") + offline
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
        ours = str(made.json()[kinds.get(str(claims.get("typ")), "access_token")])
        _end(before, user, holder, what)
        return _put(request, token, ours)

    return prepare


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


def _end(before: RealmBefore, user: dict[str, Any], client: dict[str, Any], what: str) -> None:
    realm = before.realm
    if what == "disabled since":
        user["enabled"] = False
    if what == "signed out since":
        user.update(notBefore=sessions.seconds(), staleBefore=now_ms() + 1)
        sessions.forget_user(realm, user["id"])
    if what == "deleted since":
        sessions.forget_user(realm, user["id"])
        del realm.users[user["id"]]
    if what == "whose client lost the session since":
        for session in sessions.of_user(realm, user["id"]):
            sessions.detach(realm, session, client)


def _put(request: Request, token: str, ours: str) -> Request:
    """Show our token instead of the recorded one, wherever that was."""
    body = request.body.replace(token.encode(), ours.encode())
    target = request.target.replace(token, ours)
    request = request.with_(body=body, target=target)
    shown = request.headers.get("authorization", "")
    return request.header("authorization", shown.replace(token, ours)) if shown else request


# --- browsers ---------------------------------------------------------------------------------------------------------------


def _client_data(exchange: Exchange) -> dict[str, str]:
    """What a sign-in page keeps of the client's request: address (`ru`) and state (`st`)."""
    packed = query(exchange).get("client_data", "")
    try:
        found = json.loads(base64.urlsafe_b64decode(packed + "==="))
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _browsers(exchange: Exchange, *, posted: bool) -> Iterator[tuple[str, Prepare]]:
    if posted:
        for what in ACCOUNTS:
            yield f"the person {what}", _posted(exchange, what)
        return
    if "cookie" in exchange.headers:
        for what in ENDS:
            yield f"somebody {what}", _with_cookies(exchange, what)
    yield "nobody has signed in", _without_cookies(exchange)
    yield "nothing is known", lambda before, request: request.header("cookie", None)
    yield (
        "the client has other addresses",
        _with_client(exchange, address="http://elsewhere.example/"),
    )


def _without_cookies(exchange: Exchange) -> Prepare:
    def prepare(before: RealmBefore, request: Request) -> Request:
        _client(before, exchange)
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
    assert found is not None, page.text[:300]
    parts = urlsplit(found[1].replace("&amp;", "&"))
    return f"{parts.path}?{parts.query}"


def _jar(*pages: Reply) -> str:
    cookies: dict[str, str] = {}
    for page in pages:
        cookies |= page.cookies()
    return "; ".join(f"{name}={value}" for name, value in cookies.items() if value)


def _signed_in(
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
        client = _client(before, exchange)
        _account(before, sent.get("username", ""), sent.get("password", ""), what)
        page = _page(before, request.url, client["clientId"], client["redirectUris"][0])
        return request.with_(target=_action(page)).header("cookie", _jar(page))

    return prepare


def _half_way(exchange: Exchange, what: str) -> Prepare:
    """Somebody who gave the right password, and has something else to do before being in."""

    def prepare(before: RealmBefore, request: Request) -> Request:
        client = _client(before, exchange)
        _account(before, SOMEBODY, PASSWORD, what)
        back = client["redirectUris"][0]
        done, cookies = _signed_in(before, request.url, client["clientId"], back)
        goes = urlsplit(done.header("location") or "")
        return request.with_(target=f"{goes.path}?{goes.query}").header("cookie", cookies)

    return prepare


def _with_cookies(exchange: Exchange, what: str) -> Prepare:
    def prepare(before: RealmBefore, request: Request) -> Request:
        client = _client(before, exchange)
        user = before.person({"username": SOMEBODY}, password=PASSWORD)
        _, cookies = _signed_in(before, request.url, client["clientId"], client["redirectUris"][0])
        _end(before, user, client, what)
        return request.header("cookie", cookies)

    return prepare


def _with_code(exchange: Exchange, *, used: bool = False) -> Prepare:
    def prepare(before: RealmBefore, request: Request) -> Request:
        sent = form(exchange)
        client = _client(before, exchange)
        before.person({"username": SOMEBODY}, password=PASSWORD)
        proof = {}
        if verifier := sent.get("code_verifier"):
            digest = hashlib.sha256(verifier.encode()).digest()
            proof["code_challenge"] = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
            proof["code_challenge_method"] = "S256"
        back = sent.get("redirect_uri") or BACK
        done, _ = _signed_in(before, request.url, client["clientId"], back, **proof)
        code = parse_qs(urlsplit(done.header("location") or "").query)["code"][0]
        request = request.with_(
            body=request.body.replace(quote(sent["code"]).encode(), quote(code).encode())
        )
        if used:
            send(request)
        return request

    return prepare
