"""How long a session lasts: from the sign-in on, whatever is done in it."""

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.http import HttpRequest

from workspace_manager.core.clock import database_now


def ends_from_now(*, request: HttpRequest, **_: Any) -> None:
    """Set the end of a session that begins; called at each sign-in, by whatever door. Django's own
    would be another one whenever something is written into the session.
    """
    request.session.set_expiry(database_now() + timedelta(seconds=settings.SESSION_COOKIE_AGE))
