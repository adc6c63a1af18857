"""Counters of attempts in a period."""

from django.db import models


class RateCounter(models.Model):
    """One counter of one period."""

    key = models.CharField(max_length=64, primary_key=True)
    """A hash of the action, the actor and the period: no address is stored."""
    count = models.PositiveIntegerField()
    until = models.DateTimeField(db_index=True)

    class Meta:
        db_table = "records_tries"

    def __str__(self) -> str:
        return f"{self.count} until {self.until:%Y-%m-%d %H:%M}"
