"""Failures of the housekeeping, recorded so that the other tasks continue."""

from django.db import models
from django.utils import timezone


class HousekeepingFailure(models.Model):
    """A row that a task failed on, or the task as a whole."""

    task = models.CharField(max_length=60)
    """A name of `housekeeping.TASKS`."""
    row = models.CharField(max_length=60, blank=True)
    """The primary key of the row; "" if the task as a whole failed."""
    error = models.CharField(max_length=100)
    """The class of the exception. Its text may contain anything, and is in the log alone."""
    since = models.DateTimeField(default=timezone.now)
    times = models.PositiveIntegerField(default=1)
    next_try_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["task", "row"], name="housekeeping_failure_once")
        ]

    def __str__(self) -> str:
        return f"{self.task} {self.row}: {self.error}"
