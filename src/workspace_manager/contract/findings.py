"""How the checks of a system put what they found."""

from dataclasses import dataclass

from workspace_manager.contract.connector import Finding, Severity
from workspace_manager.contract.message import Words, quoted


@dataclass(frozen=True)
class Findings:
    """Make the findings of one system: whoever says that something is not well has to say what to
    do.
    """

    system: str

    def ok(self, name: Words, found: Words) -> Finding:
        return self.of(Severity.OK, name, found, "")

    def warning(self, name: Words, found: Words, remedy: Words) -> Finding:
        return self.of(Severity.WARNING, name, found, remedy)

    def failing(self, name: Words, found: Words, remedy: Words) -> Finding:
        return self.of(Severity.FAILING, name, found, remedy)

    def of(self, severity: Severity, name: Words, found: Words, remedy: Words = "") -> Finding:
        """A finding whose severity the caller has worked out."""
        text, cure, label = quoted(found), quoted(remedy), quoted(name)
        return Finding(
            system=self.system,
            name=label.english,
            severity=severity,
            text=text.english,
            remedy=cure.english,
            message=text,
            remedy_message=cure if remedy else None,
            name_message=label,
        )
