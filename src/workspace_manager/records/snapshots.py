"""Snapshots: copies of what is in a component or a stack, and when they are made by themselves.

See docs/explanation/snapshots.md.
"""

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from workspace_manager.records.choices import without_labels
from workspace_manager.records.fields import MessageField, SecretField
from workspace_manager.records.people import Person
from workspace_manager.records.work import Component, Entity, Stack


class Snapshot(Entity):
    """A copy of what was in a component or a stack; visible to its owner alone. It outlives what it
    was made of.
    """

    class State(models.TextChoices):
        CREATING = "creating", _("being created")
        READY = "ready", _("ready")
        FAILED = "failed", _("failed")
        """Nobody finishes it before a person has looked."""
        RESTORING = "restoring", _("being restored")
        """It is being brought back; it stays as it is."""
        DELETING = "deleting", _("being deleted")

    class SourceType(models.TextChoices):
        COMPONENT = "component"
        STACK = "stack"
        UPLOAD = "upload"
        """A file that its owner sent."""

    owner = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="snapshots")
    component = models.ForeignKey(
        Component, null=True, blank=True, on_delete=models.SET_NULL, related_name="snapshots"
    )
    stack = models.ForeignKey(
        Stack, null=True, blank=True, on_delete=models.SET_NULL, related_name="snapshots"
    )
    state = models.CharField(max_length=20, choices=without_labels(State), default=State.CREATING)
    kind = models.CharField(max_length=40, blank=True)
    """Of what kind of component it is; "" for a whole stack."""
    source_type = models.CharField(
        max_length=20, choices=SourceType.choices, default=SourceType.COMPONENT
    )
    source_id = models.UUIDField(null=True, blank=True)
    source_label = models.CharField(max_length=100, blank=True)
    """What it was made of, also when that is gone."""
    created_by = models.CharField(max_length=255, blank=True)
    scheduled = models.BooleanField(default=False)
    bytes = models.BigIntegerField(default=0)
    """What it takes in the store."""
    content_bytes = models.BigIntegerField(default=0)
    """What was read of its source: while it is made, so far."""
    consistent = models.BooleanField(null=True, blank=True)
    """Whether all of it is of one moment; None while nobody knows."""
    notes = MessageField()
    """What is not of one moment, and what else its owner has to know."""
    verified_at = models.DateTimeField(null=True, blank=True)
    """When all of it was last read and found as it was written."""
    read_at = models.DateTimeField(null=True, blank=True)
    """When all of it was last read, whatever that showed."""
    damage = MessageField()
    """What was not as it was written then."""
    loaded_into = models.UUIDField(null=True, blank=True)
    """The component that a file was last loaded into to its end: nobody counted what is in a file,
    so nothing else tells that.
    """
    place = models.CharField(max_length=64, blank=True)
    """Below which name its content lies in the store; drawn before anything is written."""
    key = SecretField()
    """What decrypts its content."""
    plan = models.UUIDField(null=True, blank=True)
    """The plan that made it."""


class SnapshotSchedule(models.Model):
    """A schedule: when snapshots of a component or a stack are made by themselves, and how many are
    kept.
    """

    class Every(models.TextChoices):
        DAY = "day"
        WEEK = "week"

    component = models.OneToOneField(
        Component, null=True, blank=True, on_delete=models.CASCADE, related_name="schedule"
    )
    stack = models.OneToOneField(
        Stack, null=True, blank=True, on_delete=models.CASCADE, related_name="schedule"
    )
    every = models.CharField(max_length=10, choices=Every.choices)
    keep = models.PositiveIntegerField()
    created_at = models.DateTimeField(default=timezone.now)
    next_at = models.DateTimeField(null=True, blank=True, db_index=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(component=None) ^ models.Q(stack=None),
                name="schedule_of_one_thing",
            )
        ]

    @property
    def source(self) -> Component | Stack:
        """The component or the stack that it is for."""
        source = self.component or self.stack
        assert source is not None, "schedule_of_one_thing holds"
        return source

    def __str__(self) -> str:
        return f"{self.keep} of {self.source}, one each {self.every}"
