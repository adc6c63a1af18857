"""Renew the lease of a plan while one call of it goes on for hours.

A thread of its own does it: whoever counts the rows of a large table says nothing for long. Once it
cannot, the call ends at its next piece, and makes no call after the lease's end in any case.
"""

import contextlib
import threading
from collections.abc import Iterator
from typing import Final

from django.conf import settings
from django.db import Error as DatabaseError
from django.db import connection

from workspace_manager.contract import progress
from workspace_manager.contract.deadline import act_while
from workspace_manager.engine.lease import Lease, LeaseLost

BEATS: Final = 3
"""In the time that a lease lasts: one may fail, and the lease stands."""


class Heartbeat:
    """Renews one lease until it is stopped, or the lease is somebody else's."""

    def __init__(self, lease: Lease) -> None:
        self._lease = lease
        self._over = threading.Event()
        self._lost = threading.Event()
        self._thread = threading.Thread(target=self._renew, name="heartbeat", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._over.set()
        self._thread.join()

    def check(self, _count: int) -> None:
        """Raises WorkEnded when the lease is lost."""
        if self._lost.is_set():
            raise progress.WorkEnded

    def _renew(self) -> None:
        while not self._over.wait(settings.LEASE_SECONDS / BEATS):
            try:
                with self._lease.writing():
                    pass
            except LeaseLost:
                self._lost.set()
                return
            except DatabaseError:  # The next beat tries again; without one the lease ends.
                continue
            finally:
                connection.close()


@contextlib.contextmanager
def renew_lease(lease: Lease) -> Iterator[None]:
    """Act in this block for as long as it takes. Raises LeaseLost when somebody else has the plan
    by now.
    """
    heartbeat = Heartbeat(lease)
    heartbeat.start()
    try:
        with act_while(lambda: lease.good_until), progress.reported_to(heartbeat.check):
            yield
    except progress.WorkEnded:
        raise LeaseLost from None
    finally:
        heartbeat.stop()
