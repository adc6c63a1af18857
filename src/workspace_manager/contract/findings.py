"""How the checks of a system put what they found."""

from dataclasses import dataclass

from workspace_manager.contract.connector import Finding, Severity


@dataclass(frozen=True)
class Findings:
    """Make the findings of one system: whoever says that something is not well has to say what to do."""

    system: str

    def ok(self, name: str, text: str) -> Finding:
        return Finding(system=self.system, name=name, severity=Severity.OK, text=text)

    def warning(self, name: str, text: str, remedy: str) -> Finding:
        return self._ill(Severity.WARNING, name, text, remedy)

    def failing(self, name: str, text: str, remedy: str) -> Finding:
        return self._ill(Severity.FAILING, name, text, remedy)

    def _ill(self, severity: Severity, name: str, text: str, remedy: str) -> Finding:
        return Finding(system=self.system, name=name, severity=severity, text=text, remedy=remedy)
