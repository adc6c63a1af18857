"""Snoozes: the only stored data of an inbox."""

from django.db import models

from workspace_manager.records.people import Person


class Snooze(models.Model):
    """A person hides one item of their inbox until `until`.

    The item is not copied: `kind` and `subject` name it, and `since` tells this occurrence from a
    later one, which is shown again.
    """

    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="snoozes")
    kind = models.CharField(max_length=40)
    subject = models.CharField(max_length=255)
    """The key of the item's row as text; an id has no hyphens, since every database can write it
    so.
    """
    since = models.DateTimeField()
    until = models.DateTimeField(db_index=True)

    class Meta:
        ordering = ["until", "id"]
        constraints = [
            models.UniqueConstraint(fields=["person", "kind", "subject"], name="put_off_once")
        ]

    def __str__(self) -> str:
        return f"{self.kind}:{self.subject} until {self.until:%Y-%m-%d}"
