"""Notices: webhooks for programs, and letters about inbox items for people."""

import uuid

from django.db import models
from django.utils import timezone

from workspace_manager.records.fields import MessageField, SecretField
from workspace_manager.records.people import Person


class WebhookEndpoint(models.Model):
    """A webhook: an address that receives events, with its signing secret."""

    class Disabled(models.TextChoices):
        PERSON = "person"
        """A person switched it off."""
        GONE = "gone"
        """It answered 410 Gone."""
        FAILING = "failing"
        """It accepted nothing for days."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    origin = models.CharField(max_length=500)
    """Scheme, host and port of the address, which are shown."""
    address = SecretField()
    """The whole address; the part after the host may be a password."""
    label = models.CharField(max_length=100)
    events = models.JSONField(default=list)
    """Types of events, `registration.*` or `*`."""
    secret = SecretField()
    old_secret = SecretField()
    old_until = models.DateTimeField(null=True, blank=True)
    """Until then the previous secret signs, too. After several rotations `old_secret` has a line
    for each, with its end.
    """
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.CharField(max_length=255)
    disabled = models.CharField(max_length=10, choices=Disabled.choices, blank=True)
    """Why nothing is sent; "" while it is enabled."""
    disabled_at = models.DateTimeField(null=True, blank=True)
    failing_since = models.DateTimeField(null=True, blank=True)
    """Since when every attempt has failed."""
    failures = models.PositiveIntegerField(default=0)
    """Failed attempts since then."""
    rests_until = models.DateTimeField(null=True, blank=True)
    """It did not answer or had an error: the earliest next attempt."""
    claimed_until = models.DateTimeField(null=True, blank=True)
    """A worker is sending now; expires if the worker is killed."""
    left_out = models.PositiveIntegerField(default=0)
    """Events that were not stored because too many were waiting."""

    class Meta:
        ordering = ["created_at", "id"]

    def __str__(self) -> str:
        return self.label


class WebhookDelivery(models.Model):
    """One event for one webhook; `id` is its `webhook-id` in every attempt."""

    class State(models.TextChoices):
        WAITING = "waiting"
        """To be sent, or sent again."""
        DELIVERED = "delivered"
        """Answered with a status of 200 to 299."""
        FAILED = "failed"
        """It is not retried automatically."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    endpoint = models.ForeignKey(
        WebhookEndpoint, on_delete=models.CASCADE, related_name="deliveries"
    )
    type = models.CharField(max_length=80)
    body = models.TextField()
    """The signed and sent bytes."""
    created_at = models.DateTimeField(default=timezone.now, db_index=True)
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    tries = models.PositiveIntegerField(default=0)
    status = models.PositiveIntegerField(null=True, blank=True)
    """The status of the last answer; null without one."""
    trouble = MessageField()
    """Why the last attempt failed."""
    next_try_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True, blank=True)
    """When it was delivered or given up."""

    class Meta:
        ordering = ["-created_at", "id"]
        indexes = [models.Index(fields=["endpoint", "state", "next_try_at"], name="delivery_due")]

    def __str__(self) -> str:
        return f"{self.type} to {self.endpoint_id}: {self.state}"


class NoticeChoice(models.Model):
    """A person's choice of letters for a kind of item, if it differs from the default."""

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
    """One item in one letter to a person. Unique, so that only one of two workers sends it."""

    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="notices")
    kind = models.CharField(max_length=40)
    key = models.CharField(max_length=300)
    since = models.DateTimeField()
    how = models.CharField(max_length=10, choices=NoticeChoice.How.choices)
    what = MessageField()
    """The item, for the letter that it is over."""
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
    """The day of a person's last daily letter."""

    person = models.OneToOneField(Person, on_delete=models.CASCADE, related_name="+")
    day = models.DateField()

    def __str__(self) -> str:
        return f"{self.person_id}: {self.day}"


class WaitingTold(models.Model):
    """An administrators' item that webhooks were told of."""

    key = models.CharField(max_length=300)
    since = models.DateTimeField()
    kind = models.CharField(max_length=40)
    what = MessageField()
    ended_at = models.DateTimeField(null=True, blank=True, db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["key", "since"], name="waiting_told_once")]

    def __str__(self) -> str:
        return self.key
