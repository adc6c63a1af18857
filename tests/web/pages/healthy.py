"""Systems at which somebody looked just now."""

from workspace_manager.contract.message import quote_words
from workspace_manager.core.clock import database_now
from workspace_manager.records.models import Health


def healthy(system: str, state: str, reason: str = "") -> None:
    """Say how a system stands, as the collector does."""
    now = database_now()
    Health.objects.update_or_create(
        system=system,
        defaults={
            "state": state,
            "reason": quote_words(reason) if reason else None,
            "since": now,
            "looked_at": now,
            "answered_at": now,
            "latency_ms": 40,
        },
    )
