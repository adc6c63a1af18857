"""What the identity provider said: of the people it knows, and of the sign-ins that go on there."""

import uuid

from django.db import models
from django.utils.timezone import now

from workspace_manager.records.fields import SecretField
from workspace_manager.records.people import Person


class SignIn(models.Model):
    """One sign-in at the identity provider, and the session here that began with it: without this
    row that session is over.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    """What the session names."""
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="sign_ins")
    sub = models.CharField(max_length=255, db_index=True)
    sid = models.CharField(max_length=255, blank=True, db_index=True)
    """The session's id there, which a logout names."""
    access_token = SecretField()
    access_until = models.DateTimeField(default=now)
    refresh_token = SecretField()
    """NULL where the realm gives none."""
    id_token = SecretField()
    begun_at = models.DateTimeField(default=now, db_index=True)
    answered_at = models.DateTimeField(default=now)
    """When the identity provider last said that it goes on."""
    asking_until = models.DateTimeField(null=True, blank=True)
    """Somebody asks just now: a refresh token is good for one, and the next is in the answer."""

    def __str__(self) -> str:
        return f"{self.person} since {self.begun_at:%Y-%m-%d %H:%M}"


class ProviderState(models.Model):
    """What the identity provider last said of a `sub`."""

    class State(models.TextChoices):
        ENABLED = "enabled"
        DISABLED = "disabled"
        GONE = "gone"

    sub = models.CharField(max_length=255, primary_key=True)
    state = models.CharField(max_length=20, choices=State.choices)
    since = models.DateTimeField(default=now)
    """When it was first said so."""
    answered_at = models.DateTimeField(default=now)

    class Meta:
        db_table = "records_standing"

    def __str__(self) -> str:
        return f"{self.sub} ({self.state})"
