"""Invitations into projects, which take effect when they are accepted."""

import uuid

from django.db import models
from django.utils import timezone

from workspace_manager.records.choices import without_labels
from workspace_manager.records.people import Person
from workspace_manager.records.work import Membership, Project


class Invitation(models.Model):
    """An invitation by a project's owner. `person` is the holder of the name at that time, if there
    was one; the inviter is not told, so rows with and without look alike.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="invitations")
    username = models.CharField(max_length=255, blank=True)
    email = models.CharField(max_length=255, blank=True)
    person = models.ForeignKey(Person, null=True, on_delete=models.SET_NULL, related_name="+")
    role = models.CharField(
        max_length=10, choices=without_labels(Membership.Role), default=Membership.Role.WRITE
    )
    declined = models.BooleanField(default=False)
    """Visible to the invited person alone; the owner sees an open invitation."""
    created_by = models.CharField(max_length=255)
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()

    class Meta:
        ordering = ["created_at", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["project", "username", "email"], name="named_once_in_a_project"
            )
        ]

    def __str__(self) -> str:
        return f"{self.username or self.email} into {self.project}"
