"""The caller of a realm's own addresses: the client that is named, the person who types, and what
became of somebody who had signed in.
"""

import base64
import json
from collections.abc import Callable
from typing import Any, TypeAlias
from urllib.parse import unquote_plus

from tests.recorded.prior_state_keycloak_realm import PASSWORD, RealmBefore, form, query
from tests.recorded.reading import Exchange
from tests.recorded.sending import Request
from workspace_sandbox.server import now_ms
from workspace_sandbox.stand_ins.identity_provider import sessions

Prepare: TypeAlias = Callable[[RealmBefore, Request], Request]


BACK = "http://127.0.0.1:9/cb"


ENDS = (
    "signed in",
    "disabled since",
    "signed out since",
    "deleted since",
    "whose client lost the session since",
    "whose token was used up since",
    "who signed in before everybody was signed out",
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


def sent_form(exchange: Exchange) -> dict[str, str]:
    """The form, with the client's id and secret in it also where they were shown in a header."""
    scheme, _, value = exchange.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "basic":
        return form(exchange)
    name, _, secret = base64.b64decode(value + "===").decode(errors="replace").partition(":")
    shown = {"client_id": unquote_plus(name), "client_secret": unquote_plus(secret)}
    return {**form(exchange), **shown}


def shown_token(exchange: Exchange) -> str:
    """The token that is shown, whose claims are known."""
    sent, asked = form(exchange), query(exchange)
    shown = [exchange.headers.get("authorization", "").partition(" ")[2]]
    shown += [sent.get(name, "") for name in ("refresh_token", "token", "access_token")]
    shown += [asked.get("id_token_hint", "")]
    return next((token for token in shown if token in exchange.claims), "")


def claims_shown(exchange: Exchange) -> list[dict[str, Any]]:
    token = shown_token(exchange)
    return [exchange.claims[token]] if token else []


def asking_id(exchange: Exchange) -> str:
    sent, asked = sent_form(exchange), query(exchange)
    claims = next(iter(claims_shown(exchange)), {})
    return str(sent.get("client_id") or asked.get("client_id") or claims.get("azp") or "drive")


def client_data(exchange: Exchange) -> dict[str, str]:
    """What a sign-in page keeps of the client's request: address (`ru`) and state (`st`)."""
    packed = query(exchange).get("client_data", "")
    try:
        found = json.loads(base64.urlsafe_b64decode(packed + "==="))
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def asking_client(
    before: RealmBefore, exchange: Exchange, *, address: str = "", **more: Any
) -> dict[str, Any]:
    """The client that is named, with the secret it shows and the addresses it asks for."""
    sent, asked = sent_form(exchange), query(exchange)
    wanted = [
        sent.get("redirect_uri"),
        asked.get("redirect_uri"),
        asked.get("post_logout_redirect_uri"),
    ]
    wanted += [client_data(exchange).get("ru")]
    back = [address] if address else [*filter(None, wanted), BACK]
    if signs_in_publicly(exchange) and "grant_type" in sent:
        more = {"publicClient": True, **more}
    client_id = asking_id(exchange)
    known = before.realm.client_named(client_id)
    if known is not None and known.get("publicClient"):
        return known
    secret = sent.get("client_secret") or "s"
    if known is not None and sent.get("token"):
        secret = str(known.get("secret"))
    return before.client(client_id, redirectUris=back, secret=secret, **more)


def with_client(exchange: Exchange, *, address: str = "", **more: Any) -> Prepare:
    def prepare(before: RealmBefore, request: Request) -> Request:
        asking_client(before, exchange, address=address, **more)
        return request

    return prepare


def account(before: RealmBefore, name: str, password: str, how: str) -> None:
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


def signs_in_publicly(exchange: Exchange) -> bool:
    """Whether a client shows no secret where one that has a secret must: with a success, it is
    public.
    """
    shown = sent_form(exchange)
    refused = exchange.status == 401 or "client" in exchange.text
    return "client_id" in shown and "client_secret" not in shown and not refused


def end(before: RealmBefore, user: dict[str, Any], client: dict[str, Any], what: str) -> None:
    realm = before.realm
    if what == "disabled since":
        user["enabled"] = False
    if what == "signed out since":
        user["notBefore"] = sessions.seconds() + 1
        sessions.forget_user(realm, user["id"])
    if what == "who signed in before everybody was signed out":
        realm.settings["notBefore"] = sessions.seconds() + 60
    if what == "deleted since":
        sessions.forget_user(realm, user["id"])
        del realm.users[user["id"]]
    if what == "whose client lost the session since":
        for session in sessions.of_user(realm, user["id"]):
            sessions.detach(realm, session, client)
