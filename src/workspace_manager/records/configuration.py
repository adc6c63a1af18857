"""Stored settings of systems, and pauses."""

from django.db import models
from django.utils import timezone

from workspace_manager.records.fields import MessageField, SecretField


class StoredSetting(models.Model):
    """One value of a system's settings; a secret is in `secret` alone."""

    system = models.CharField(max_length=40)
    name = models.CharField(max_length=300)
    value = models.TextField(blank=True)
    secret = SecretField()
    changed_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["system", "name"], name="setting_once")]

    def __str__(self) -> str:
        return f"{self.system}.{self.name}"


class SystemStatus(models.Model):
    """A system's status: whether the manager calls it."""

    system = models.CharField(max_length=40, primary_key=True)
    paused = models.BooleanField(default=False)
    paused_at = models.DateTimeField(null=True, blank=True)
    paused_by = models.CharField(max_length=255, blank=True)
    reason = MessageField()
    refused = models.CharField(max_length=64, blank=True)
    """The mark of the refused credential; "" if none was refused."""
    resumed_at = models.DateTimeField(null=True, blank=True)
    """A change makes every process forget that a credential was refused."""
    findings = models.JSONField(default=list)
    checked_at = models.DateTimeField(null=True, blank=True)
    away = models.BooleanField(default=False)
    """Whether the last look without a credential found it unavailable."""
    looked_at = models.DateTimeField(null=True, blank=True)
    told = models.JSONField(default=dict)
    """Values of blank settings that the system itself reported, by name."""

    def __str__(self) -> str:
        return f"{self.system}: {'paused' if self.paused else 'in use'}"
