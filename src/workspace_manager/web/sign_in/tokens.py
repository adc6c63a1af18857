"""The tokens of a sign-in: kept encrypted in the server-side session, refreshed when they are about to end."""

import json
import time
from typing import Any

from allauth.socialaccount.models import SocialLogin
from django.http import HttpRequest

from workspace_manager.contract.secret import Secret
from workspace_manager.records.fields import cipher

KEY = "identity_provider_tokens"


def keep(request: HttpRequest, sociallogin: SocialLogin) -> None:
    """Put the tokens into the session. The row holds them encrypted."""
    expires = sociallogin.token.expires_at
    _store(
        request,
        {
            "access": sociallogin.token.token,
            "refresh": sociallogin.token.token_secret or "",
            "id": sociallogin.id_token,
            "expires": expires.timestamp() if expires else time.time() + 60,
        },
    )


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
