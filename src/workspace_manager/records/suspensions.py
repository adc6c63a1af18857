"""Who is suspended, why, and until when."""

from django.db import models
from django.utils.timezone import now

from workspace_manager.records.people import Person


class Suspension(models.Model):
    """The terms of somebody's suspension; there while it lasts, and gone with the person."""

    person = models.OneToOneField(Person, on_delete=models.CASCADE, related_name="suspension")
    reason = models.TextField(blank=True)
    """In the words of whoever ordered it, for administrators."""
    by = models.CharField(max_length=255)
    since = models.DateTimeField(default=now)
    until = models.DateTimeField(null=True, blank=True, db_index=True)
    """When the person is let back in by itself; None: when somebody does it."""
    reminded_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["since"]

    def __str__(self) -> str:
        return f"{self.person} since {self.since:%Y-%m-%d}"
