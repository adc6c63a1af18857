"""Sessions of browsers: what Django keeps of one, and whose it is."""

from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models


class Session(AbstractBaseSession):
    """One session, under a hash of its key (`access.session_store`)."""

    person = models.UUIDField(null=True, db_index=True)
    """Who is signed in. No foreign key: one that is saved while its person goes is then nobody's,
    and no mistake.
    """
