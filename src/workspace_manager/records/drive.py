"""How a person is connected with the drive, as far as the identity provider does not keep it.

See docs/explanation/drive-connection.md#stored-credentials.
"""

from typing import ClassVar

from django.db import models
from django.utils import timezone

from workspace_manager.records.fields import MessageField, SecretField
from workspace_manager.records.people import Person


class DriveConnection(models.Model):
    """One person's way to the drive. The credentials themselves are attributes at the identity
    provider, never here.
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
    """Why the last try with a token made none; None when it did, or none was made."""
    browser_error = MessageField()
    """Why connecting in the browser is of no use; None where nothing shows that."""
    stored_error = MessageField()
    """Why what was stored was dropped; None once something is stored again."""
    session_left = models.BooleanField(default=False)
    """A session that a token of theirs opened at the drive could not be ended."""
    token = SecretField()
    """The token of a sign-in whose visit to the drive is still to be made, erased by it."""
    sync_until = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.person} and the drive"


class DriveFlow(models.Model):
    """A sign-in at the drive that a person began in the browser, and that may still grant."""

    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="drive_flows")
    handle = SecretField()
    """What it is asked with; it never leaves the server, and holds its own end."""
    wanted = models.BooleanField(default=True)
    """False: the person disconnected meanwhile; what it grants is revoked."""
    created_at = models.DateTimeField(default=timezone.now)
    asked_at = models.DateTimeField(default=timezone.now)
    """When the person's page last asked."""

    class Meta:
        ordering: ClassVar[list[str]] = ["-created_at"]

    def __str__(self) -> str:
        return f"sign-in of {self.person} at the drive"
