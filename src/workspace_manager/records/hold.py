"""The last minute that a worker saw, and the hold: nothing opens, is erased or expires by its time
while a person has not confirmed that the time is right.
"""

from django.db import models


class LastMinute(models.Model):
    """The database's clock as a worker last read it: one row, which every worker writes each
    minute. A leap is measured from it.
    """

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    at = models.DateTimeField()
    """What the clock said."""
    believed = models.DateTimeField()
    """What it would have said without the leaps that nobody confirmed."""

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M}"


class Hold(models.Model):
    """Why what opens, erases or expires waits, and who let it go on. One stands at most."""

    class Reason(models.TextChoices):
        CLOCK = "clock"
        """The clock leapt, or no worker saw it for long."""
        RESTORE = "restore"
        """The database was put back from a backup, and a person looks through it."""

    reason = models.CharField(max_length=20, choices=Reason.choices)
    since = models.DateTimeField()
    """The last minute against which nothing speaks."""
    said = models.DateTimeField()
    """What the clock said when it began."""
    goes_by = models.DateTimeField(null=True, blank=True)
    """By which time ends what was given until a moment; it goes on as before the leap. Null: by the
    database's clock, since no worker saw how long the time before really was.
    """
    begun_by = models.CharField(max_length=255)
    ended_at = models.DateTimeField(null=True, blank=True)
    confirmed_by = models.CharField(max_length=255, blank=True)

    class Meta:
        indexes = [models.Index(fields=["ended_at"], name="hold_standing")]

    def __str__(self) -> str:
        return f"{self.reason} since {self.since:%Y-%m-%d %H:%M}"
