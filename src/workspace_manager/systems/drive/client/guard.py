"""A guard that never sends a refused user name and password again: repeating one stale credential
blocks every call from our address.

The drive counts failures per client address. After ten within 30 minutes it refuses everybody's
Basic credentials for half an hour (docs/systems/drive.md#brute-force-protection).
"""

import hashlib
import threading
from typing import Protocol

from workspace_manager.contract.errors import Denied
from workspace_manager.contract.http import Basic
from workspace_manager.contract.message import Message
from workspace_manager.systems.drive.messages import message


class Refusals(Protocol):
    """A memory of refused pairs. All processes share it, or each command would send the pair once
    more.
    """

    def known(self, mark: str) -> bool: ...
    def note(self, mark: str) -> None: ...
    def forget(self) -> None: ...


class ProcessRefusals:
    """A memory of refused pairs in one process."""

    def __init__(self) -> None:
        self._refused: set[str] = set()
        self._lock = threading.Lock()

    def known(self, mark: str) -> bool:
        with self._lock:
            return mark in self._refused

    def note(self, mark: str) -> None:
        with self._lock:
            self._refused.add(mark)

    def forget(self) -> None:
        with self._lock:
            self._refused.clear()


PROCESS_REFUSALS = ProcessRefusals()


class Guard:
    """A memory of the refusal of one pair at one drive, until the address, the user name or the
    password changes. Only a hash is stored.

    The pair counts as one, whether it is sent as Basic or its password as bearer.
    """

    def __init__(
        self, base_url: str, pair: Basic | None, refusals: Refusals = PROCESS_REFUSALS
    ) -> None:
        self._mark = ""
        self._refusals = refusals
        if pair is not None:
            text = "\n".join([base_url, pair.username, pair.password.reveal()])
            self._mark = hashlib.sha256(text.encode()).hexdigest()

    @property
    def was_refused(self) -> bool:
        """Return whether the drive has refused this very pair."""
        return bool(self._mark) and self._refusals.known(self._mark)

    def refuse_again(self, *, kind: str, doing: Message) -> None:
        """Raise Denied without a call if this pair was refused before; another password is sent at
        once.
        """
        if self.was_refused:
            raise Denied(
                message("not_sent_again"),
                kind=kind,
                doing=doing,
                advice=message("set_right_credential_now"),
            )

    def note_refusal(self) -> None:
        """Note that the drive has just refused this pair."""
        if self._mark:
            self._refusals.note(self._mark)
