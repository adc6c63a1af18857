"""Take-overs: each confirmation, so that it can continue after a crash, and be undone."""

import uuid

from django.db import models
from django.utils import timezone


class TakeOver(models.Model):
    """A confirmation of proposals as they were shown."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    run = models.UUIDField()
    """The comparison that the proposals came from."""
    key = models.CharField(max_length=64, unique=True)
    """The digest of what was shown and chosen: repeating the confirmation finds this row."""
    items = models.JSONField(default=list)
    """`[[number of the item, user name]]`, in their order."""
    refused = models.JSONField(default=list)
    """`[[number of the item, why not any more]]`, the reason as a message."""
    done = models.PositiveIntegerField(default=0)
    """Items that are finished; a killed process continues after them."""
    confirmed_by = models.CharField(max_length=255)
    confirmed_at = models.DateTimeField(default=timezone.now, db_index=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    undone_at = models.DateTimeField(null=True, blank=True)
    undone_by = models.CharField(max_length=255, blank=True)

    class Meta:
        ordering = ["-confirmed_at"]

    def __str__(self) -> str:
        return f"{self.confirmed_at:%Y-%m-%d %H:%M} by {self.confirmed_by}"
