"""What the systems were seen to hold otherwise than the records say, and the walks that saw it."""

import uuid

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from workspace_manager.records.choices import without_labels
from workspace_manager.records.fields import MessageField


class ReconcileRun(models.Model):
    """One comparison of everything, system by system."""

    class State(models.TextChoices):
        RUNNING = "running", _("running")
        """Some system is still read, or waits to be."""
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
    """How far a run is with one system: a run that was killed goes on at the cursor."""

    class State(models.TextChoices):
        PENDING = "pending", _("not yet")
        """To be read, or read as far as the cursor."""
        WAITING = "waiting", _("waiting")
        """It could not be read just now; the reason says why."""
        DONE = "done", _("done")
        """All of it was read."""
        UNREAD = "unread", _("not read")
        """It was not read in this run; the reason says why."""

    ENDED = (State.DONE, State.UNREAD)

    run = models.ForeignKey(ReconcileRun, on_delete=models.CASCADE, related_name="parts")
    system = models.CharField(max_length=40)
    state = models.CharField(max_length=20, choices=without_labels(State), default=State.PENDING)
    cursor = models.TextField(blank=True)
    """Where the next page begins; "" before the first and after the last one."""
    pages = models.PositiveIntegerField(default=0)
    seen = models.PositiveIntegerField(default=0)
    """How many accounts and things were read."""
    listed = models.BooleanField(default=False)
    """The last page was read: what is missing can be said."""
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    reason = MessageField()
    unsure = models.JSONField(default=list)
    """Kinds of which something may be there that no page showed."""
    not_looked_at = models.PositiveIntegerField(default=0)
    """How many differences last because their own things were not looked at in this run."""

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["run", "system"], name="part_once")]

    def __str__(self) -> str:
        return f"{self.system}: {self.state}"


class ReconcileSeen(models.Model):
    """A recorded thing that a walk has shown; gone with the end of its part."""

    part = models.ForeignKey(ReconcilePart, on_delete=models.CASCADE, related_name="shown")
    kind = models.CharField(max_length=60)
    name = models.CharField(max_length=255)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["part", "kind", "name"], name="shown_once")]

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"


class ReconcileItem(models.Model):
    """One difference: the same thing from when a walk first saw it until its own thing was looked
    for and seen without it.
    """

    class Difference(models.TextChoices):
        UNKNOWN_ACCOUNT = "unknown_account", _("orphaned account")
        """An account that nobody here has."""
        UNKNOWN_THING = "unknown_thing", _("orphaned component")
        """A database, repository, stack, … that no record knows."""
        MISSING = "missing", _("missing")
        """It is recorded, and is not there."""
        IDENTITY_RECREATED = "identity_recreated", _("user created again")
        """A user of somebody's name with another `sub`."""
        IDENTITY_GONE = "identity_gone", _("user deleted")
        """The user that somebody signs in as is not there any more."""
        IDENTITY_DISABLED = "identity_disabled", _("user disabled")
        """Somebody who is active here is disabled there."""
        WRONG_SUB = "wrong_sub", _("account of another id")
        """Somebody's account belongs to a `sub` that is not theirs."""
        OPEN_WHILE_SUSPENDED = "open_while_suspended", _("open while suspended")
        """Somebody who is suspended can get in."""
        HOLDER_NOT_SHARED = "holder_not_shared", _("right without a share")
        """An account may use a thing, and by the records has no right to."""
        HOLDER_LACKS = "holder_lacks", _("missing right")
        """Somebody has a right by the records, and not there."""

    n = models.BigAutoField(primary_key=True)
    """The number it is known by."""
    difference = models.CharField(max_length=30, choices=without_labels(Difference))
    system = models.CharField(max_length=40)
    kind = models.CharField(max_length=60)
    name = models.CharField(max_length=255)
    holder = models.CharField(max_length=255, blank=True)
    """Of a thing: the account there whose right it is about."""
    target = models.JSONField(default=dict)
    """What a change of it is sent to."""
    username = models.CharField(max_length=255, blank=True, db_index=True)
    """Whose it may be: a person here, by the records; "" where nobody's name is known."""
    sub = models.CharField(max_length=255, blank=True)
    """The rest is as the system says: to whom at the identity provider it belongs, …"""
    login_name = models.CharField(max_length=255, blank=True)
    """… the name its person signs in with, …"""
    email = models.CharField(max_length=254, blank=True)
    email_confirmed = models.BooleanField(default=False)
    full_name = models.CharField(max_length=255, blank=True)
    ours = models.BooleanField(default=False)
    """… and whether it carries a mark that only the manager leaves."""
    evidence = MessageField()
    """What the system showed."""
    reason = MessageField()
    """Why that is a difference."""
    last_run = models.ForeignKey(
        ReconcileRun, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    first_seen = models.DateTimeField()
    last_seen = models.DateTimeField()
    looked_at = models.DateTimeField(null=True, blank=True)
    """When its own thing was looked for last; null: never, a list lacked it."""
    ended_at = models.DateTimeField(null=True, blank=True)
    ignored_until = models.DateTimeField(null=True, blank=True)
    ignored_why = models.TextField(blank=True)
    ignored_by = models.CharField(max_length=255, blank=True)
    plan = models.UUIDField(null=True, blank=True)
    """The plan that repairs it, as the last one who asked for that was shown."""

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
