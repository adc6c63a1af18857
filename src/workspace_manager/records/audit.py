"""The audit log: rows that are added and never changed, and the seals that prove it
(docs/explanation/audit.md).
"""

from collections.abc import Collection, Iterable
from typing import Any, ClassVar, Final

from django.db import models
from django.utils import timezone

from workspace_manager.records.audit_marks import Content, digest_of, mark_of, new_salt, plain

NEVER: Final = "an audit entry is never changed or removed"


class _AddedTo(models.QuerySet["AuditEntry"]):
    """A query set that only reads and adds."""

    def bulk_create(self, objs: Iterable["AuditEntry"], *args: Any, **kwargs: Any) -> Any:
        """Add many rows, each with its digest."""
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
    """One event, named `subject:action` ("registration:approved"). People are text, so that rows
    outlive them.
    """

    MANAGER: ClassVar = "manager"
    """The actor of automatic actions."""

    at = models.DateTimeField(default=timezone.now, db_index=True)
    actor = models.CharField(max_length=255)
    event = models.CharField(max_length=60)
    subject = models.CharField(max_length=255, db_index=True)
    details = models.JSONField(default=dict)
    salt = models.CharField(max_length=32, blank=True, editable=False)
    """Random, so that nobody can guess the digested content; "" once somebody was erased from the
    entry.
    """
    digest = models.CharField(max_length=64, blank=True, editable=False)
    """The SHA-256 of the salt and the original content; it never changes."""
    mark = models.CharField(max_length=64, blank=True, editable=False)
    """An HMAC of the digest; for an erased entry also of its present content."""
    seal = models.PositiveBigIntegerField(null=True, editable=False)
    """The number of the seal that covers it; None until the next seal."""

    objects = _AddedTo.as_manager()

    class Meta:
        ordering = ["at", "id"]
        indexes = [
            models.Index(fields=["seal", "id"], name="audit_sealed"),
            # Without it a search for a rare actor reads the whole table
            # (docs/explanation/audit.md#measured).
            models.Index(fields=["actor", "at"], name="audit_actor"),
            models.Index(fields=["event", "at"], name="audit_event"),
        ]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.actor} {self.event} {self.subject}"

    @property
    def content(self) -> Content:
        return Content(self.at, self.actor, self.event, self.subject, self.details)

    def commit(self) -> None:
        """Set salt, digest and mark of a new entry."""
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
    """A series of entries in the order of their ids, chained to the previous seal and signed."""

    number = models.PositiveBigIntegerField(primary_key=True)
    """Consecutive from 1."""
    at = models.DateTimeField(default=timezone.now)
    first = models.PositiveBigIntegerField()
    last = models.PositiveBigIntegerField()
    count = models.PositiveIntegerField()
    entries = models.TextField()
    """The ids, as in `1-57,59`, so that missing and inserted entries can be named."""
    digest = models.CharField(max_length=64)
    """The SHA-256 of the previous seal's digest and of each id and digest."""
    key = models.CharField(max_length=16)
    """The fingerprint of the signing key, which reveals nothing about the key."""
    signature = models.CharField(max_length=64)

    class Meta:
        ordering = ["number"]

    def __str__(self) -> str:
        return f"seal {self.number}: {self.entries}"


# The only ways to change a row (docs/explanation/audit.md#erasing-somebody).


def _written_again() -> "models.QuerySet[AuditEntry]":
    return models.QuerySet(AuditEntry)


def hold(entries: Iterable[int], *, seal: int) -> int:
    """Mark these entries as covered by a seal, without touching their content; return how many are
    new.
    """
    return _written_again().filter(pk__in=list(entries), seal=None).update(seal=seal)


def erase(entries: Iterable[AuditEntry], *, wrong: Collection[int]) -> None:
    """Save the present content of these entries, without a name, beside the digest of the original.
    Without the salt nobody can guess the name.

    `wrong`: entries whose content did not match their digest; they lose the name and stay
    detectable.
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
    """Mark entries with the first key; the caller has verified their marks."""
    rows = list(entries)
    for row in rows:
        row.mark = mark_of(row.digest, None if row.salt else row.content)
    _written_again().bulk_update(rows, ["mark"], batch_size=100)
