"""The findings of a system's checks, and their words."""

from dataclasses import dataclass
from typing import TypeAlias

from workspace_manager.contract.connector import Finding, Severity
from workspace_manager.contract.message import Message

Hides: TypeAlias = tuple[str, ...]


@dataclass(frozen=True)
class Findings:
    """Make the findings of one system: whoever says that something is not well has to say what to
    do.
    """

    system: str

    def ok(self, name: Message, found: Message) -> Finding:
        return self.of(Severity.OK, name, found)

    def warning(
        self, name: Message, found: Message, remedy: Message, *, hides: Hides = ()
    ) -> Finding:
        return self.of(Severity.WARNING, name, found, remedy, hides=hides)

    def failing(
        self, name: Message, found: Message, remedy: Message, *, hides: Hides = ()
    ) -> Finding:
        return self.of(Severity.FAILING, name, found, remedy, hides=hides)

    def of(
        self,
        severity: Severity,
        name: Message,
        found: Message,
        remedy: Message | None = None,
        *,
        hides: Hides = (),
    ) -> Finding:
        """A finding whose severity the caller has worked out. `hides`: what could not be looked at
        because of it.
        """
        return Finding(
            system=self.system,
            name=name.english,
            severity=severity,
            text=found.english,
            remedy=remedy.english if remedy else "",
            message=found,
            remedy_message=remedy,
            name_message=name,
            hides=hides,
        )
