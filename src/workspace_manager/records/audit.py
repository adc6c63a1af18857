"""What was done, by whom, to whom: rows that are added and never changed."""

from typing import Any, Final

from django.db import models
from django.utils import timezone

NEVER: Final = "an audit entry is never changed or removed"


class _AddedTo(models.QuerySet["AuditEntry"]):
    """Rows that are read and added to."""

    def update(self, **_values: Any) -> int:
        """Raises TypeError: history is not edited."""
        raise TypeError(NEVER)

    def delete(self) -> tuple[int, dict[str, int]]:
        """Raises TypeError: history is not edited."""
        raise TypeError(NEVER)


class AuditEntry(models.Model):
    """One event, named `subject:action` ("registration:approved"). People stand as text, so that
    rows outlive them.
    """

    at = models.DateTimeField(default=timezone.now, db_index=True)
    actor = models.CharField(max_length=255)
    event = models.CharField(max_length=60, db_index=True)
    subject = models.CharField(max_length=255, db_index=True)
    details = models.JSONField(default=dict)

    objects = _AddedTo.as_manager()

    class Meta:
        ordering = ["at", "id"]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.actor} {self.event} {self.subject}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Add the row. Raises TypeError for a change: history is not edited."""
        if self.pk is not None:
            raise TypeError(NEVER)
        super().save(*args, **kwargs)

    def delete(self, *_args: Any, **_kwargs: Any) -> tuple[int, dict[str, int]]:
        """Raises TypeError: history is not edited."""
        raise TypeError(NEVER)
