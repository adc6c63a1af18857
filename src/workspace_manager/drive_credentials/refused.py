"""Passwords the drive refused, remembered for every process: ten failures of one address block it,
whoever of us made them.

A command that is run every few minutes, a worker that is started anew and a web process count
together (promised by the drive's guard).
"""

from django.core.cache import cache
from django.utils.crypto import salted_hmac

from workspace_manager.records.models import SystemStatus


class Shared:
    """Kept in the shared cache, under a key that says nothing without our own secret key."""

    def lately(self, mark: str) -> bool:
        return cache.get(_key(mark)) is not None

    def note(self, mark: str, seconds: float) -> None:
        cache.set(_key(mark), "refused", timeout=int(seconds))

    def forget(self) -> None:
        """Nothing is to do: a resume changes the key."""


def _key(mark: str) -> str:
    resumed = SystemStatus.objects.filter(system="drive").values_list("resumed_at").first()
    return "drive-refused:" + salted_hmac("drive refusals", f"{mark} {resumed}").hexdigest()
