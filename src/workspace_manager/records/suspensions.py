"""Suspensions."""

from django.db import models
from django.utils.timezone import now

from workspace_manager.records.people import Person


class Suspension(models.Model):
    """The terms of a suspension; deleted when it ends, or with the person."""

    person = models.OneToOneField(Person, on_delete=models.CASCADE, related_name="suspension")
    reason = models.TextField(blank=True)
    """For administrators, in the words of the person who ordered it."""
    by = models.CharField(max_length=255)
    since = models.DateTimeField(default=now)
    until = models.DateTimeField(null=True, blank=True, db_index=True)
    """When the person is resumed automatically; None for never."""
    reminded_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["since"]

    def __str__(self) -> str:
        return f"{self.person} since {self.since:%Y-%m-%d}"
