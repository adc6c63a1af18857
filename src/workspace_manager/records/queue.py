"""Records beside the task queue."""

from django.db import models
from django.utils import timezone


class DroppedTasks(models.Model):
    """The number of entries of a queue that failed verification, and since when
    (`core/dropped_tasks.py`).
    """

    queue = models.CharField(max_length=60, primary_key=True)
    times = models.PositiveIntegerField(default=1)
    since = models.DateTimeField(default=timezone.now)
    last_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.queue}: {self.times}"
