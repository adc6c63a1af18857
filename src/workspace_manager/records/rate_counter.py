"""How often something was done in a stretch of time, by whom it is counted for."""

from django.db import models


class RateCounter(models.Model):
    """One counter of one stretch of time."""

    key = models.CharField(max_length=64, primary_key=True)
    """A hash of what is counted, for whom, and when: no address is kept here."""
    count = models.PositiveIntegerField()
    until = models.DateTimeField(db_index=True)

    class Meta:
        db_table = "records_tries"

    def __str__(self) -> str:
        return f"{self.count} until {self.until:%Y-%m-%d %H:%M}"
