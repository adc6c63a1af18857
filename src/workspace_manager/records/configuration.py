"""Stored settings of the systems, and whether a system is paused."""

from django.db import models
from django.utils import timezone

from workspace_manager.records.fields import MessageField, SecretField


class StoredSetting(models.Model):
    """One value of one system's settings; a secret is in `secret` and nowhere else."""

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
    """Whether calls to a system are made at all."""

    system = models.CharField(max_length=40, primary_key=True)
    paused = models.BooleanField(default=False)
    paused_at = models.DateTimeField(null=True, blank=True)
    paused_by = models.CharField(max_length=255, blank=True)
    reason = MessageField()
    refused = models.CharField(max_length=64, blank=True)
    """The mark of the credential that was refused; "" where none was."""
    resumed_at = models.DateTimeField(null=True, blank=True)
    """Processes that remember a refused credential forget it when this changes."""
    findings = models.JSONField(default=list)
    checked_at = models.DateTimeField(null=True, blank=True)
    away = models.BooleanField(default=False)
    """Whether the last free look found it away."""
    looked_at = models.DateTimeField(null=True, blank=True)
    """When that was."""
    told = models.JSONField(default=dict)
    """What the system itself said of settings that were left blank, by their names."""

    def __str__(self) -> str:
        return f"{self.system}: {'paused' if self.paused else 'in use'}"
