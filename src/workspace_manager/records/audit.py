"""What was done, by whom, to whom: rows that are added and never changed, and the seals that show
it (docs/explanation/audit.md).
"""

from collections.abc import Collection, Iterable
from typing import Any, ClassVar, Final

from django.db import models
from django.utils import timezone

from workspace_manager.records.audit_marks import Content, digest_of, mark_of, new_salt, plain

NEVER: Final = "an audit entry is never changed or removed"


class _AddedTo(models.QuerySet["AuditEntry"]):
    """Rows that are read and added to."""

    def bulk_create(self, objs: Iterable["AuditEntry"], *args: Any, **kwargs: Any) -> Any:
        """Add many, each with its digest."""
        entries = list(objs)
        for one in entries:
            one.commit()
        return super().bulk_create(entries, *args, **kwargs)

    def update(self, **_values: Any) -> int:
        """Raises TypeError: history is not edited."""
        raise TypeError(NEVER)

    def delete(self) -> tuple[int, dict[str, int]]:
        """Raises TypeError: history is not edited."""
        raise TypeError(NEVER)


class AuditEntry(models.Model):
    """One event, named `subject:action` ("registration:approved"). People stand as text, so that
    rows outlive them.
    """

    MANAGER: ClassVar = "manager"
    """The actor of what the manager does by itself."""

    at = models.DateTimeField(default=timezone.now, db_index=True)
    actor = models.CharField(max_length=255)
    event = models.CharField(max_length=60)
    subject = models.CharField(max_length=255, db_index=True)
    details = models.JSONField(default=dict)
    salt = models.CharField(max_length=32, blank=True, editable=False)
    """Random, so that nobody finds by trying what the digest is of; "" when somebody was erased
    from the entry.
    """
    digest = models.CharField(max_length=64, blank=True, editable=False)
    """The SHA-256 of the salt and of what the entry said when it was added; it stays."""
    mark = models.CharField(max_length=64, blank=True, editable=False)
    """What only the manager can make of the digest; of an erased entry, also of what it says
    since.
    """
    seal = models.PositiveBigIntegerField(null=True, editable=False)
    """The number of the seal that holds it; None until the next is made."""

    objects = _AddedTo.as_manager()

    class Meta:
        ordering = ["at", "id"]
        indexes = [
            models.Index(fields=["seal", "id"], name="audit_sealed"),
            # Else who did little is looked for in all of it (docs/explanation/audit.md#measured).
            models.Index(fields=["actor", "at"], name="audit_actor"),
            models.Index(fields=["event", "at"], name="audit_event"),
        ]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.actor} {self.event} {self.subject}"

    @property
    def content(self) -> Content:
        """What it says."""
        return Content(self.at, self.actor, self.event, self.subject, self.details)

    def commit(self) -> None:
        """Give it its salt, digest and mark. For a new entry alone: they say what it said first."""
        self.details = plain(self.details)
        self.salt = new_salt()
        self.digest = digest_of(self.salt, self.content)
        self.mark = mark_of(self.digest)

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Add the row. Raises TypeError for a change: history is not edited."""
        if self.pk is not None:
            raise TypeError(NEVER)
        self.commit()
        super().save(*args, **kwargs)

    def delete(self, *_args: Any, **_kwargs: Any) -> tuple[int, dict[str, int]]:
        """Raises TypeError: history is not edited."""
        raise TypeError(NEVER)


class AuditSeal(models.Model):
    """Some entries in the order of their ids, chained to the seal before and signed."""

    number = models.PositiveBigIntegerField(primary_key=True)
    """From 1 without a gap."""
    at = models.DateTimeField(default=timezone.now)
    first = models.PositiveBigIntegerField()
    last = models.PositiveBigIntegerField()
    count = models.PositiveIntegerField()
    entries = models.TextField()
    """The ids: `1-57,59`. What is missing or was added in between can be named by it."""
    digest = models.CharField(max_length=64)
    """The SHA-256 of the digest of the seal before, and of each id and digest in it."""
    key = models.CharField(max_length=16)
    """Which key signed it: a fingerprint that tells nothing of the key."""
    signature = models.CharField(max_length=64)

    class Meta:
        ordering = ["number"]

    def __str__(self) -> str:
        return f"seal {self.number}: {self.entries}"


# The only ways in which a row is written again (docs/explanation/audit.md#erasing-somebody).


def _written_again() -> "models.QuerySet[AuditEntry]":
    return models.QuerySet(AuditEntry)


def hold(entries: Iterable[int], *, seal: int) -> int:
    """Say that a seal holds these entries; gives of how many it is new. Nothing that they say is
    touched.
    """
    return _written_again().filter(pk__in=list(entries), seal=None).update(seal=seal)


def erase(entries: Iterable[AuditEntry], *, wrong: Collection[int]) -> None:
    """Keep what these entries say now, without a name that was in them, beside the digest of what
    they said. Without the salt nobody can find the name by trying.

    `wrong`: those that did not say what was noted; they lose the name too, and are still found.
    """
    rows = list(entries)
    for row in rows:
        if row.pk not in wrong:
            row.salt = ""
            row.mark = mark_of(row.digest, row.content)
    _written_again().bulk_update(
        rows, ["actor", "subject", "details", "salt", "mark"], batch_size=100
    )


def mark_again(entries: Iterable[AuditEntry]) -> None:
    """Mark entries with the first key; the caller has seen that their marks are right."""
    rows = list(entries)
    for row in rows:
        row.mark = mark_of(row.digest, None if row.salt else row.content)
    _written_again().bulk_update(rows, ["mark"], batch_size=100)
