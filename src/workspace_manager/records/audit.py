"""What was done, by whom, to whom: rows that are added and never changed."""

from typing import Any

from django.db import models
from django.utils import timezone


class AuditEntry(models.Model):
    """One event, named `subject:action` ("registration:approved"). People stand as text, so that
    rows outlive them.
    """

    at = models.DateTimeField(default=timezone.now, db_index=True)
    actor = models.CharField(max_length=255)
    event = models.CharField(max_length=60, db_index=True)
    subject = models.CharField(max_length=255, db_index=True)
    details = models.JSONField(default=dict)

    class Meta:
        ordering = ["at", "id"]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.actor} {self.event} {self.subject}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Add the row. Raises TypeError for a change: history is not edited."""
        if self.pk is not None:
            raise TypeError("an audit entry is never changed")
        super().save(*args, **kwargs)
