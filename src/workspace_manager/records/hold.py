"""The worker's clock and the hold: nothing opens, is erased or expires until a person has confirmed
that the time is right.
"""

from django.db import models


class LastMinute(models.Model):
    """The database's clock as a worker last read it: one row, written each minute. Leaps are
    measured from it.
    """

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    at = models.DateTimeField()
    """The clock's time."""
    believed = models.DateTimeField()
    """The time without unconfirmed leaps."""

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M}"


class Hold(models.Model):
    """The reason of a hold, and who ended it. There is at most one current hold."""

    class Reason(models.TextChoices):
        CLOCK = "clock"
        """The clock leapt, or no worker ran for a long time."""
        RESTORE = "restore"
        """The database was restored from a backup, and a person looks through it."""

    reason = models.CharField(max_length=20, choices=Reason.choices)
    since = models.DateTimeField()
    """The last plausible minute."""
    said = models.DateTimeField()
    """The clock's time at the beginning."""
    goes_by = models.DateTimeField(null=True, blank=True)
    """The time that grants end by, which continues as before the leap. Null: the database's clock,
    if no worker measured the time before.
    """
    begun_by = models.CharField(max_length=255)
    ended_at = models.DateTimeField(null=True, blank=True)
    confirmed_by = models.CharField(max_length=255, blank=True)

    class Meta:
        indexes = [models.Index(fields=["ended_at"], name="hold_standing")]

    def __str__(self) -> str:
        return f"{self.reason} since {self.since:%Y-%m-%d %H:%M}"
