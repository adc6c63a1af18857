"""Comparisons of systems with the records, and the differences they found."""

import uuid

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from workspace_manager.records.choices import without_labels
from workspace_manager.records.fields import MessageField


class ReconcileRun(models.Model):
    """One comparison of all systems."""

    class State(models.TextChoices):
        RUNNING = "running", _("running")
        """A system is being read, or waits for it."""
        DONE = "done", _("done")
        """Every system was read, or its part says why not."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    started_at = models.DateTimeField(default=timezone.now, db_index=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    started_by = models.CharField(max_length=255)
    state = models.CharField(max_length=20, choices=without_labels(State), default=State.RUNNING)

    class Meta:
        ordering = ["-started_at"]

    def __str__(self) -> str:
        return f"{self.started_at:%Y-%m-%d %H:%M} ({self.state})"


class ReconcilePart(models.Model):
    """The progress of a run in one system: a killed run continues at the cursor."""

    class State(models.TextChoices):
        PENDING = "pending", _("not yet")
        """To be read from the cursor on."""
        WAITING = "waiting", _("waiting")
        """It could not be read now; the reason says why."""
        DONE = "done", _("done")
        """It was read completely."""
        UNREAD = "unread", _("not read")
        """It was not read in this run; the reason says why."""

    ENDED = (State.DONE, State.UNREAD)

    run = models.ForeignKey(ReconcileRun, on_delete=models.CASCADE, related_name="parts")
    system = models.CharField(max_length=40)
    state = models.CharField(max_length=20, choices=without_labels(State), default=State.PENDING)
    cursor = models.TextField(blank=True)
    """The start of the next page; "" before the first and after the last one."""
    pages = models.PositiveIntegerField(default=0)
    seen = models.PositiveIntegerField(default=0)
    """Accounts and things that were read."""
    listed = models.BooleanField(default=False)
    """The last page was read, so missing things are known."""
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    reason = MessageField()
    unsure = models.JSONField(default=list)
    """Kinds of which pages may have left something out."""
    not_looked_at = models.PositiveIntegerField(default=0)
    """Differences that stay because their things were not checked in this run."""

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["run", "system"], name="part_once")]

    def __str__(self) -> str:
        return f"{self.system}: {self.state}"


class ReconcileSeen(models.Model):
    """A recorded thing that the run has seen; deleted at the end of its part."""

    part = models.ForeignKey(ReconcilePart, on_delete=models.CASCADE, related_name="shown")
    kind = models.CharField(max_length=60)
    name = models.CharField(max_length=255)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["part", "kind", "name"], name="shown_once")]

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"


class ReconcileItem(models.Model):
    """A difference, from when a run first saw it until a check of the thing shows that it is
    over.
    """

    class Difference(models.TextChoices):
        UNKNOWN_ACCOUNT = "unknown_account", _("orphaned account")
        """An account that belongs to nobody in the records."""
        UNKNOWN_THING = "unknown_thing", _("orphaned component")
        """A database, repository or stack without a record."""
        MISSING = "missing", _("missing")
        """A recorded thing that does not exist."""
        IDENTITY_RECREATED = "identity_recreated", _("user created again")
        """A user with a person's name and another `sub`."""
        IDENTITY_GONE = "identity_gone", _("user deleted")
        """A person's user that does not exist any more."""
        IDENTITY_DISABLED = "identity_disabled", _("user disabled")
        """A user that is disabled, while the person is active here."""
        WRONG_SUB = "wrong_sub", _("account of another id")
        """A person's account that belongs to another `sub`."""
        OPEN_WHILE_SUSPENDED = "open_while_suspended", _("open while suspended")
        """Access of a suspended person."""
        HOLDER_NOT_SHARED = "holder_not_shared", _("right without a share")
        """An account with a right to a thing that the records do not give."""
        HOLDER_LACKS = "holder_lacks", _("missing right")
        """A recorded right that is missing."""

    n = models.BigAutoField(primary_key=True)
    """The number in addresses and commands."""
    difference = models.CharField(max_length=30, choices=without_labels(Difference))
    system = models.CharField(max_length=40)
    kind = models.CharField(max_length=60)
    name = models.CharField(max_length=255)
    holder = models.CharField(max_length=255, blank=True)
    """The account whose right differs, for a thing."""
    target = models.JSONField(default=dict)
    """The address for changes."""
    username = models.CharField(max_length=255, blank=True, db_index=True)
    """The possible owner by the records; "" if unknown."""
    sub = models.CharField(max_length=255, blank=True)
    """As the system reports: the owner's `sub` at the identity provider, …"""
    login_name = models.CharField(max_length=255, blank=True)
    """… the owner's name at sign-in, …"""
    email = models.CharField(max_length=254, blank=True)
    email_confirmed = models.BooleanField(default=False)
    full_name = models.CharField(max_length=255, blank=True)
    ours = models.BooleanField(default=False)
    """… and whether it has a mark that only the manager makes."""
    evidence = MessageField()
    """The system's answer."""
    reason = MessageField()
    """Why it is a difference."""
    last_run = models.ForeignKey(
        ReconcileRun, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    first_seen = models.DateTimeField()
    last_seen = models.DateTimeField()
    looked_at = models.DateTimeField(null=True, blank=True)
    """When the thing itself was last checked; null if only a listing lacked it."""
    ended_at = models.DateTimeField(null=True, blank=True)
    ignored_until = models.DateTimeField(null=True, blank=True)
    ignored_why = models.TextField(blank=True)
    ignored_by = models.CharField(max_length=255, blank=True)
    plan = models.UUIDField(null=True, blank=True)
    """The last plan that was shown to repair it."""

    class Meta:
        ordering = ["system", "difference", "name", "n"]
        constraints = [
            models.UniqueConstraint(
                fields=["difference", "system", "kind", "name", "holder"],
                condition=Q(ended_at=None),
                name="item_once",
            )
        ]
        indexes = [models.Index(fields=["system", "ended_at"], name="item_open")]

    def __str__(self) -> str:
        return f"{self.difference}: {self.kind} {self.name}"
