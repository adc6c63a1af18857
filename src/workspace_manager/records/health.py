"""Health of the connected systems: state, history and findings."""

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from workspace_manager.records.choices import without_labels
from workspace_manager.records.fields import MessageField


class Health(models.Model):
    """The current state of a system, and its schedule of looks."""

    class State(models.TextChoices):
        UP = "up", _("answers")
        DEGRADED = "degraded", _("degraded")
        """It is slow, in maintenance, refuses some of our calls, or fails a check."""
        DOWN = "down", _("not available")
        """It does not answer or is temporarily unavailable, or another server answers in its
        place.
        """
        PAUSED = "paused", _("paused")
        """It is not called: an administrator paused it, or it refused our credential."""
        NOT_ASKED = "not_asked", _("not checked")
        """Unknown: it is not configured, or was not looked at."""

    class Teller(models.TextChoices):
        SETTINGS = "settings"
        """Its settings do not allow calls."""
        PAUSE = "pause"
        LOOK = "look"
        """A look without a credential."""
        PROOF = "proof"
        """A call with our credential."""
        CHECK = "check"

    system = models.CharField(max_length=40, primary_key=True)
    state = models.CharField(max_length=20, choices=without_labels(State), default=State.NOT_ASKED)
    since = models.DateTimeField(default=timezone.now)
    reason = MessageField()
    """Why it is not up."""
    told_by = models.CharField(max_length=20, choices=Teller.choices, blank=True)
    asked_for = models.CharField(max_length=20, blank=True)
    """What caused an early look: a failed call, a refusal; "" for a scheduled one."""
    answered_at = models.DateTimeField(null=True, blank=True)
    """When it last answered a look."""
    latency_ms = models.PositiveIntegerField(null=True, blank=True)
    """Milliseconds of that answer."""
    looked_at = models.DateTimeField(null=True, blank=True)
    look_at = models.DateTimeField(null=True, blank=True)
    proven_at = models.DateTimeField(null=True, blank=True)
    """When it was last called with our credential."""
    prove_at = models.DateTimeField(null=True, blank=True)
    proof_reason = MessageField()
    """Why that failed; null if it did not."""
    proof_cause = models.CharField(max_length=20, blank=True)
    """Which of the five errors that was."""
    tried_at = models.DateTimeField(null=True, blank=True)
    """When the scheduled check was last run or tried."""
    check_at = models.DateTimeField(null=True, blank=True)
    counted_at = models.DateTimeField(null=True, blank=True)
    """The health strip covers the time until then."""

    def __str__(self) -> str:
        return f"{self.system}: {self.state}"


class HealthSpan(models.Model):
    """Seconds that a system spent in each state during an hour or day; the rest is unknown."""

    class Unit(models.TextChoices):
        HOUR = "hour"
        DAY = "day"

    system = models.CharField(max_length=40)
    unit = models.CharField(max_length=5, choices=Unit.choices)
    begins = models.DateTimeField()
    up = models.FloatField(default=0)
    degraded = models.FloatField(default=0)
    down = models.FloatField(default=0)
    paused = models.FloatField(default=0)
    not_asked = models.FloatField(default=0)

    class Meta:
        ordering = ["begins"]
        constraints = [
            models.UniqueConstraint(fields=["system", "unit", "begins"], name="span_once")
        ]

    def __str__(self) -> str:
        return f"{self.system}, {self.unit} of {self.begins:%Y-%m-%d %H:%M}"


class HealthFinding(models.Model):
    """A finding of a system's checks, from when it was first seen until a check no longer
    sees it.
    """

    system = models.CharField(max_length=40)
    key = models.CharField(max_length=200)
    """The identity of the finding, without its varying parts."""
    severity = models.CharField(max_length=10)
    finding = models.JSONField()
    """The finding as the last check reported it."""
    first_seen = models.DateTimeField()
    last_seen = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-first_seen", "id"]
        indexes = [models.Index(fields=["system", "closed_at"], name="finding_open")]

    def __str__(self) -> str:
        return f"{self.system}: {self.key}"
