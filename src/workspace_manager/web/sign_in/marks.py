"""Marks of sessions and requests, besides the signed-in person."""

from typing import Final

ENDED: Final = "ended"
"""Of a request, and of the sign-in address: the session has just ended."""
READS_ONLY: Final = "reads_only"
"""Of a request: only reading is allowed, because the identity provider does not answer."""
PROVES: Final = "proves"
"""Of a request: its API token replaces a fresh sign-in."""
EMERGENCY: Final = "emergency"
"""Of a session that began with the emergency sign-in: the id of the token that opened it."""
