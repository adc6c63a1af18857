"""Marks of sessions and requests, besides the signed-in person."""

from typing import Final

ENDED: Final = "ended"
"""A request, and the address of the sign-in: the session ended just now."""
READS_ONLY: Final = "reads_only"
"""A request: only reading goes on, since the identity provider gives no answer."""
PROVES: Final = "proves"
"""A request: its API token does instead of a fresh sign-in."""
EMERGENCY: Final = "emergency"
"""A session: it came in by the emergency door, which opens while nobody can be asked."""
