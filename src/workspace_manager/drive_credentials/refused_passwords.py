"""Passwords the drive refused, remembered for every process: ten failures of one address block it,
whoever of us made them.

A command that is run every few minutes, a worker that is started anew and a web process count
together (promised by the drive's guard).
"""

import uuid

from django.core.cache import cache
from django.utils.crypto import salted_hmac

from workspace_manager.records.models import SystemStatus

FORGOTTEN = "drive-refused-forgotten"


class Shared:
    """Kept in the shared cache until the pair changes, under a key that says nothing without our
    own secret key.
    """

    def known(self, mark: str) -> bool:
        return cache.get(_key(mark)) is not None

    def note(self, mark: str) -> None:
        cache.set(_key(mark), "refused", timeout=None)

    def forget(self) -> None:
        """Forget refusals, because the drive may accept now: somebody resumed it, or an account is
        enabled again.
        """
        cache.set(FORGOTTEN, uuid.uuid4().hex, timeout=None)


def _key(mark: str) -> str:
    resumed = SystemStatus.objects.filter(system="drive").values_list("resumed_at").first()
    since = f"{resumed} {cache.get(FORGOTTEN)}"
    return "drive-refused:" + salted_hmac("drive refusals", f"{mark} {since}").hexdigest()
