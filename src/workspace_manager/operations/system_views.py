"""Views of a system, for REST, pages and the command line: state, findings of the last check, and
settings without secrets.
"""

from typing import Annotated, Any

from pydantic import Field

from workspace_manager.contract.connector import Finding
from workspace_manager.contract.member_description import SystemName, UserName, When, describe
from workspace_manager.contract.message import quote_words
from workspace_manager.contract.secret import Secret
from workspace_manager.contract.settings import SettingSpec, as_text
from workspace_manager.core.lists import Either, ListSpec, Member
from workspace_manager.core.views import OR_NONE, SAID, CodedMessage, View, as_data
from workspace_manager.operations.system_configuration import (
    SystemConfiguration,
    every_configured,
    read_settings,
)
from workspace_manager.records.models import SystemStatus
from workspace_manager.systems import registry

SYSTEMS = ListSpec(
    "systems_list",
    __file__,
    searched=("name",),
    order=(),
    members=(
        Member(
            "configured",
            Either("not-configured"),
            help="Only those that can be used, or cannot.",
            filter="configured",
        ),
        Member(
            "paused",
            Either("not-paused"),
            help="Only those that are paused, or are not.",
            filter="paused",
        ),
        Member("name", order="name"),
        Member("checked_at", order="checked_at"),
    ),
)
"""In no table: the systems are installed packages."""


class SettingView(View):
    """One setting. A secret is never shown, only whether it is set. `pinned`: set by the
    environment, so it cannot be stored.
    """

    name: Annotated[
        str, describe("What the setting is called in addresses, files and commands.", "base_url")
    ]
    label: Annotated[str, SAID, describe("What people read.", "Address")]
    label_message: Annotated[CodedMessage, as_data("label")]
    help: Annotated[
        str,
        SAID,
        describe(
            "What it is for; blank where the label says enough.",
            "As people open it in the browser.",
        ),
    ]
    help_message: Annotated[CodedMessage, as_data("help")]
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


class FindingView(View):
    """One finding of the last check."""

    system: Annotated[SystemName, describe("The system that was looked at.")]
    name: Annotated[str, describe("What was looked for.", "rights")]
    severity: Annotated[str, describe("`ok`, `warning` or `failing`.", "failing")]
    text: Annotated[str, SAID, describe("What was found.", "The account is no administrator.")]
    text_message: Annotated[CodedMessage | None, as_data("text")] = None
    remedy: Annotated[
        str,
        SAID,
        describe(
            "What to do about it; blank where nothing is to do.",
            "Make it a member of the group admin.",
        ),
    ]
    remedy_message: Annotated[CodedMessage | None, as_data("remedy")] = None


class SystemView(View):
    """One system. `configured`: all required settings are present and every value is usable.

    An installed system that cannot be used gives the reason in `findings`, and has no settings.
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
        UserName | None,
        OR_NONE,
        describe("Who paused it; null of one that the manager paused itself."),
    ]
    paused_reason: Annotated[
        str | None,
        SAID,
        Field(validation_alias="reason"),
        describe("Why it is paused.", "moving house"),
    ]
    paused_reason_message: Annotated[CodedMessage | None, as_data("reason")] = None
    paused_at: Annotated[When | None, describe("Since when it is paused.")]
    findings: Annotated[list[FindingView], describe("What the last check found.")]
    checked_at: Annotated[When | None, describe("When it was last checked.")]
    settings: Annotated[list[SettingView], describe("Its settings, without the value of a secret.")]


def view_system(name: str) -> SystemView:
    status = SystemStatus.objects.filter(system=name).first()
    return _view(name, status, read_settings(name) if name in registry().specs else None)


def view_systems() -> list[SystemView]:
    """Return every system; the number of queries does not grow with them."""
    rows = {row.system: row for row in SystemStatus.objects.all()}
    states = every_configured()
    return [_view(name, rows.get(name), states.get(name)) for name in registry().names()]


def _view(name: str, row: SystemStatus | None, state: SystemConfiguration | None) -> SystemView:
    status = row or SystemStatus(system=name)
    wrong = registry().wrong_with(name)
    kept = [Finding.model_validate(one) for one in status.findings]
    found = [*wrong, *(one for one in kept if one not in wrong)]
    return SystemView.from_row(
        status, name=name, findings=list(map(view_finding, found)), **_configuration(name, state)
    )


def _configuration(name: str, state: SystemConfiguration | None) -> dict[str, Any]:
    if state is None:
        return {"configured": False, "missing": [], "errors": {}, "settings": []}
    specs = registry().specs[name].settings.specs()
    return {
        "configured": state.usable,
        "missing": state.missing,
        "errors": state.errors,
        "settings": [_setting(one, state) for one in specs],
    }


def view_finding(finding: Finding) -> FindingView:
    return FindingView.from_row(finding, **say_finding(finding))


def say_finding(finding: Finding) -> dict[str, Any]:
    """Return the finding and its remedy as messages."""
    return {
        "text": finding.message or quote_words(finding.text),
        "remedy": finding.remedy_message or quote_words(finding.remedy),
        "remedy_message": finding.remedy_message or quote_words(finding.remedy),
    }


def _setting(spec: SettingSpec, state: SystemConfiguration) -> SettingView:
    value = getattr(state.settings, spec.name)
    return SettingView.from_row(
        spec,
        label=spec.label_message,
        help=spec.help_message,
        value=None if isinstance(value, Secret) or spec.secret else as_text(spec, value),
        is_set=value not in {None, ""},
        pinned=spec.name in state.pinned,
    )
