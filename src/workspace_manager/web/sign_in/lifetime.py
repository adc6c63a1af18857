"""The lifetime of a session, counted from the sign-in, whatever happens in it."""

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.http import HttpRequest

from workspace_manager.core.clock import database_now


def ends_from_now(*, request: HttpRequest, **_: Any) -> None:
    """Set the end of a new session; called at each sign-in, of any kind. Django's own end would
    move with every change of the session.
    """
    request.session.set_expiry(database_now() + timedelta(seconds=settings.SESSION_COOKIE_AGE))
