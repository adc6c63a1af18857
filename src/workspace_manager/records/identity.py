"""Answers of the identity provider about users and their sessions."""

import uuid

from django.db import models
from django.utils.timezone import now

from workspace_manager.records.fields import SecretField
from workspace_manager.records.people import Person


class SignIn(models.Model):
    """A sign-in at the identity provider, and the session here that began with it, which ends
    without this row.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    """The id that the session refers to."""
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="sign_ins")
    sub = models.CharField(max_length=255, db_index=True)
    sid = models.CharField(max_length=255, blank=True, db_index=True)
    """The session's id at the identity provider, which a logout names."""
    access_token = SecretField()
    access_until = models.DateTimeField(default=now)
    refresh_token = SecretField()
    """NULL if the realm issues none."""
    id_token = SecretField()
    begun_at = models.DateTimeField(default=now, db_index=True)
    answered_at = models.DateTimeField(default=now)
    """When the identity provider last confirmed the session."""
    asking_until = models.DateTimeField(null=True, blank=True)
    """A process is asking now: a refresh token can be used once, and the answer has the next
    one.
    """

    def __str__(self) -> str:
        return f"{self.person} since {self.begun_at:%Y-%m-%d %H:%M}"


class ProviderState(models.Model):
    """The identity provider's last answer about a `sub`."""

    class State(models.TextChoices):
        ENABLED = "enabled"
        DISABLED = "disabled"
        GONE = "gone"

    sub = models.CharField(max_length=255, primary_key=True)
    state = models.CharField(max_length=20, choices=State.choices)
    since = models.DateTimeField(default=now)
    """When it first gave this answer."""
    answered_at = models.DateTimeField(default=now)

    class Meta:
        db_table = "records_standing"

    def __str__(self) -> str:
        return f"{self.sub} ({self.state})"
