"""The realm's answer to a request for a sign-in, up to the password form.

An error is sent back to the client in the address (RFC 6749, 4.1.2.1), or is a page of the realm if
the client or the callback address is not trusted
(docs/systems/identity-provider.md#openid-connect-endpoints).
"""

import re
from typing import Final
from urllib.parse import parse_qs, quote, urlencode

from workspace_manager.contract.answer import Answer
from workspace_manager.contract.message import Message
from workspace_manager.contract.realm import ClientWants
from workspace_manager.contract.sign_in_walk import (
    ProviderAnswer,
    SignInStart,
    said_by,
    visit,
    words,
)
from workspace_manager.systems.identity_provider.client.answers import RUN_SETUP
from workspace_manager.systems.identity_provider.client.token import SYSTEM
from workspace_manager.systems.identity_provider.messages import message
from workspace_manager.systems.identity_provider.realm.services import ASKED_SCOPES
from workspace_manager.systems.identity_provider.settings import Settings

_ERROR_PAGE: Final = re.compile(r'id="kc-error-message"[^>]*>(.*?)</p>', re.DOTALL)
_SETUP_MENDS: Final = (
    *("Client not found", "Client disabled", "Bearer-only", "redirect_uri"),
    "unauthorized_client",
)
_CHALLENGE: Final = "w" * 43
"""The challenge of a verifier that nobody has; no code is ever redeemed with it."""


def own_start(settings: Settings, clients: tuple[ClientWants, ...]) -> SignInStart | None:
    """Return the manager's own request for a sign-in; None if its client is unknown."""
    own = next((one for one in clients if one.client_id == settings.client_id), None)
    if own is None or not own.redirect_uris:
        return None
    asked = {
        "client_id": own.client_id,
        "redirect_uri": own.redirect_uris[0],
        "scope": " ".join(ASKED_SCOPES),
        "response_type": "code",
        "state": "walk",
        "nonce": "walk",
        "code_challenge": _CHALLENGE,
        "code_challenge_method": "S256",
    }
    address = f"{settings.url}/realms/{quote(settings.realm, safe='')}/protocol/openid-connect/auth"
    told_by = (
        message("check_enabled"),
        message("check_own_client"),
        message("check_own_client_scopes"),
        message("check_client", client_id=own.client_id),
    )
    return SignInStart(address=f"{address}?{urlencode(asked)}", told_by=told_by)


def at_sign_in(settings: Settings, issuer: str, address: str) -> ProviderAnswer:
    """Return the realm's answer to a sign-in. `issuer`: the realm's own name, whose public address
    may not be reachable from here. Raises Unavailable and Invalid, like calls.
    """
    realm = f"/realms/{quote(settings.realm, safe='')}"
    bases = {settings.url, issuer.removesuffix(realm)}
    base = next((one for one in bases if address.startswith(f"{one}{realm}/")), None)
    if base is None:
        return ProviderAnswer(is_our_realm=False)
    answer = visit(settings.url + address.removeprefix(base), system=SYSTEM)
    client_id = _query(address).get("client_id", "")
    said = _refusal(answer)
    remedy = _remedy(said, client_id) if said else None
    return ProviderAnswer(is_our_realm=True, client_id=client_id, said=said, remedy=remedy)


def _refusal(answer: Answer) -> str:
    """Return why the realm refuses; "" for a page that asks for a sign-in, and for the redirect to
    a broker.
    """
    if 300 <= answer.status < 400:
        told = _query(answer.headers.get("location", ""))
        parts = (told.get("error", ""), told.get("error_description", ""))
        return words(": ".join(filter(None, parts)))
    if page := _ERROR_PAGE.search(answer.text):
        return words(page[1])
    if answer.status < 400 or "<form" in answer.text:
        return ""
    answer.raise_for_transient()
    return said_by(answer) or answer.shape.english


def _remedy(said: str, client_id: str) -> Message:
    if any(one in said for one in _SETUP_MENDS):
        return RUN_SETUP
    if "invalid_scope" in said:
        return message("walk_add_scopes", client_id=client_id)
    if "Realm not enabled" in said:
        return message("walk_enable_realm")
    if "HTTPS" in said:
        return message("walk_use_https")
    return message("walk_look_at_client", client_id=client_id)


def _query(address: str) -> dict[str, str]:
    asked = address.partition("#")[0].partition("?")[2]
    return {name: values[0] for name, values in parse_qs(asked).items()}
