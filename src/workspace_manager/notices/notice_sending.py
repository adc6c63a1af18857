"""Tell people and webhooks about things that wait."""

from workspace_manager.notices import letters, waiting_events


def tell() -> None:
    """Look at what waits now. Whatever keeps letters back keeps no webhook back."""
    try:
        letters.tell_everybody()
    finally:
        waiting_events.tell()
