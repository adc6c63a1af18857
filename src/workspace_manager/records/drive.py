"""How a person is connected with the drive, as far as the identity provider does not keep it (specification, section 3.4)."""

from django.db import models

from workspace_manager.records.fields import MessageField, SecretField
from workspace_manager.records.people import Person


class DriveConnection(models.Model):
    """One person's way to the drive. The credentials themselves are attributes at the identity provider, never here."""

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
    flow = SecretField()
    """The handle of a sign-in in the browser that is under way; it never leaves the server, and holds its own end."""
    token = SecretField()
    """The token of a sign-in whose visit to the drive is still to be made, erased by it."""
    sync_until = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.person} and the drive"
