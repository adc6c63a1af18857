"""Accounts that a walk found and that are nobody's, as tests of a take-over begin with."""

from datetime import timedelta
from typing import Any

from django.utils import timezone

from workspace_manager.contract.message import quote_words
from workspace_manager.records.models import ReconcileItem, ReconcileRun


def ended_run() -> ReconcileRun:
    now = timezone.now()
    return ReconcileRun.objects.create(
        started_by="ada",
        state=ReconcileRun.State.DONE,
        started_at=now - timedelta(minutes=1),
        finished_at=now,
    )


def add_unknown_account(kind: str, name: str, **more: Any) -> ReconcileItem:
    """An account that nobody here has."""
    now = timezone.now()
    values = {
        "evidence": quote_words("seen"),
        "reason": quote_words("of nobody"),
        "last_seen": now,
        **more,
    }
    return ReconcileItem.objects.create(
        difference=ReconcileItem.Difference.UNKNOWN_ACCOUNT,
        system=kind.partition(".")[0],
        kind=kind,
        name=name,
        first_seen=now,
        **values,
    )


def user(username: str, *, confirmed: bool = True, **more: Any) -> ReconcileItem:
    """A user of the identity provider."""
    values = {
        "sub": f"sub-{username}",
        "login_name": username,
        "email": f"{username.lower()}@example.org",
        "full_name": f"{username.title()} Example",
        **more,
    }
    return add_unknown_account(
        "identity_provider.user", f"sub-{username}", email_confirmed=confirmed, **values
    )
