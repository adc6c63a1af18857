"""Letters that wait to be sent: a mail server that is down delays mail, never an approval. And that
somebody who left was written to.
"""

from django.db import models
from django.utils import timezone

from workspace_manager.records.people import Person, Registration, Tombstone


class Mail(models.Model):
    """One letter, rendered. Sent by the worker; kept without its text once it is out."""

    to = models.CharField(max_length=254)
    person = models.ForeignKey(Person, null=True, on_delete=models.CASCADE, related_name="letters")
    """Whom it is to; null for who is not here yet. It goes with the person."""
    registration = models.ForeignKey(
        Registration, null=True, on_delete=models.CASCADE, related_name="letters"
    )
    """Of whom it is until they are here: an address may be somebody else's by then."""
    kind = models.CharField(max_length=40, blank=True)
    """Which letter it is: one of `emails.LETTERS`."""
    subject = models.CharField(max_length=200)
    text = models.TextField(blank=True)
    html = models.TextField(blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    sent_at = models.DateTimeField(null=True, blank=True)
    trouble = models.CharField(max_length=200, blank=True)
    """Why the last try did not work: one of `mail_outbox.MailFailure`."""
    attempts = models.PositiveIntegerField(default=0)
    next_try_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["created_at"]
        indexes = [models.Index(fields=["created_at"], name="mail_written")]

    def __str__(self) -> str:
        return f"{self.to}: {self.subject}"


class FormerLetter(models.Model):
    """That somebody who left was written to: not where to, and nothing of what it said. It goes
    when the tombstone has ended.
    """

    tombstone = models.ForeignKey(Tombstone, on_delete=models.CASCADE, related_name="letters")
    kind = models.CharField(max_length=40, blank=True)
    created_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True, blank=True)
    """None: it did not go out, and never will."""

    class Meta:
        ordering = ["created_at"]

    def __str__(self) -> str:
        return f"{self.tombstone}: {self.kind}"
