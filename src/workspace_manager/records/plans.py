"""Plans and their journal. The rows are authoritative: a killed worker loses nothing.

A plan's `document_text` is what was shown and approved, and never changes; `PlanStep` and
`PlanChange` rows hold its progress.
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
    """A document of ordered steps about one person. People are named by text, since the row
    outlives them.
    """

    class State(models.TextChoices):
        DRAFT = "draft", _("preview")
        """Shown to somebody; nothing happens before its approval."""
        RUNNING = "running", _("running")
        """A step can run now."""
        WAITING = "waiting", _("waiting")
        """No step can run now: the rest waits for a time, for a system, or for a person's
        resumption.
        """
        STUCK = "stuck", _("stuck")
        """At least one step needs a person; steps that do not need it continue."""
        DONE = "done", _("done")
        """Every step has ended."""
        STALE = "stale", _("out of date")
        """An outdated draft, which can not be approved."""
        SUPERSEDED = "superseded", _("replaced")
        """Stopped for good, because another plan replaced it."""

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
    """Ended; later changes are noted (`audit/plan_notes.py`)."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    kind = models.CharField(max_length=60)
    person = models.CharField(max_length=255, db_index=True)
    """The user name."""
    subject = models.CharField(max_length=64, db_index=True)
    """The person's own id, as text."""
    about = models.CharField(max_length=64, blank=True, db_index=True)
    """The id of the component or project that it makes or deletes, if any."""
    state = models.CharField(max_length=20, choices=without_labels(State), default=State.DRAFT)
    document_text = models.TextField(default="{}")
    """The document as it was shown, as canonical text: written once."""
    digest = models.CharField(max_length=64)
    """The SHA-256 of that text: written once."""
    removed = models.JSONField(default=list)
    """Changes of the document that were gone at the approval: `[{"n", "position"}]`."""
    added = models.JSONField(default=list)
    """Changes that were added at the approval: `[{"n", "position", "what"}]`."""
    by_hand = MessagesField()
    """Manual work, as of the plan's making or approval."""
    remarks = MessagesField()
    """Remarks for the preview, as of the same moment."""
    findings = MessagesField()
    """Further findings while it ran."""
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.CharField(max_length=255, blank=True)
    approved_at = models.DateTimeField(null=True, blank=True)
    approved_by = models.CharField(max_length=255, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    due_at = models.DateTimeField(null=True, blank=True, db_index=True)
    """When it has to be looked at again; None for never."""
    invariants = models.JSONField(default=list)
    """States that steps reached and that have to stay, and since when (`engine/invariants.py`)."""
    belongs_to = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.CASCADE, related_name="rechecks"
    )
    """The removal that this plan follows up; such a plan is shown with it, and not by itself."""
    recheck_due_at = models.DateTimeField(null=True, blank=True)
    """When to look for accounts that a token may have brought back; like the next two, of a
    removal.
    """
    recheck_state = models.CharField(max_length=20, blank=True)
    """One of `RecheckState`; "" before the identity ended."""
    recheck_found = MessagesField()
    """Findings of the first follow-up check."""
    lease_owner = models.CharField(max_length=64, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    lease_number = models.PositiveIntegerField(default=0)
    """Incremented by each lease and when the plan is stopped, so that a slow worker that was taken
    for dead cannot save a result.
    """

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"{self.kind} for {self.person} ({self.state})"

    subject_is_here: bool | None = None
    """No column: whether the person's row exists, if it was queried for many plans at once."""
    steps_in_order: "list[PlanStep]"
    """No column: its steps with their changes, likewise."""

    @cached_property
    def document(self) -> dict[str, Any]:
        document: dict[str, Any] = json.loads(self.document_text)
        return document


class PlanStep(models.Model):
    """The progress of one step, and why it is held up."""

    class State(models.TextChoices):
        PENDING = "pending", _("not yet")
        """Not begun, or to be tried again; it may need the end of other steps."""
        RUNNING = "running", _("running")
        """A call was sent."""
        DONE = "done", _("done")
        """A check showed all of it as wanted."""
        ALREADY_GONE = "already_gone", _("already gone")
        """There was nothing to remove."""
        WAITING = "waiting", _("waiting")
        """An attempt failed; the step continues at a time, or when its cause ends."""
        STUCK = "stuck", _("stuck")
        """An attempt failed, and a person has to decide."""
        SKIPPED = "skipped", _("skipped")
        """Left out, by the plan or by a person; the reason says why."""
        BY_HAND = "by_hand", _("by hand")
        """Done by a person, or to be done by one."""

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
    """The one of the five errors that holds it up, which decides what can wake it."""
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
    """The journal row of one change: RUNNING is committed before the call, the result after the
    check that follows it.
    """

    class State(models.TextChoices):
        PENDING = "pending", _("not yet")
        """Nothing was sent."""
        RUNNING = "running", _("running")
        """It was sent, and the result is not recorded yet."""
        DONE = "done", _("done")
        """We made it, and a check showed it."""
        ALREADY = "already", _("no change needed")
        """A check showed that nothing was to do."""
        BY_HAND = "by_hand", _("by hand")
        """The system cannot do it; a person has to."""
        LEFT_ALONE = "left_alone", _("left alone")
        """The thing belongs to somebody else by now."""

    ENDED = (State.DONE, State.ALREADY, State.BY_HAND, State.LEFT_ALONE)

    step = models.ForeignKey(PlanStep, on_delete=models.CASCADE, related_name="changes")
    position = models.PositiveIntegerField()
    kind = models.CharField(max_length=60)
    name = models.TextField()
    """The account, database or container, for people. Containers' names have no maximum length,
    since escaping turns one character into twelve.
    """
    change = models.JSONField()
    state = models.CharField(max_length=20, choices=without_labels(State), default=State.PENDING)
    needs = models.JSONField(default=list)
    reason = MessageField()
    evidence = models.JSONField(default=list)
    """The result of the check; collected in the step when it ends or stops."""
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
    """The commitments of an ended plan by member; the audit log has their digest
    (`records/plan_content.py`). Deleted with the plan, which makes the digest useless.
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
    """A secret on its way to a system: stored before a plan's first call, erased when the plan
    closes.

    An entry without a plan is an app password that the drive issued and that is not stored
    elsewhere yet.
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
    """A named lock in the database; `identity_provider:<sub>` serialises writes to a user."""

    name = models.CharField(max_length=300, primary_key=True)
    owner = models.CharField(max_length=64)
    until = models.DateTimeField()

    def __str__(self) -> str:
        return self.name
