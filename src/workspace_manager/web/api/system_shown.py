"""A system as the API shows it: how it stands, what the last check found, and its settings without
a secret.
"""

from typing import Annotated, Any

from pydantic import BaseModel

from workspace_manager.contract.connector import Finding
from workspace_manager.contract.described import SystemName, UserName, When, about
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

    name: Annotated[
        str, about("What the setting is called in addresses, files and commands.", "base_url")
    ]
    label: Annotated[str, about("What people read.", "Address")]
    label_message: Coded
    help: Annotated[
        str,
        about(
            "What it is for; blank where the label says enough.",
            "As people open it in the browser.",
        ),
    ]
    help_message: Coded
    kind: Annotated[str, about("`text`, `url`, `number`, `boolean`, `choice` or `secret`.", "url")]
    required: Annotated[bool, about("Whether the system needs it.")]
    choices: Annotated[list[str], about("What it may be, of a choice.", ["graphdb", "rdf4j"])]
    value: Annotated[
        str | None, about("The value as text; null of a secret.", "https://drive.example.org")
    ]
    is_set: Annotated[bool, about("Whether it has a value, secrets too.")]
    pinned: Annotated[bool, about("Whether the environment sets it, so that it cannot be stored.")]


class FindingShown(BaseModel):
    """One line of the last check."""

    system: Annotated[SystemName, about("The system that was looked at.")]
    name: Annotated[str, about("What was looked for.", "rights")]
    severity: Annotated[str, about("`ok`, `warning` or `failing`.", "failing")]
    text: Annotated[str, about("What was found.", "The account is no administrator.")]
    text_message: Coded | None = None
    remedy: Annotated[
        str,
        about(
            "What to do about it; blank where nothing is to do.",
            "Make it a member of the group admin.",
        ),
    ]
    remedy_message: Coded | None = None


class SystemShown(BaseModel):
    """One system. `configured`: nothing required is missing and every value can be used.

    One that is installed and cannot be used says why in `findings`, and has no settings.
    """

    name: Annotated[SystemName, about("What the system is called in addresses and commands.")]
    configured: Annotated[
        bool, about("Whether nothing required is missing and every value can be used.")
    ]
    missing: Annotated[list[str], about("Required settings that are not set.", ["admin_password"])]
    errors: Annotated[
        dict[str, str],
        about("Settings that cannot be used, and why.", {"port": "must be a whole number"}),
    ]
    paused: Annotated[bool, about("Whether it is not called for now.")]
    paused_by: Annotated[
        UserName | None, about("Who paused it; null of one that the manager paused itself.")
    ]
    paused_reason: Annotated[str | None, about("Why it is paused.", "moving house")]
    paused_reason_message: Coded | None = None
    paused_at: Annotated[When | None, about("Since when it is paused.")]
    findings: Annotated[list[FindingShown], about("What the last check found.")]
    checked_at: Annotated[When | None, about("When it was last checked.")]
    settings: Annotated[list[SettingShown], about("Its settings, without the value of a secret.")]


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
