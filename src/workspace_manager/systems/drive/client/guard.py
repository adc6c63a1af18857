"""Keep a refused user name and password from being sent again: one stale credential retried blocks
every call from our address.

The drive counts failures per client address, and after ten within 30 minutes refuses everybody's
Basic credentials for half an hour (docs/systems/drive.md#brute-force-protection).
"""

import hashlib
import threading
import time
from typing import Protocol

from workspace_manager.contract.errors import Denied
from workspace_manager.contract.http import Basic, Credential
from workspace_manager.contract.message import Message
from workspace_manager.systems.drive.messages import message

REFUSED_S = 600.0
"""Seconds a refused pair is not sent again: at most 3 of the 10 failures that block our address."""


class Refusals(Protocol):
    """Where it is remembered that a pair was refused. Shared by all processes, or each command
    would try it once more.
    """

    def lately(self, mark: str) -> bool: ...
    def note(self, mark: str, seconds: float) -> None: ...
    def forget(self) -> None: ...


class OfThisProcess:
    """Remembered by one process alone."""

    def __init__(self) -> None:
        self._refused: dict[str, float] = {}
        self._lock = threading.Lock()

    def lately(self, mark: str) -> bool:
        with self._lock:
            until = self._refused.get(mark)
        return until is not None and time.monotonic() < until

    def note(self, mark: str, seconds: float) -> None:
        with self._lock:
            self._refused[mark] = time.monotonic() + seconds

    def forget(self) -> None:
        with self._lock:
            self._refused.clear()


OF_THIS_PROCESS = OfThisProcess()


class Guard:
    """Remember, for one drive and one user name with its password, that it was refused. Only a hash
    is kept.
    """

    def __init__(
        self, base_url: str, credential: Credential, refusals: Refusals = OF_THIS_PROCESS
    ) -> None:
        self._mark = ""
        self._refusals = refusals
        if isinstance(credential, Basic):
            text = "\n".join([base_url, credential.username, credential.password.reveal()])
            self._mark = hashlib.sha256(text.encode()).hexdigest()

    def refuse_again(self, *, kind: str, doing: Message) -> None:
        """Raise Denied without asking when this pair was refused a short while ago; another
        password is sent at once.
        """
        if self._mark and self._refusals.lately(self._mark):
            raise Denied(
                message("not_sent_again"),
                kind=kind,
                doing=doing,
                advice=message("set_right_credential_now"),
            )

    def note_refusal(self) -> None:
        """Note that the drive said no to this pair just now."""
        if self._mark:
            self._refusals.note(self._mark, REFUSED_S)
