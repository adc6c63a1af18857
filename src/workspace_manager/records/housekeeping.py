"""What the housekeeping could not do, so that the rest of it goes on without that."""

from django.db import models
from django.utils import timezone


class HousekeepingFailure(models.Model):
    """One row that a task of the housekeeping failed on, or the task as a whole."""

    task = models.CharField(max_length=60)
    """What was to be done: a name of `housekeeping.TASKS`."""
    row = models.CharField(max_length=60, blank=True)
    """The primary key of the row; "" where the task as a whole failed."""
    error = models.CharField(max_length=100)
    """The class of what was raised. Its text may hold anything, and is in the log alone."""
    since = models.DateTimeField(default=timezone.now)
    times = models.PositiveIntegerField(default=1)
    next_try_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["task", "row"], name="housekeeping_failure_once")
        ]

    def __str__(self) -> str:
        return f"{self.task} {self.row}: {self.error}"
