"""Limits concurrent waits for one slow thing (a bulkhead): the others are told so at once, instead
of filling every thread there is.
"""

import contextlib
import threading
from collections.abc import Iterator

from workspace_manager.contract import wait_hooks
from workspace_manager.contract.deadline import moment
from workspace_manager.contract.earlier_names import keep_earlier_methods, keep_earlier_names


class Bulkhead:
    """At most `most` at once. Who comes while all are taken waits as long as these go fast: once
    one of them has taken `slow_s`, nobody waits.
    """

    def __init__(self, most: int, *, slow_s: float = 0.5) -> None:
        self._most, self._slow_s = most, slow_s
        self._began: dict[object, float] = {}
        self._changed = threading.Condition()

    @contextlib.contextmanager
    def slot(self, *, wait: bool = True) -> Iterator[bool]:
        """Return whether the caller has a slot; without `wait`, only if one is free now."""
        token = object()
        with self._changed:
            mine = self._free(wait=wait)
            if mine:
                self._began[token] = moment()
        try:
            yield mine
        finally:
            with self._changed:
                self._began.pop(token, None)
                self._changed.notify()

    def _free(self, *, wait: bool) -> bool:
        while len(self._began) >= self._most:
            left = min(self._began.values()) + self._slow_s - moment()
            if not wait or left <= 0:
                return False
            wait_hooks.begin()
            self._changed.wait(left)
        return True


keep_earlier_methods(Bulkhead, turn="slot")
keep_earlier_names(__name__, FewAtATime="Bulkhead")
