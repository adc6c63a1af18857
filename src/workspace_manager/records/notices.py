"""What others are told: programs by webhooks, people by letters about what waits for them."""

import uuid

from django.db import models
from django.utils import timezone

from workspace_manager.records.fields import MessageField, SecretField
from workspace_manager.records.people import Person


class WebhookEndpoint(models.Model):
    """An address that is told of events, and what signs what it is sent."""

    class Disabled(models.TextChoices):
        PERSON = "person"
        """Somebody said so."""
        GONE = "gone"
        """It answered 410: nothing is to be sent there any more."""
        FAILING = "failing"
        """It took nothing for days."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    origin = models.CharField(max_length=500)
    """Where it leads, as it is shown: scheme, host and port of the address."""
    address = SecretField()
    """All of it: what follows the host may be a password to the other end."""
    label = models.CharField(max_length=100)
    events = models.JSONField(default=list)
    """Types of events, `registration.*` or `*`."""
    secret = SecretField()
    old_secret = SecretField()
    old_until = models.DateTimeField(null=True, blank=True)
    """Until then the secret from before the last rotation signs too. Of several, `old_secret` has a
    line each, with its own end.
    """
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.CharField(max_length=255)
    disabled = models.CharField(max_length=10, choices=Disabled.choices, blank=True)
    """Why nothing is sent there; "" while it is told."""
    disabled_at = models.DateTimeField(null=True, blank=True)
    failing_since = models.DateTimeField(null=True, blank=True)
    """Since when each try failed."""
    failures = models.PositiveIntegerField(default=0)
    """How many tries failed since then."""
    rests_until = models.DateTimeField(null=True, blank=True)
    """It gave no answer, or was in trouble: nothing is tried before."""
    claimed_until = models.DateTimeField(null=True, blank=True)
    """Somebody sends there at this moment; ends by itself when they are killed."""
    left_out = models.PositiveIntegerField(default=0)
    """Events that were not stored, since too many waited."""

    class Meta:
        ordering = ["created_at", "id"]

    def __str__(self) -> str:
        return self.label


class WebhookDelivery(models.Model):
    """One event on its way to one endpoint; `id` is its `webhook-id` in every try."""

    class State(models.TextChoices):
        WAITING = "waiting"
        """To be sent, or sent again."""
        DELIVERED = "delivered"
        """Answered with a status of 200 to 299."""
        FAILED = "failed"
        """It is not tried again by itself."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    endpoint = models.ForeignKey(
        WebhookEndpoint, on_delete=models.CASCADE, related_name="deliveries"
    )
    type = models.CharField(max_length=80)
    body = models.TextField()
    """As it is signed and sent, to the byte."""
    created_at = models.DateTimeField(default=timezone.now, db_index=True)
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    tries = models.PositiveIntegerField(default=0)
    status = models.PositiveIntegerField(null=True, blank=True)
    """What the last try was answered with; null for no answer."""
    trouble = MessageField()
    """Why the last try did not go well."""
    next_try_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True, blank=True)
    """When it was delivered, or given up."""

    class Meta:
        ordering = ["-created_at", "id"]
        indexes = [models.Index(fields=["endpoint", "state", "next_try_at"], name="delivery_due")]

    def __str__(self) -> str:
        return f"{self.type} to {self.endpoint_id}: {self.state}"


class NoticeChoice(models.Model):
    """How somebody wants to be told of one kind of thing, where it is not as usual."""

    class How(models.TextChoices):
        AT_ONCE = "at_once"
        DAILY = "daily"
        NEVER = "never"

    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="notice_choices")
    kind = models.CharField(max_length=40)
    how = models.CharField(max_length=10, choices=How.choices)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["person", "kind"], name="notice_choice_once")
        ]

    def __str__(self) -> str:
        return f"{self.person_id} {self.kind}: {self.how}"


class NoticeSent(models.Model):
    """Somebody was told of one thing, in one letter. Unique, so that of two workers one tells."""

    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="notices")
    kind = models.CharField(max_length=40)
    key = models.CharField(max_length=300)
    since = models.DateTimeField()
    how = models.CharField(max_length=10, choices=NoticeChoice.How.choices)
    what = MessageField()
    """What it was, for the letter that says that it is over."""
    sent_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True, blank=True)
    """When it was seen to be over."""

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["person", "key", "since"], name="notice_once")
        ]
        indexes = [models.Index(fields=["person", "ended_at"], name="notice_open")]

    def __str__(self) -> str:
        return f"{self.person_id}: {self.key}"


class NoticeDigest(models.Model):
    """For which day somebody had the daily letter."""

    person = models.OneToOneField(Person, on_delete=models.CASCADE, related_name="+")
    day = models.DateField()

    def __str__(self) -> str:
        return f"{self.person_id}: {self.day}"


class WaitingTold(models.Model):
    """One thing that waits for administrators, of which webhooks were told that it began."""

    key = models.CharField(max_length=300)
    since = models.DateTimeField()
    kind = models.CharField(max_length=40)
    what = MessageField()
    ended_at = models.DateTimeField(null=True, blank=True, db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["key", "since"], name="waiting_told_once")]

    def __str__(self) -> str:
        return self.key
