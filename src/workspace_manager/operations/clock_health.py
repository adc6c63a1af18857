"""Findings about time: a hold, and a host whose clock is far from the database's."""

from collections.abc import Iterator

from django.utils import timezone

from workspace_manager.contract.connector import Finding
from workspace_manager.contract.findings import Findings
from workspace_manager.contract.message import Message
from workspace_manager.contract.message import Person as Named
from workspace_manager.core import hold
from workspace_manager.core.clock import LEAP, database_now
from workspace_manager.core.connected_systems import MANAGER
from workspace_manager.operations.messages import message
from workspace_manager.records.models import Hold


def of_hold() -> Iterator[Finding]:
    """Yield why opening, erasing and expiring wait, and who ends it."""
    said, name, standing = Findings(MANAGER), message("check_hold"), hold.current_hold()
    if standing is None:
        yield said.ok(name, message("nothing_held"))
    else:
        yield said.failing(
            name, hold_reason(standing), message(f"held_by_{standing.reason}_advice")
        )


def hold_reason(standing: Hold) -> Message:
    """Return the reason of a hold in a sentence."""
    if standing.reason == Hold.Reason.RESTORE:
        by = Named(person=standing.begun_by)
        return message("held_by_restore", by=by, at=standing.said)
    return message("held_by_clock", since=standing.since, said=standing.said)


def of_this_host() -> Iterator[Finding]:
    """Compare both clocks: sign-ins, letters and displayed times use the host's."""
    said, name = Findings(MANAGER), message("check_host_clock")
    host, database = timezone.now(), database_now()
    if abs(host - database) <= LEAP:
        yield said.ok(name, message("clocks_agree"))
        return
    found = message("clocks_differ", host=host, database=database)
    yield said.failing(name, found, message("clocks_differ_advice"))
