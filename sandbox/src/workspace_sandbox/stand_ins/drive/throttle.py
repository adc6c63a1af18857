"""Brute-force protection as the real drive has it: per address and action, with a growing delay and
a block.
"""

from collections.abc import Callable
from typing import Any

LOGIN = "login"
OIDC_LOGIN = "userOidcLogin"
OIDC_CODE = "userOidcCode"
OIDC_LOGOUT = "userOidcSingleLogout"
COUNTED_S = 12 * 3600
BLOCK_WINDOW_S = 1800
LONGEST_MS = 25_000
MOST = 10


class Throttle:
    """Count failures and say how long an address must wait, or that it is blocked."""

    def __init__(self, state: Callable[[], dict[str, Any]], clock: Callable[[], float]) -> None:
        self._state = state
        self._clock = clock

    def _attempts(self, address: str, action: str, within_s: float) -> int:
        start = self._clock() - within_s
        return sum(
            1
            for attempt in self._state()["attempts"]
            if attempt["address"] == address
            and attempt["at"] > start
            and action in {"", attempt["action"]}
        )

    def attempts(self, address: str, action: str = "") -> int:
        return self._attempts(address, action, COUNTED_S)

    def delay_ms(self, address: str, action: str = "") -> int:
        """Milliseconds the next try waits: 0, 200, 400, … at most 25 s."""
        count = self.attempts(address, action)
        return 0 if count == 0 else min(100 * 2 ** min(count, 20), LONGEST_MS)

    def blocked(self, address: str, action: str) -> bool:
        """Return whether the next try is refused at once: the 12th within 30 minutes."""
        recent = self._attempts(address, action, BLOCK_WINDOW_S)
        return recent > MOST and self.delay_ms(address, action) >= LONGEST_MS

    def note(self, address: str, action: str, user: str = "") -> None:
        entry = {"address": address, "action": action, "user": user, "at": self._clock()}
        self._state()["attempts"].append(entry)

    def forgive(self, address: str, user: str) -> None:
        """A success clears only this user's failures from this address."""
        state = self._state()
        state["attempts"] = [
            a
            for a in state["attempts"]
            if (a["address"], a["action"], a["user"]) != (address, LOGIN, user)
        ]
