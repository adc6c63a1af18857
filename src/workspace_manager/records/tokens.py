"""Personal tokens for the REST API."""

import uuid

from django.db import models
from django.utils.timezone import now

from workspace_manager.records.people import Person


class ApiToken(models.Model):
    """A token for the REST API: stored as a hash, shown once, valid until it ends."""

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
    """The permissions that its person had when it was made and has kept since: the token may use
    them. None: all rights of an administrator.
    """
    created_at = models.DateTimeField(default=now)
    expires_at = models.DateTimeField(db_index=True)
    last_used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["created_at"]

    def __str__(self) -> str:
        return self.name
