"""How the checks of a system put what they found."""

from dataclasses import dataclass

from workspace_manager.contract.connector import Finding, Severity
from workspace_manager.contract.message import Message


@dataclass(frozen=True)
class Findings:
    """Make the findings of one system: whoever says that something is not well has to say what to
    do.
    """

    system: str

    def ok(self, name: Message, found: Message) -> Finding:
        return self.of(Severity.OK, name, found)

    def warning(self, name: Message, found: Message, remedy: Message) -> Finding:
        return self.of(Severity.WARNING, name, found, remedy)

    def failing(self, name: Message, found: Message, remedy: Message) -> Finding:
        return self.of(Severity.FAILING, name, found, remedy)

    def of(
        self, severity: Severity, name: Message, found: Message, remedy: Message | None = None
    ) -> Finding:
        """A finding whose severity the caller has worked out."""
        return Finding(
            system=self.system,
            name=name.english,
            severity=severity,
            text=found.english,
            remedy=remedy.english if remedy else "",
            message=found,
            remedy_message=remedy,
            name_message=name,
        )
