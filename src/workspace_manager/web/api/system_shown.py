"""A system as the API shows it: how it stands, what the last check found, and its settings without
a secret.
"""

from typing import Annotated, Any

from pydantic import BaseModel

from workspace_manager.contract.connector import Finding
from workspace_manager.contract.member_description import SystemName, UserName, When, describe
from workspace_manager.contract.message import quote_words
from workspace_manager.contract.secret import Secret
from workspace_manager.contract.settings import SettingSpec, as_text
from workspace_manager.core.timestamps import in_utc
from workspace_manager.operations.system_configuration import (
    SystemConfiguration,
    every_configured,
    read_settings,
)
from workspace_manager.records.models import SystemStatus
from workspace_manager.systems import registry
from workspace_manager.web.pages.translate import Coded, said


class SettingShown(BaseModel):
    """One setting. A secret's value is never shown, only whether it is set. `pinned`: by the
    environment, so it cannot be stored.
    """

    name: Annotated[
        str, describe("What the setting is called in addresses, files and commands.", "base_url")
    ]
    label: Annotated[str, describe("What people read.", "Address")]
    label_message: Coded
    help: Annotated[
        str,
        describe(
            "What it is for; blank where the label says enough.",
            "As people open it in the browser.",
        ),
    ]
    help_message: Coded
    kind: Annotated[
        str, describe("`text`, `url`, `number`, `boolean`, `choice` or `secret`.", "url")
    ]
    required: Annotated[bool, describe("Whether the system needs it.")]
    choices: Annotated[list[str], describe("What it may be, of a choice.", ["graphdb", "rdf4j"])]
    value: Annotated[
        str | None, describe("The value as text; null of a secret.", "https://drive.example.org")
    ]
    is_set: Annotated[bool, describe("Whether it has a value, secrets too.")]
    pinned: Annotated[
        bool, describe("Whether the environment sets it, so that it cannot be stored.")
    ]


class FindingShown(BaseModel):
    """One line of the last check."""

    system: Annotated[SystemName, describe("The system that was looked at.")]
    name: Annotated[str, describe("What was looked for.", "rights")]
    severity: Annotated[str, describe("`ok`, `warning` or `failing`.", "failing")]
    text: Annotated[str, describe("What was found.", "The account is no administrator.")]
    text_message: Coded | None = None
    remedy: Annotated[
        str,
        describe(
            "What to do about it; blank where nothing is to do.",
            "Make it a member of the group admin.",
        ),
    ]
    remedy_message: Coded | None = None


class SystemShown(BaseModel):
    """One system. `configured`: nothing required is missing and every value can be used.

    One that is installed and cannot be used says why in `findings`, and has no settings.
    """

    name: Annotated[SystemName, describe("What the system is called in addresses and commands.")]
    configured: Annotated[
        bool, describe("Whether nothing required is missing and every value can be used.")
    ]
    missing: Annotated[
        list[str], describe("Required settings that are not set.", ["admin_password"])
    ]
    errors: Annotated[
        dict[str, str],
        describe("Settings that cannot be used, and why.", {"port": "must be a whole number"}),
    ]
    paused: Annotated[bool, describe("Whether it is not called for now.")]
    paused_by: Annotated[
        UserName | None, describe("Who paused it; null of one that the manager paused itself.")
    ]
    paused_reason: Annotated[str | None, describe("Why it is paused.", "moving house")]
    paused_reason_message: Coded | None = None
    paused_at: Annotated[When | None, describe("Since when it is paused.")]
    findings: Annotated[list[FindingShown], describe("What the last check found.")]
    checked_at: Annotated[When | None, describe("When it was last checked.")]
    settings: Annotated[
        list[SettingShown], describe("Its settings, without the value of a secret.")
    ]


def shown(name: str) -> dict[str, Any]:
    """One system as an administrator sees it."""
    status = SystemStatus.objects.filter(system=name).first()
    return _shown(name, status, read_settings(name) if name in registry().specs else None)


def all_shown() -> list[dict[str, Any]]:
    """Every system, with as many queries as for one."""
    rows = {row.system: row for row in SystemStatus.objects.all()}
    states = every_configured()
    return [_shown(name, rows.get(name), states.get(name)) for name in registry().names()]


def _shown(
    name: str, row: SystemStatus | None, state: SystemConfiguration | None
) -> dict[str, Any]:
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


def _configuration(name: str, state: SystemConfiguration | None) -> dict[str, Any]:
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
        **said("text", finding.message or quote_words(finding.text)),
        **said("remedy", finding.remedy_message or quote_words(finding.remedy)),
    }


def _setting(spec: SettingSpec, state: SystemConfiguration) -> dict[str, Any]:
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
