"""The calls of a look, without and with our credential. Each has a time limit and takes a slot of
the system's calls.
"""

from dataclasses import dataclass
from typing import Final

from workspace_manager.contract import looks
from workspace_manager.contract.connector import System
from workspace_manager.contract.deadline import moment, time_limit
from workspace_manager.contract.errors import ConnectorError, Denied
from workspace_manager.contract.message import Message
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.systems import registry

LONGEST_S: Final = 40
"""For all calls with our credential together."""


@dataclass(frozen=True)
class LookResult:
    """The result of a look: its duration, and the failure or limitation."""

    seconds: float
    error: ConnectorError | None = None
    limits: Message | None = None


def ask(name: str, systems: ConnectedSystems) -> LookResult | None:
    """Look without a credential; None for a system that has no such look."""
    spec = registry().specs[name]
    begun = moment()
    try:
        looker = spec.looker()
        if looker is None:
            return None
        with time_limit(looks.CALLS.answer_s):
            seen = looker(systems.settings[name])
    except ConnectorError as error:
        return LookResult(moment() - begun, error=error)
    return LookResult(moment() - begun, limits=seen.limits)


def prove(
    name: str, systems: ConnectedSystems, *, rights: bool
) -> tuple[ConnectorError | None, bool]:
    """Call with our credential, and with `rights` check that we may see what we look for. Return
    the failure, and whether the credential itself is refused.
    """
    system: System = systems.by_name[name]
    try:
        with time_limit(LONGEST_S):
            system.prove_credential()
    except ConnectorError as error:
        return error, isinstance(error, Denied)
    if rights:
        try:
            with time_limit(LONGEST_S):
                system.prove_rights()
        except ConnectorError as error:
            return error, False
    return None, False
