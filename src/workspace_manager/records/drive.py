"""Connections of people to the drive, as far as the identity provider does not store them.

See docs/explanation/drive-connection.md#stored-credentials.
"""

from typing import ClassVar

from django.db import models
from django.utils import timezone

from workspace_manager.records.fields import MessageField, SecretField
from workspace_manager.records.people import Person


class DriveConnection(models.Model):
    """One person's connection. The credentials are attributes at the identity provider, never
    here.
    """

    class Method(models.TextChoices):
        BEARER = "bearer"
        IN_BROWSER = "app_password"

    person = models.OneToOneField(
        Person, primary_key=True, on_delete=models.CASCADE, related_name="drive_connection"
    )
    method = models.CharField(max_length=20, choices=Method.choices, blank=True)
    """How the stored credentials were made: with the person's token, or in the browser."""
    bearer_error = MessageField()
    """Why the last attempt with a token failed; None if it succeeded or there was none."""
    browser_error = MessageField()
    """Why connecting in the browser cannot help; None if that is unknown."""
    stored_error = MessageField()
    """Why the stored credentials were dropped; None once new ones are stored."""
    session_left = models.BooleanField(default=False)
    """A drive session that the person's token opened could not be ended."""
    token = SecretField()
    """The token of a sign-in whose visit to the drive is still due; the visit erases it."""
    sync_until = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.person} and the drive"


class DriveFlow(models.Model):
    """A sign-in at the drive that a person began in the browser and that may still succeed."""

    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="drive_flows")
    handle = SecretField()
    """The secret for polling; it never leaves the server, and contains its own end."""
    wanted = models.BooleanField(default=True)
    """False once the person has disconnected; credentials that it grants are revoked."""
    created_at = models.DateTimeField(default=timezone.now)
    asked_at = models.DateTimeField(default=timezone.now)
    """When the person's page last asked."""

    class Meta:
        ordering: ClassVar[list[str]] = ["-created_at"]

    def __str__(self) -> str:
        return f"sign-in of {self.person} at the drive"
