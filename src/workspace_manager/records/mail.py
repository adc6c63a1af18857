"""Letters that wait to be sent: a mail server that is down delays mail, never an approval."""

from django.db import models
from django.utils import timezone


class Mail(models.Model):
    """One letter, rendered. Sent by the worker; kept without its text once it is out."""

    to = models.CharField(max_length=254)
    subject = models.CharField(max_length=200)
    text = models.TextField(blank=True)
    html = models.TextField(blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    sent_at = models.DateTimeField(null=True, blank=True)
    trouble = models.CharField(max_length=200, blank=True)
    """Why the last try did not work: one of `emails.Trouble`."""
    attempts = models.PositiveIntegerField(default=0)
    next_try_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["created_at"]
        indexes = [models.Index(fields=["to", "created_at"], name="mail_to")]

    def __str__(self) -> str:
        return f"{self.to}: {self.subject}"
