"""Sessions in the database, as Django's own, but named by a hash of their key: who reads a row, or
a backup, has nothing to put into a cookie.
"""

import base64
import hashlib
import uuid
from datetime import timedelta
from typing import Any

from asgiref.sync import sync_to_async
from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends import db
from django.db.models.functions import Now

from workspace_manager.core import hold
from workspace_manager.core.clock import LEAP
from workspace_manager.records.models import Session


def stored_name(key: str) -> str:
    """The name of a session in its row, from its key: 240 bits, as many as the column takes."""
    return base64.urlsafe_b64encode(hashlib.sha256(key.encode()).digest()[:30]).decode()


class SessionStore(db.SessionStore):
    """The key is random and long, so a plain hash of it cannot be turned back."""

    @classmethod
    def get_model_class(cls) -> type[Session]:
        return Session

    def _get_session_from_db(self) -> Session | None:
        # None ends later than a whole age from now: it began before the clock was turned back.
        longest = Now() + timedelta(seconds=settings.SESSION_COOKIE_AGE) + LEAP
        rows = Session.objects.filter(expire_date__gt=hold.ends_by(), expire_date__lte=longest)
        found = rows.filter(session_key=stored_name(self.session_key or "")).first()
        if found is None:
            self._session_key = None
        return found

    def exists(self, session_key: str) -> bool:
        return super().exists(stored_name(session_key))

    def create_model_instance(self, data: Any) -> Session:
        row: Session = super().create_model_instance(data)  # type: ignore[assignment]
        row.session_key = stored_name(row.session_key)
        signed_in = data.get(SESSION_KEY)
        row.person = uuid.UUID(signed_in) if signed_in else None
        return row

    def delete(self, session_key: str | None = None) -> None:
        key = session_key or self.session_key
        if key:
            super().delete(stored_name(key))

    # Django's own would use the key as it is; nothing of ours is asynchronous.
    _aget_session_from_db = sync_to_async(_get_session_from_db)
    aexists = sync_to_async(exists)  # type: ignore[arg-type]
    acreate_model_instance = sync_to_async(create_model_instance)  # type: ignore[arg-type]
    adelete = sync_to_async(delete)  # type: ignore[arg-type]
