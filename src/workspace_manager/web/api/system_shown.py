"""A system as the API shows it: how it stands, what the last check found, and its settings without
a secret.
"""

from typing import Any

from pydantic import BaseModel

from workspace_manager.contract.connector import Finding
from workspace_manager.contract.message import quoted
from workspace_manager.contract.secret import Secret
from workspace_manager.contract.settings import SettingSpec, as_text
from workspace_manager.core.timestamps import in_utc
from workspace_manager.operations.configured import Configured, configured, every_configured
from workspace_manager.records.models import SystemStatus
from workspace_manager.systems import registry
from workspace_manager.web.pages.translate import Coded, said


class SettingShown(BaseModel):
    """One setting. A secret's value is never shown, only whether it is set. `pinned`: by the
    environment, so it cannot be stored.
    """

    name: str
    label: str
    label_message: Coded
    help: str
    help_message: Coded
    kind: str
    required: bool
    choices: list[str]
    value: str | None
    is_set: bool
    pinned: bool


class FindingShown(BaseModel):
    """One line of the last check."""

    system: str
    name: str
    severity: str
    text: str
    text_message: Coded | None = None
    remedy: str
    remedy_message: Coded | None = None


class SystemShown(BaseModel):
    """One system. `configured`: nothing required is missing and every value can be used.

    One that is installed and cannot be used says why in `findings`, and has no settings.
    """

    name: str
    configured: bool
    missing: list[str]
    errors: dict[str, str]
    paused: bool
    paused_by: str | None
    paused_reason: str | None
    paused_reason_message: Coded | None = None
    paused_at: str | None
    findings: list[FindingShown]
    checked_at: str | None
    settings: list[SettingShown]


def shown(name: str) -> dict[str, Any]:
    """One system as an administrator sees it."""
    status = SystemStatus.objects.filter(system=name).first()
    return _shown(name, status, configured(name) if name in registry().specs else None)


def all_shown() -> list[dict[str, Any]]:
    """Every system, with as many queries as for one."""
    rows = {row.system: row for row in SystemStatus.objects.all()}
    states = every_configured()
    return [_shown(name, rows.get(name), states.get(name)) for name in registry().names()]


def _shown(name: str, row: SystemStatus | None, state: Configured | None) -> dict[str, Any]:
    status = row or SystemStatus(system=name)
    wrong = registry().wrong_with(name)
    kept = [Finding.model_validate(one) for one in status.findings]
    return {
        "name": name,
        **_configuration(name, state),
        "paused": status.paused,
        "paused_by": status.paused_by or None,
        **said("paused_reason", status.reason),
        "paused_at": in_utc(status.paused_at),
        "findings": [
            finding_shown(one) for one in [*wrong, *(one for one in kept if one not in wrong)]
        ],
        "checked_at": in_utc(status.checked_at),
    }


def _configuration(name: str, state: Configured | None) -> dict[str, Any]:
    if state is None:
        return {"configured": False, "missing": [], "errors": {}, "settings": []}
    spec = registry().specs[name]
    return {
        "configured": state.usable,
        "missing": state.missing,
        "errors": dict(state.errors),
        "settings": [_setting(one, state) for one in spec.settings.specs()],
    }


def finding_shown(finding: Finding) -> dict[str, Any]:
    """One line of a check."""
    return {
        "system": finding.system,
        "name": finding.name,
        "severity": finding.severity,
        **said("text", finding.message or quoted(finding.text)),
        **said("remedy", finding.remedy_message or quoted(finding.remedy)),
    }


def _setting(spec: SettingSpec, state: Configured) -> dict[str, Any]:
    value = getattr(state.settings, spec.name)
    return {
        "name": spec.name,
        **said("label", spec.label_message),
        **said("help", spec.help_message),
        "kind": spec.kind,
        "required": spec.required,
        "choices": list(spec.choices),
        "value": None if isinstance(value, Secret) or spec.secret else as_text(spec, value),
        "is_set": value not in {None, ""},
        "pinned": spec.name in state.pinned,
    }
