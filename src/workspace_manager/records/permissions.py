"""Permissions of single people."""

from django.db import models
from django.utils.timezone import now
from django.utils.translation import gettext_lazy as _

from workspace_manager.records.choices import without_labels
from workspace_manager.records.people import Person


class Permission(models.Model):
    """A permission that an administrator gave a person.

    See docs/explanation/permissions.md#the-policy.
    """

    class Name(models.TextChoices):
        VIEW_COMPONENTS = "view_components", _("See all components")
        VIEW_STACKS = "view_stacks", _("See all stacks")
        ADMINISTER_PROJECTS = (
            "administer_projects",
            _("Change and delete all projects, and remove members"),
        )
        ADMINISTER_COMPONENTS = (
            "administer_components",
            _("Change, delete and snapshot all components"),
        )
        ADMINISTER_STACKS = "administer_stacks", _("Change, delete and snapshot all stacks")
        ADMINISTER_SNAPSHOTS = "administer_snapshots", _("Change and delete all snapshots")
        APPROVE_REGISTRATIONS = (
            "approve_registrations",
            _("Approve and reject registrations"),
        )

    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="permissions")
    name = models.CharField(max_length=40, choices=without_labels(Name))
    until = models.DateTimeField(null=True, blank=True)
    """None: no end."""
    given_at = models.DateTimeField(default=now)
    given_by = models.CharField(max_length=255, blank=True)

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["person", "name"], name="permission_once")]

    def __str__(self) -> str:
        return f"{self.name} for {self.person}"
