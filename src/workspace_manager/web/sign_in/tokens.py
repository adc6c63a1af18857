"""The tokens of a sign-in: kept encrypted in a row that the session names, refreshed when they are
about to end.
"""

import time
from datetime import UTC, datetime, timedelta

from allauth.socialaccount.models import SocialLogin
from django.contrib.auth import SESSION_KEY
from django.http import HttpRequest
from django.utils import timezone

from workspace_manager.access import session_check
from workspace_manager.access.session_check import Tokens
from workspace_manager.contract.secret import Secret
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.records.models import Person

KEY = "sign_in"
"""Where a session names its sign-in."""
SPARE_S = 10
"""Seconds before its end at which a token is no longer used."""
UNTOLD_S = 60
"""How long a token is used whose end the identity provider does not tell."""


def keep(request: HttpRequest, person: Person, sociallogin: SocialLogin) -> None:
    """Keep the sign-in, in place of one that this browser had before."""
    forget(request)
    access, until = access_of(sociallogin)
    refresh = sociallogin.token.token_secret
    tokens = Tokens(
        access=access,
        until=until,
        refresh=Secret(refresh, name="refresh token") if refresh else None,
        id=Secret(sociallogin.id_token, name="ID token"),
    )
    request.session[KEY] = session_check.begin(
        person, sub=sociallogin.claims["sub"], sid=sociallogin.sid, tokens=tokens
    )


def forget(request: HttpRequest) -> None:
    """Forget the sign-in of this session and its tokens."""
    if name := request.session.pop(KEY, None):
        session_check.end(name)


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
    name = request.session.get(KEY)
    if not name or request.session.get(SESSION_KEY) != str(person.pk):
        return None
    kept = session_check.tokens_of(name, person.pk)
    if kept and kept.until - timezone.now() <= timedelta(seconds=SPARE_S):
        if kept.refresh is None:
            return None
        kept = session_check.refresh_tokens(name, person, systems, stale=kept.until)
    # None: the session there has ended, and whoever needs a token signs in again.
    return kept.access if kept else None


def id_token(request: HttpRequest) -> Secret | None:
    """The ID token of this sign-in, as a hint for signing out."""
    name, person_id = request.session.get(KEY), request.session.get(SESSION_KEY)
    kept = session_check.tokens_of(name, person_id) if name and person_id else None
    return kept.id if kept else None
