"""What single people are let do besides what everybody may."""

from django.db import models
from django.utils.timezone import now

from workspace_manager.records.people import Person


class Permission(models.Model):
    """Something an administrator lets a person do besides what everybody may.

    See docs/explanation/permissions.md#the-policy.
    """

    class Name(models.TextChoices):
        VIEW_COMPONENTS = "view_components"
        VIEW_STACKS = "view_stacks"
        ADMINISTER_PROJECTS = "administer_projects"
        ADMINISTER_COMPONENTS = "administer_components"
        ADMINISTER_STACKS = "administer_stacks"
        ADMINISTER_SNAPSHOTS = "administer_snapshots"
        APPROVE_REGISTRATIONS = "approve_registrations"

    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="permissions")
    name = models.CharField(max_length=40, choices=Name.choices)
    until = models.DateTimeField(null=True, blank=True)
    """None: until it is taken."""
    given_at = models.DateTimeField(default=now)
    given_by = models.CharField(max_length=255, blank=True)

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["person", "name"], name="permission_once")]

    def __str__(self) -> str:
        return f"{self.name} for {self.person}"
