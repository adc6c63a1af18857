"""The tokens of a sign-in: encrypted in a row that the session names, refreshed shortly before they
end.
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
"""The session's member that names its sign-in."""
SPARE_S = 10
"""Seconds before its end at which a token is no longer used."""
UNTOLD_S = 60
"""Seconds for which a token without a stated end is used."""


def keep(request: HttpRequest, person: Person, sociallogin: SocialLogin) -> None:
    """Store the sign-in in place of an earlier one of this browser."""
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
    """Delete the sign-in of this session and its tokens."""
    if name := request.session.pop(KEY, None):
        session_check.end(name)


def access_of(sociallogin: SocialLogin) -> tuple[Secret, datetime]:
    """Return the access token of a sign-in that has just happened, and its end."""
    expires = sociallogin.token.expires_at
    until = expires or datetime.fromtimestamp(time.time() + UNTOLD_S, UTC)
    return Secret(sociallogin.token.token, name="access token"), until


def access_token(request: HttpRequest, person: Person, systems: ConnectedSystems) -> Secret | None:
    """Return a valid access token of this person's session, refreshed if it is about to end; None
    if there is none.

    A request may have an API token and the session of somebody else. Raises Unavailable if the
    identity provider does not answer.
    """
    name = request.session.get(KEY)
    if not name or request.session.get(SESSION_KEY) != str(person.pk):
        return None
    kept = session_check.tokens_of(name, person.pk)
    if kept and kept.until - timezone.now() <= timedelta(seconds=SPARE_S):
        if kept.refresh is None:
            return None
        kept = session_check.refresh_tokens(name, person, systems, stale=kept.until)
    # None: the session there has ended, and the person has to sign in again for a token.
    return kept.access if kept else None


def id_token(request: HttpRequest) -> Secret | None:
    """Return the ID token of this sign-in, as a hint for signing out."""
    name, person_id = request.session.get(KEY), request.session.get(SESSION_KEY)
    kept = session_check.tokens_of(name, person_id) if name and person_id else None
    return kept.id if kept else None
