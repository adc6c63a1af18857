"""Plans and their journal. The rows are the truth: a killed worker loses nothing that is not
written here.

A plan's `document_text` is what was shown and approved, never touched again; `PlanStep` and
`PlanChange` rows say how far it came.
"""

import json
import uuid
from functools import cached_property
from typing import Any

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from workspace_manager.records.choices import without_labels
from workspace_manager.records.fields import MessageField, MessagesField, SecretField
from workspace_manager.records.people import Person


class Plan(models.Model):
    """One document of ordered steps about one person. People are named by text: the row outlives
    them.
    """

    class State(models.TextChoices):
        DRAFT = "draft", _("preview")
        """Shown to somebody; nothing of it is done before it is approved."""
        RUNNING = "running", _("running")
        """Something can be done about it now."""
        WAITING = "waiting", _("waiting")
        """What can be done is done; the rest waits for its time, for a system, or for a person to
        be let back in.
        """
        STUCK = "stuck", _("stuck")
        """At least one step needs a person; what does not need that step goes on all the same."""
        DONE = "done", _("done")
        """Every step has ended."""
        STALE = "stale", _("out of date")
        """A draft that is not true any more; it can not be approved."""
        SUPERSEDED = "superseded", _("replaced")
        """Stopped for good, since another plan took its place."""

    class RecheckState(models.TextChoices):
        PENDING = "pending", _("not yet")
        """It is not due, or waits for a system."""
        CLEAN = "clean", _("clean")
        """Nothing came back."""
        REMOVED = "removed", _("removed again")
        """Something came back and was removed again."""
        STUCK = "stuck", _("stuck")
        SKIPPED = "skipped", _("skipped")
        """Nobody looked."""

    OPEN = (State.RUNNING, State.WAITING, State.STUCK)
    CLOSED = (State.DONE, State.STALE, State.SUPERSEDED)
    """It has ended; what is written to it later is noted (`audit/plan_notes.py`)."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    kind = models.CharField(max_length=60)
    person = models.CharField(max_length=255, db_index=True)
    """The user name, in words."""
    subject = models.CharField(max_length=64, db_index=True)
    """The person's own id, as text."""
    about = models.CharField(max_length=64, blank=True, db_index=True)
    """The id of the component or project this makes or removes, if it is about one."""
    state = models.CharField(max_length=20, choices=without_labels(State), default=State.DRAFT)
    document_text = models.TextField(default="{}")
    """The document as it was shown, as canonical text: written once."""
    digest = models.CharField(max_length=64)
    """The SHA-256 of that text: written once."""
    removed = models.JSONField(default=list)
    """What had gone when it was approved: `[{"n", "position"}]` of changes of the document."""
    added = models.JSONField(default=list)
    """What was added when it was approved: `[{"n", "position", "what"}]`."""
    by_hand = MessagesField()
    """What no step can do, as it stood when the plan was made or approved."""
    remarks = MessagesField()
    """For the reader of the preview, likewise."""
    findings = MessagesField()
    """What was found besides while it ran."""
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.CharField(max_length=255, blank=True)
    approved_at = models.DateTimeField(null=True, blank=True)
    approved_by = models.CharField(max_length=255, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    due_at = models.DateTimeField(null=True, blank=True, db_index=True)
    """When somebody has to look at it again; None when nothing is to do."""
    invariants = models.JSONField(default=list)
    """What a step brought about that has to stay so, and since when it stands
    (`engine/invariants.py`).
    """
    belongs_to = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.CASCADE, related_name="rechecks"
    )
    """The removal that this plan looks after; such a plan is shown with it, and not by itself."""
    recheck_due_at = models.DateTimeField(null=True, blank=True)
    """When what a token could bring back has to be looked for; of a removal, as the next two."""
    recheck_state = models.CharField(max_length=20, blank=True)
    """One of `RecheckState`; "" before the identity ended."""
    recheck_found = MessagesField()
    """What the first recheck found."""
    lease_owner = models.CharField(max_length=64, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    lease_number = models.PositiveIntegerField(default=0)
    """Raised with each lease and when the plan is stopped: a slow "dead" worker cannot write a
    result.
    """

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"{self.kind} for {self.person} ({self.state})"

    subject_is_here: bool | None = None
    """No column: whether the person's row is still there, where it was asked for many plans at
    once.
    """
    steps_in_order: "list[PlanStep]"
    """No column: likewise, its steps with their changes."""

    @cached_property
    def document(self) -> dict[str, Any]:
        """The document as plain data."""
        document: dict[str, Any] = json.loads(self.document_text)
        return document


class PlanStep(models.Model):
    """How far one step came, and in words why it is not further."""

    class State(models.TextChoices):
        PENDING = "pending", _("not yet")
        """Not begun, or to be tried again; it may need the end of other steps."""
        RUNNING = "running", _("running")
        """A call of it was sent."""
        DONE = "done", _("done")
        """All of it was seen to be as it shall be."""
        ALREADY_GONE = "already_gone", _("already gone")
        """Nothing was there to remove."""
        WAITING = "waiting", _("waiting")
        """Tried in vain; it goes on at a time, or when what it waits for comes."""
        STUCK = "stuck", _("stuck")
        """Tried in vain; a person has to decide."""
        SKIPPED = "skipped", _("skipped")
        """Left out, by the plan or by a person; the reason says why."""
        BY_HAND = "by_hand", _("by hand")
        """A person did it, or has to."""

    ENDED = (State.DONE, State.ALREADY_GONE, State.SKIPPED, State.BY_HAND)

    plan = models.ForeignKey(Plan, on_delete=models.CASCADE, related_name="steps")
    n = models.PositiveIntegerField()
    name = models.CharField(max_length=60)
    system = models.CharField(max_length=40)
    needs = models.JSONField(default=list)
    state = models.CharField(max_length=20, choices=without_labels(State), default=State.PENDING)
    reason = MessageField()
    advice = MessageField()
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
    """The journal row of one change: RUNNING is committed before the call, the outcome after the
    fresh look.
    """

    class State(models.TextChoices):
        PENDING = "pending", _("not yet")
        """Nothing was sent."""
        RUNNING = "running", _("running")
        """It was sent, and nobody wrote down yet what became of it."""
        DONE = "done", _("done")
        """We did it, and a fresh look showed it."""
        ALREADY = "already", _("no change needed")
        """A look showed that nothing was to do."""
        BY_HAND = "by_hand", _("by hand")
        """The system cannot do it; a person has to."""
        LEFT_ALONE = "left_alone", _("left alone")
        """What is there is somebody else's by now."""

    ENDED = (State.DONE, State.ALREADY, State.BY_HAND, State.LEFT_ALONE)

    step = models.ForeignKey(PlanStep, on_delete=models.CASCADE, related_name="changes")
    position = models.PositiveIntegerField()
    kind = models.CharField(max_length=60)
    name = models.TextField()
    """What it is about, for people: the account, database or container name. A container's has no
    longest length: its escape makes twelve characters of one.
    """
    change = models.JSONField()
    state = models.CharField(max_length=20, choices=without_labels(State), default=State.PENDING)
    needs = models.JSONField(default=list)
    reason = MessageField()
    evidence = models.JSONField(default=list)
    """What the fresh look showed; the step gathers it when it ends or stops."""
    outcome = models.JSONField(null=True, blank=True)
    sent_at = models.DateTimeField(null=True, blank=True)
    """When the call was last about to be made."""
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["step", "position"]
        constraints = [models.UniqueConstraint(fields=["step", "position"], name="change_once")]

    def __str__(self) -> str:
        return f"{self.kind} {self.name}: {self.state}"


class PlanNote(models.Model):
    """What an ended plan is held to, member by member; the audit has the digest of it
    (`records/plan_content.py`). It goes with the plan, and with it whatever the digest tells.
    """

    plan = models.OneToOneField(
        Plan, primary_key=True, on_delete=models.CASCADE, related_name="note"
    )
    salt = models.CharField(max_length=64, editable=False)
    members = models.TextField(editable=False)
    """Commitments by member, as canonical text."""

    def __str__(self) -> str:
        return f"note of {self.plan_id}"


class VaultEntry(models.Model):
    """A secret on its way to a system: a plan's is stored before the first call and erased when the
    plan closes.

    One without a plan is an app password that the drive issued and that is not kept yet.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    plan = models.ForeignKey(Plan, null=True, on_delete=models.CASCADE, related_name="vault")
    issued_for = models.ForeignKey(
        Person, null=True, on_delete=models.CASCADE, related_name="issued"
    )
    secret = SecretField()
    created_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"vault/{self.id}"


class Lock(models.Model):
    """A named lock in the database: writes to one identity-provider user are serialised by
    `identity_provider:<sub>`.
    """

    name = models.CharField(max_length=300, primary_key=True)
    owner = models.CharField(max_length=64)
    until = models.DateTimeField()

    def __str__(self) -> str:
        return self.name
