"""A connected system behind the error boundary (`contract/error_boundary.py`): its verbs, its
checks and whatever else stories call on it.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeVar

from django.db import Error as DatabaseError

from workspace_manager.contract import error_boundary as boundary
from workspace_manager.contract.connector import (
    ALL,
    CallPolicy,
    Change,
    Connector,
    Evidence,
    Facts,
    Finding,
    Outcome,
    System,
    Target,
)
from workspace_manager.contract.errors import ConnectorError
from workspace_manager.contract.findings import Findings
from workspace_manager.contract.messages import message
from workspace_manager.contract.progress import WorkEnded
from workspace_manager.contract.system import SystemSpec

T = TypeVar("T")
NOT_THEIRS: Final = (DatabaseError, WorkEnded)
"""Our own database, which secrets are read from in the middle of a call, is no system's fault, nor
that its work is not wanted any more.
"""


class GuardedConnector:
    """One kind of thing. A connector of somebody else that gives what was not asked for, a change
    of another kind or with another wish, changes nothing.
    """

    def __init__(self, kind: str, connector: Connector, *, local: bool) -> None:
        self.kind, self._brought, self._local = kind, connector, local

    @property
    def calls(self) -> CallPolicy:
        """The usual policy where its own is none."""
        try:
            return self._call("calls", lambda: self._brought.calls, made=self._policy)
        except ConnectorError:
            return CallPolicy(local=self._local)

    def plan(self, target: Target, want: Facts | None) -> Change:
        def as_asked(found: Any) -> Change:
            change = boundary.a(Change)(found)
            if change.kind != self.kind or (change.after is None) != (want is None):
                raise boundary.Unfit
            return change

        return self._call("plan", lambda: self._brought.plan(target, want), made=as_asked)

    def apply(self, change: Change) -> Outcome:
        return self._call("apply", lambda: self._brought.apply(change), made=boundary.a(Outcome))

    def remove(self, change: Change) -> Outcome:
        return self._call("remove", lambda: self._brought.remove(change), made=boundary.a(Outcome))

    def verify(self, change: Change) -> Evidence | None:
        made = boundary.none_or(boundary.a(Evidence))
        return self._call("verify", lambda: self._brought.verify(change), made=made)

    def __getattr__(self, name: str) -> Any:
        return _attribute(self.kind, self._brought, name)

    def _policy(self, found: Any) -> CallPolicy:
        return boundary.calls(found, local=self._local)

    def _call(self, verb: str, asked: Callable[[], Any], *, made: Callable[[Any], T]) -> T:
        return boundary.call(f"{self.kind}.{verb}", asked, made=made, passing=NOT_THEIRS)


class GuardedSystem:
    """One connected system. What it offers besides the contract is reached through it too."""

    def __init__(self, spec: SystemSpec[Any], system: System, *, local: bool = False) -> None:
        self.name, self._brought = spec.name, system
        kinds = {kind.kind for kind in spec.kinds}
        found = boundary.call(
            f"{spec.name}.connectors", lambda: dict(system.connectors), made=boundary.a(dict)
        )
        self.connectors: Mapping[str, Connector] = {
            kind: GuardedConnector(kind, one, local=local)
            for kind, one in found.items()
            if kind in kinds
        }

    @property
    def brought(self) -> System:
        """The system that `connect` gave: its own functions make a source of content of it."""
        return self._brought

    def try_again(self) -> None:
        try:
            self._call("try_again", made=boundary.expect_nothing)
        except ConnectorError:
            return

    def check(self) -> Sequence[Finding]:
        """The findings of the system's check. A check that failed or looked at nothing is a finding
        too.
        """
        try:
            found = self._call("check", made=boundary.tuple_of(Finding))
        except ConnectorError as error:
            return [
                Findings(self.name).failing(
                    message("functions"), error.message, error.advice_message, hides=ALL
                )
            ]
        if not found:
            advice = message("defect_advice", system=self.name)
            return [
                Findings(self.name).warning(
                    message("functions"), message("check_says_nothing"), advice, hides=ALL
                )
            ]
        return [one.model_copy(update={"system": self.name}) for one in found]

    def prove_credential(self) -> None:
        self._call("prove_credential", made=boundary.expect_nothing)

    def prove_rights(self) -> Evidence:
        return self._call("prove_rights", made=boundary.a(Evidence))

    def __getattr__(self, name: str) -> Any:
        return _attribute(self.name, self._brought, name)

    def __repr__(self) -> str:
        return f"<GuardedSystem {self.name}>"

    def _call(self, verb: str, *, made: Callable[[Any], T]) -> T:
        asked = getattr(self._brought, verb)
        return boundary.call(f"{self.name}.{verb}", asked, made=made, passing=NOT_THEIRS)


def _attribute(where: str, brought: object, name: str) -> Any:
    """An attribute of the system: a function behind the boundary, anything else as it is. Raises
    AttributeError without one.
    """
    found = getattr(brought, name)
    if not callable(found) or isinstance(found, type):
        return found

    def called(*given: Any, **named: Any) -> Any:
        return boundary.call(
            f"{where}.{name}",
            found,
            *given,
            made=boundary.accept_anything,
            passing=NOT_THEIRS,
            **named,
        )

    return called
