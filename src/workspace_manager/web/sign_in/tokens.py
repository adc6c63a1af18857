"""The tokens of a sign-in: kept encrypted in the server-side session, refreshed when they are about
to end.
"""

import json
import time
from datetime import UTC, datetime
from typing import Any

from allauth.socialaccount.models import SocialLogin
from django.contrib.auth import SESSION_KEY
from django.http import HttpRequest

from workspace_manager.contract.errors import Denied
from workspace_manager.contract.secret import Secret
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.records.fields import cipher
from workspace_manager.records.models import Person

KEY = "identity_provider_tokens"
SPARE_S = 10
"""Seconds before its end at which a token is no longer used."""
UNTOLD_S = 60
"""How long a token is used whose end the identity provider does not tell."""


def keep(request: HttpRequest, sociallogin: SocialLogin) -> None:
    """Put the tokens into the session. The row holds them encrypted."""
    _, until = access_of(sociallogin)
    _store(
        request,
        {
            "access": sociallogin.token.token,
            "refresh": sociallogin.token.token_secret or "",
            "id": sociallogin.id_token,
            "expires": until.timestamp(),
        },
    )


def access_of(sociallogin: SocialLogin) -> tuple[Secret, datetime]:
    """The access token of a sign-in that has just happened, and until when it is good."""
    expires = sociallogin.token.expires_at
    until = expires or datetime.fromtimestamp(time.time() + UNTOLD_S, UTC)
    return Secret(sociallogin.token.token, name="access token"), until


def access_token(request: HttpRequest, person: Person, systems: ConnectedSystems) -> Secret | None:
    """A good access token of this person's session, refreshed if it is about to end; None when
    there is none to be had.

    A request may come with an API token and with the session of somebody else. Raises Unavailable
    when the identity provider does not answer.
    """
    kept = _load(request) if request.session.get(SESSION_KEY) == str(person.pk) else {}
    if kept.get("access") and kept["expires"] - SPARE_S > time.time():
        return Secret(kept["access"], name="access token")
    if not kept.get("refresh"):
        return None
    try:
        fresh = systems.identity_provider().refresh(Secret(kept["refresh"], name="refresh token"))
    except Denied:
        # The session there has ended: whoever needs a token signs in again.
        _store(request, {"id": kept.get("id", "")})
        return None
    expires = time.time() + fresh.seconds
    renewed = {"access": fresh.access.reveal(), "refresh": fresh.refresh.reveal()}
    _store(request, {**kept, **renewed, "expires": expires})
    return fresh.access


def _store(request: HttpRequest, tokens: dict[str, Any]) -> None:
    request.session[KEY] = cipher().encrypt(json.dumps(tokens).encode()).decode()


def _load(request: HttpRequest) -> dict[str, Any]:
    kept = request.session.get(KEY)
    document = json.loads(cipher().decrypt(kept.encode())) if kept else {}
    return document if isinstance(document, dict) else {}


def id_token(request: HttpRequest) -> Secret | None:
    """The ID token of this sign-in, as a hint for signing out."""
    token = _load(request).get("id")
    return Secret(token, name="ID token") if token else None
