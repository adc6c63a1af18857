"""The outbox, so that a mail server that is down delays mail and never an approval; and the record
that former members were written to.
"""

from django.db import models
from django.utils import timezone

from workspace_manager.records.people import Person, Registration, Tombstone


class Mail(models.Model):
    """One rendered letter. The worker sends it; afterwards the row stays without its text."""

    to = models.CharField(max_length=254)
    person = models.ForeignKey(Person, null=True, on_delete=models.CASCADE, related_name="letters")
    """The recipient; null for somebody who has not signed in yet. Deleted with the person."""
    registration = models.ForeignKey(
        Registration, null=True, on_delete=models.CASCADE, related_name="letters"
    )
    """The applicant before the first sign-in; the address may be somebody else's by then."""
    kind = models.CharField(max_length=40, blank=True)
    """One of `emails.LETTERS`."""
    subject = models.CharField(max_length=200)
    text = models.TextField(blank=True)
    html = models.TextField(blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    sent_at = models.DateTimeField(null=True, blank=True)
    trouble = models.CharField(max_length=200, blank=True)
    """Why the last attempt failed: one of `mail_outbox.MailFailure`."""
    attempts = models.PositiveIntegerField(default=0)
    next_try_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["created_at"]
        indexes = [models.Index(fields=["created_at"], name="mail_written")]

    def __str__(self) -> str:
        return f"{self.to}: {self.subject}"


class FormerLetter(models.Model):
    """A letter to a former member, without address and content. Deleted when the tombstone has
    ended.
    """

    tombstone = models.ForeignKey(Tombstone, on_delete=models.CASCADE, related_name="letters")
    kind = models.CharField(max_length=40, blank=True)
    created_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True, blank=True)
    """None: it was never sent, and never will be."""

    class Meta:
        ordering = ["created_at"]

    def __str__(self) -> str:
        return f"{self.tombstone}: {self.kind}"
