"""Confirm an e-mail address: a link that works once, for a few days, and says nothing about the account it is for."""

import hashlib
import secrets
from datetime import timedelta

from django.utils import timezone

from workspace_manager.lifecycle import history, letters
from workspace_manager.records.models import Registration

VALID_DAYS = 3


def send_link(registration: Registration) -> None:
    """Leave a letter with a fresh link; an earlier link stops working."""
    clear = secrets.token_urlsafe(32)
    registration.confirmation = _digest(clear)
    registration.confirmation_until = timezone.now() + timedelta(days=VALID_DAYS)
    registration.save(update_fields=["confirmation", "confirmation_until"])
    letters.confirm_email(registration, clear)


def confirm(clear: str) -> bool:
    """Use a link up; False when it is not, or no longer, good."""
    changed = Registration.objects.filter(
        confirmation=_digest(clear), confirmation_until__gt=timezone.now()
    ).first()
    if changed is None:
        return False
    used = Registration.objects.filter(id=changed.id, confirmation=changed.confirmation).update(
        confirmation="", confirmation_until=None, email_confirmed=True
    )
    if used:
        history.note("registration:email_confirmed", changed.username, actor=changed.username)
    return bool(used)


def _digest(clear: str) -> str:
    return hashlib.sha256(clear.encode()).hexdigest()
