"""Browser sessions: Django's columns and the person."""

from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models


class Session(AbstractBaseSession):
    """One session, under a hash of its key (`access.session_store`)."""

    person = models.UUIDField(null=True, db_index=True)
    """The signed-in person. No foreign key, so that saving a session during its person's deletion
    is no error.
    """
