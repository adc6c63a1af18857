"""Personal tokens for the REST API."""

import uuid

from django.db import models
from django.utils.timezone import now

from workspace_manager.records.people import Person


class ApiToken(models.Model):
    """A personal token for the REST API: hashed at rest, shown once, good until it ends."""

    class Scope(models.TextChoices):
        READ = "read"
        OWN = "own"
        ADMINISTRATION = "administration"
        OPERATION = "operation"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=100)
    digest = models.CharField(max_length=64, unique=True)
    scope = models.CharField(max_length=20, choices=Scope.choices)
    permissions = models.JSONField(null=True, default=list)
    """What its person was given when it was made and has had since without a break: what it may use
    besides what everybody may. None: whatever an administrator may.
    """
    created_at = models.DateTimeField(default=now)
    expires_at = models.DateTimeField(db_index=True)
    last_used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["created_at"]

    def __str__(self) -> str:
        return self.name
