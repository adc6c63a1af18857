"""Somebody is asked into a project, and joins it only by saying yes."""

import uuid

from django.db import models
from django.utils import timezone

from workspace_manager.records.choices import without_labels
from workspace_manager.records.people import Person
from workspace_manager.records.work import Membership, Project


class Invitation(models.Model):
    """Whom the owner of a project named. `person` is who that was then, if it was anybody: whoever
    named them is not told, so both are kept alike.
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
    """Nobody but the invited person sees it: to the owner nothing has happened."""
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
