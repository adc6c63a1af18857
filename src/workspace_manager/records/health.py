"""How the connected systems stand, stood, and what their checks found and find no more."""

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from workspace_manager.records.choices import without_labels
from workspace_manager.records.fields import MessageField


class Health(models.Model):
    """How one system stands now, and when it is looked at next."""

    class State(models.TextChoices):
        UP = "up", _("answers")
        """It answers as it should."""
        DEGRADED = "degraded", _("degraded")
        """It answers, and is slow, in maintenance, refuses us something or fails a check."""
        DOWN = "down", _("not available")
        """It does not answer, says "not now", or something else answers in its place."""
        PAUSED = "paused", _("paused")
        """It is not called: a person said so, or it refused our credential."""
        NOT_ASKED = "not_asked", _("not checked")
        """Nobody knows: it is not configured, or was not looked at."""

    class Teller(models.TextChoices):
        SETTINGS = "settings"
        """Its settings say that it cannot be asked."""
        PAUSE = "pause"
        LOOK = "look"
        """A look without a credential."""
        PROOF = "proof"
        """A look with ours."""
        CHECK = "check"

    system = models.CharField(max_length=40, primary_key=True)
    state = models.CharField(max_length=20, choices=without_labels(State), default=State.NOT_ASKED)
    since = models.DateTimeField(default=timezone.now)
    reason = MessageField()
    """Why it is not up."""
    told_by = models.CharField(max_length=20, choices=Teller.choices, blank=True)
    asked_for = models.CharField(max_length=20, blank=True)
    """What made somebody look before its time: a call in trouble, a refusal; "" for its time."""
    answered_at = models.DateTimeField(null=True, blank=True)
    """When it last answered a look."""
    latency_ms = models.PositiveIntegerField(null=True, blank=True)
    """How long that took."""
    looked_at = models.DateTimeField(null=True, blank=True)
    look_at = models.DateTimeField(null=True, blank=True)
    """When it is looked at next."""
    proven_at = models.DateTimeField(null=True, blank=True)
    """When it was last asked with our credential."""
    prove_at = models.DateTimeField(null=True, blank=True)
    proof_reason = MessageField()
    """Why that did not go well; null where it did."""
    proof_cause = models.CharField(max_length=20, blank=True)
    """Which of the five errors that was."""
    tried_at = models.DateTimeField(null=True, blank=True)
    """When its check was last made by itself, or tried."""
    check_at = models.DateTimeField(null=True, blank=True)
    counted_at = models.DateTimeField(null=True, blank=True)
    """Up to when the strip is counted."""

    def __str__(self) -> str:
        return f"{self.system}: {self.state}"


class HealthSpan(models.Model):
    """How many seconds of an hour or a day one system was how; what is missing to the whole, nobody
    knows.
    """

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
    """Something that the checks of a system found: one thing from when it was first seen until a
    check sees it no more.
    """

    system = models.CharField(max_length=40)
    key = models.CharField(max_length=200)
    """What was looked for and what was found, without what varies in it."""
    severity = models.CharField(max_length=10)
    finding = models.JSONField()
    """As the last check that saw it put it."""
    first_seen = models.DateTimeField()
    last_seen = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-first_seen", "id"]
        indexes = [models.Index(fields=["system", "closed_at"], name="finding_open")]

    def __str__(self) -> str:
        return f"{self.system}: {self.key}"
