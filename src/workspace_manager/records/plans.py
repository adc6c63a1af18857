"""Plans and their journal. The rows are the truth: a killed worker loses nothing that is not written here.

A plan's `document` is the frozen value that was previewed and signed; `PlanStep` and `PlanChange` rows say how far it came.
"""

import uuid

from django.db import models
from django.utils import timezone

from workspace_manager.records.fields import SecretField


class Plan(models.Model):
    """One document of ordered steps about one person. People are named by text: the row outlives them."""

    class State(models.TextChoices):
        DRAFT = "draft"
        RUNNING = "running"
        WAITING = "waiting"
        STUCK = "stuck"
        DONE = "done"
        STALE = "stale"
        SUPERSEDED = "superseded"

    OPEN = (State.RUNNING, State.WAITING, State.STUCK)

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    kind = models.CharField(max_length=60)
    person = models.CharField(max_length=255, db_index=True)
    """The user name, in words."""
    subject = models.CharField(max_length=64, db_index=True)
    """The person's own id, as text."""
    about = models.CharField(max_length=64, blank=True, db_index=True)
    """The id of the component or project this makes or removes, if it is about one."""
    state = models.CharField(max_length=20, choices=State.choices, default=State.DRAFT)
    document = models.JSONField()
    digest = models.CharField(max_length=64)
    findings = models.JSONField(default=list)
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.CharField(max_length=255, blank=True)
    approved_at = models.DateTimeField(null=True, blank=True)
    approved_by = models.CharField(max_length=255, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    due_at = models.DateTimeField(null=True, blank=True, db_index=True)
    """When somebody has to look at it again; None when nothing is to do."""
    fenced_at = models.DateTimeField(null=True, blank=True)
    late_look_due_at = models.DateTimeField(null=True, blank=True)
    late_look_state = models.CharField(max_length=20, blank=True)
    late_look_attempts = models.PositiveIntegerField(default=0)
    late_look_text = models.TextField(blank=True)
    lease_owner = models.CharField(max_length=64, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    fence = models.PositiveIntegerField(default=0)
    """Fencing number: raised by each claim; a slow "dead" worker cannot write a result."""

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"{self.kind} for {self.person} ({self.state})"


class PlanStep(models.Model):
    """How far one step came, and in words why it is not further."""

    class State(models.TextChoices):
        PENDING = "pending"
        RUNNING = "running"
        DONE = "done"
        ALREADY_GONE = "already_gone"
        WAITING = "waiting"
        STUCK = "stuck"
        SKIPPED = "skipped"
        BY_HAND = "by_hand"

    ENDED = (State.DONE, State.ALREADY_GONE, State.SKIPPED, State.BY_HAND)

    plan = models.ForeignKey(Plan, on_delete=models.CASCADE, related_name="steps")
    n = models.PositiveIntegerField()
    name = models.CharField(max_length=60)
    system = models.CharField(max_length=40)
    needs = models.JSONField(default=list)
    state = models.CharField(max_length=20, choices=State.choices, default=State.PENDING)
    reason = models.TextField(blank=True)
    advice = models.TextField(blank=True)
    cause = models.CharField(max_length=20, blank=True)
    """Which of the five errors it waits or is stuck on: decides what may wake it."""
    attempts = models.PositiveIntegerField(default=0)
    since = models.DateTimeField(default=timezone.now)
    next_try_at = models.DateTimeField(null=True, blank=True)
    evidence = models.JSONField(default=list)

    class Meta:
        ordering = ["plan", "n"]
        constraints = [models.UniqueConstraint(fields=["plan", "n"], name="step_once")]

    def __str__(self) -> str:
        return f"{self.n} {self.name}: {self.state}"


class PlanChange(models.Model):
    """The journal row of one change: RUNNING is committed before the call, the outcome after the fresh look."""

    class State(models.TextChoices):
        PENDING = "pending"
        RUNNING = "running"
        DONE = "done"
        ALREADY = "already"
        BY_HAND = "by_hand"

    ENDED = (State.DONE, State.ALREADY, State.BY_HAND)

    step = models.ForeignKey(PlanStep, on_delete=models.CASCADE, related_name="changes")
    position = models.PositiveIntegerField()
    kind = models.CharField(max_length=60)
    name = models.CharField(max_length=300)
    """What it is about, for people: the account, database or container name."""
    change = models.JSONField()
    state = models.CharField(max_length=20, choices=State.choices, default=State.PENDING)
    needs = models.JSONField(default=list)
    reason = models.TextField(blank=True)
    outcome = models.JSONField(null=True, blank=True)
    sent_at = models.DateTimeField(null=True, blank=True)
    """When the call was last about to be made."""
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["step", "position"]
        constraints = [models.UniqueConstraint(fields=["step", "position"], name="change_once")]

    def __str__(self) -> str:
        return f"{self.kind} {self.name}: {self.state}"


class VaultEntry(models.Model):
    """A secret on its way to a system: a plan's is stored before the first call and erased when the plan closes.

    One without a plan is the drive's app password while it is stored in the identity provider.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    plan = models.ForeignKey(Plan, null=True, on_delete=models.CASCADE, related_name="vault")
    secret = SecretField()
    created_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"vault/{self.id}"


class Lock(models.Model):
    """A named lock in the database: writes to one identity-provider user are serialised by `identity_provider:<sub>`."""

    name = models.CharField(max_length=300, primary_key=True)
    owner = models.CharField(max_length=64)
    until = models.DateTimeField()

    def __str__(self) -> str:
        return self.name
