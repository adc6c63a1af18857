"""What people put off: the one thing about an inbox that is stored."""

from django.db import models

from workspace_manager.records.people import Person


class Snooze(models.Model):
    """Somebody does not want to see one thing that waits before `until`.

    What waits is not copied here: `kind` and `subject` name it, and `since` tells this time from a
    later one, so that what ended and began again is shown again.
    """

    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="snoozes")
    kind = models.CharField(max_length=40)
    subject = models.CharField(max_length=255)
    """The key of its row as text; of an id without its hyphens, as every database can make it."""
    since = models.DateTimeField()
    until = models.DateTimeField(db_index=True)

    class Meta:
        ordering = ["until", "id"]
        constraints = [
            models.UniqueConstraint(fields=["person", "kind", "subject"], name="put_off_once")
        ]

    def __str__(self) -> str:
        return f"{self.kind}:{self.subject} until {self.until:%Y-%m-%d}"
