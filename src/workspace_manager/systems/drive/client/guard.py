"""Keep a refused user name and password from being sent again: one stale credential retried blocks every call from our address.

The drive counts failures per client address, and after ten within 30 minutes refuses everybody's Basic credentials for half an hour
(facts, Nextcloud part 1, section 6).
"""

import hashlib
import threading
import time

from workspace_manager.contract.errors import Denied
from workspace_manager.contract.http import Basic, Credential

REFUSED_S = 600.0
"""Seconds a refused pair is not sent again by this process: at most 3 of the 10 failures that block our address."""

_refused: dict[str, float] = {}
_lock = threading.Lock()


class Guard:
    """Remember, for one drive and one user name with its password, that it was refused. Only a hash is kept."""

    def __init__(self, base_url: str, credential: Credential) -> None:
        self._mark = ""
        if isinstance(credential, Basic):
            text = "\n".join([base_url, credential.username, credential.password.reveal()])
            self._mark = hashlib.sha256(text.encode()).hexdigest()

    def refuse_again(self, *, kind: str, doing: str) -> None:
        """Raise Denied without asking when this pair was refused a short while ago; another password is sent at once."""
        with _lock:
            refused_at = _refused.get(self._mark) if self._mark else None
        if refused_at is not None and time.monotonic() - refused_at < REFUSED_S:
            raise Denied(
                "not sent: the drive refused this user name and password a short while ago",
                kind=kind,
                doing=doing,
                advice="Set the right credential; another try with the same would count towards a block of our address.",
            )

    def note_refusal(self) -> None:
        """Note that the drive said no to this pair just now."""
        if self._mark:
            with _lock:
                _refused[self._mark] = time.monotonic()


def forget_refusals() -> None:
    """Send every pair again; for a person who has just repaired the account at the drive, and for tests."""
    with _lock:
        _refused.clear()
