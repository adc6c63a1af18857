"""One worker's run of one plan: what the engine's parts share. Loaded once; the lease's number
guards what is written.
"""

import uuid
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeAlias

from workspace_manager.contract.connector import Evidence
from workspace_manager.contract.errors import ConnectorError
from workspace_manager.contract.message import Message
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.engine.kind import PlanKind
from workspace_manager.engine.lease import Lease
from workspace_manager.records.models import Plan, PlanStep

PlanId: TypeAlias = uuid.UUID


@dataclass(frozen=True)
class Failure:
    """The reason why a change could not be finished this time. `cause`: the error's name in lower
    case, "paused" or "suspended".
    """

    error: ConnectorError
    next_try: datetime | None
    cause: str

    @property
    def stuck(self) -> bool:
        return self.cause not in {"unavailable", "paused", "suspended"}


@dataclass
class PlanRun:
    """A claimed plan with its steps and their changes, the systems, and the rights proven in this
    run.

    `paused`: systems that were paused when the run began, and why; asked once more where a change
    is sent.
    """

    lease: Lease
    plan: Plan
    kind: PlanKind
    systems: ConnectedSystems
    steps: list[PlanStep]
    paused: dict[str, Message]
    proven: dict[str, Evidence] = field(default_factory=dict)
    denied: dict[str, ConnectorError] = field(default_factory=dict)
    """Systems that refused our credential at a door in this run: a step there says the same."""

    def ended(self) -> set[int]:
        """Numbers of the steps that have ended, as far as this run knows."""
        return {step.n for step in self.steps if step.state in PlanStep.ENDED}
