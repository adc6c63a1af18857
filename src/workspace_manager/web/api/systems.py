"""`/systems`: which systems there are, how they stand, pausing one, and its settings (specification, section 2.5)."""

from typing import Annotated, Any, Literal

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router
from pydantic import BaseModel, Field

from workspace_manager.contract.connector import Finding, Severity
from workspace_manager.contract.message import Message, quoted
from workspace_manager.contract.secret import Secret
from workspace_manager.contract.settings import SettingSpec, as_text
from workspace_manager.core import audit
from workspace_manager.core.messages import name_of
from workspace_manager.core.refusal import Refused
from workspace_manager.core.timestamps import in_utc
from workspace_manager.engine import pause as pausing
from workspace_manager.operations import settings as system_settings
from workspace_manager.records.models import SystemStatus
from workspace_manager.web.api.auth import administrator, person_of
from workspace_manager.web.api.inputs import Input, Text, Window
from workspace_manager.web.api.openapi import says
from workspace_manager.web.api.shown import Listed
from workspace_manager.web.messages import message
from workspace_manager.web.pages.translate import Coded, said
from workspace_manager.wiring import (
    SETTINGS,
    Configured,
    configured,
    connected_systems,
    misspelt,
    refuse_pinned,
    tried_out,
)
from workspace_manager.worker import wake_all

router = Router(auth=administrator)

SystemName = Literal[
    "identity_provider",
    "drive",
    "sql_server",
    "triplestore",
    "ontology_editor",
    "notebook_hub",
    "container_manager",
]


class SettingShown(BaseModel):
    """One setting. A secret's value is never shown, only whether it is set. `pinned`: by the environment, so it cannot be stored."""

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
    """One system. `configured`: nothing required is missing and every value can be used."""

    name: SystemName
    configured: bool
    missing: list[str]
    errors: dict[str, str]
    paused: bool
    paused_by: str | None
    paused_reason: str | None
    paused_at: str | None
    findings: list[FindingShown]
    checked_at: str | None
    settings: list[SettingShown]


class Pausing(Input):
    """Why a system is not called for now."""

    reason: Annotated[Text, Field(max_length=300)] = ""


class TriedSettings(Input):
    """Values by name, as text, in place of the stored ones. A blank secret is the stored one, `{empty}` none."""

    settings: Annotated[
        dict[Annotated[Text, Field(max_length=60)], Annotated[Text, Field(max_length=2000)]],
        Field(max_length=50),
    ] = {}


class Tested(BaseModel):
    """What the system answered. `failing`: how many of the findings have to be corrected before it works."""

    findings: list[FindingShown]
    failing: int


class NewSettings(Input):
    """Values by name, as text. A blank secret keeps the stored one, `{empty}` forgets it where none is needed."""

    settings: Annotated[
        dict[Annotated[Text, Field(max_length=60)], Annotated[Text, Field(max_length=2000)]],
        Field(min_length=1, max_length=50),
    ]


@router.get("", response=Listed[SystemShown], summary="List the connected systems")
def list_(request: HttpRequest, window: Query[Window]) -> dict[str, Any]:  # noqa: ARG001
    """With their settings (never a secret), what the last check found, and whether they are paused."""
    names = list(SETTINGS)[window.offset : window.offset + window.limit]
    return {"items": [shown(name) for name in names], "count": len(SETTINGS)}


@router.get("/{name}", response=SystemShown, summary="Show one system")
def show(request: HttpRequest, name: SystemName) -> dict[str, Any]:  # noqa: ARG001
    return shown(name)


@router.post("/{name}/pause", response=SystemShown, summary="Pause a system")
def pause(request: HttpRequest, name: SystemName, body: Pausing | None = None) -> dict[str, Any]:
    """Make no more calls to it; what needs it waits."""
    reason = " ".join(body.reason.split()) if body else ""
    pausing.pause(
        name, actor=person_of(request).username, reason=reason or message("paused_by_hand").english
    )
    return shown(name)


@router.post("/{name}/resume", response=SystemShown, summary="Resume a system")
def resume(request: HttpRequest, name: SystemName) -> dict[str, Any]:
    """Call it again; what waited goes on."""
    pausing.resume(name, actor=person_of(request).username)
    wake_all()
    return shown(name)


@router.post(
    "/{name}/check", response=SystemShown, summary="Check a system", openapi_extra=says(409)
)
def check(request: HttpRequest, name: SystemName) -> dict[str, Any]:
    """Ask it everything its check knows; a system that is down is a finding, not an error."""
    system = connected_systems().ready.get(name)
    if system is None:
        raise Refused(_why_not(name, configured(name)))
    found = [*misspelt(name), *system.check()]
    findings = [finding.model_dump(mode="json") for finding in found]
    SystemStatus.objects.update_or_create(
        system=name, defaults={"findings": findings, "checked_at": timezone.now()}
    )
    audit.note("system:checked", name, actor=person_of(request).username)
    return shown(name)


@router.post(
    "/{name}/test", response=Tested, summary="Test settings before storing", openapi_extra=says(409)
)
def try_out(
    request: HttpRequest,  # noqa: ARG001
    name: SystemName,
    body: TriedSettings | None = None,
) -> dict[str, Any]:
    """Ask the system everything its check knows, with these values. Nothing is stored, and nothing else is called with them."""
    findings = tried_out(name, body.settings if body else {}).check()
    return {
        "findings": [_finding(finding) for finding in findings],
        "failing": sum(finding.severity == Severity.FAILING for finding in findings),
    }


@router.patch(
    "/{name}", response=SystemShown, summary="Store settings of a system", openapi_extra=says(409)
)
def change(request: HttpRequest, name: SystemName, body: NewSettings) -> dict[str, Any]:
    """Keep the given values unless one of them cannot be used. A changed credential lets a paused system be called again."""
    refuse_pinned(name, body.settings)
    system_settings.save(name, SETTINGS[name], body.settings, actor=person_of(request).username)
    wake_all()
    return shown(name)


def _why_not(name: str, state: Configured) -> Message:
    if state.errors:
        wrong = "; ".join(f"{setting} {why}" for setting, why in state.errors.items())
        return message("cannot_be_called", system=name_of(name), why=wrong)
    missing = ", ".join(state.missing)
    return message("missing", system=name_of(name), names=missing or message("no_hub"))


def shown(name: str) -> dict[str, Any]:
    """One system as an administrator sees it."""
    state = configured(name)
    status = SystemStatus.objects.filter(system=name).first() or SystemStatus(system=name)
    return {
        "name": name,
        "configured": not state.missing and not state.errors,
        "missing": state.missing,
        "errors": dict(state.errors),
        "paused": status.paused,
        "paused_by": status.paused_by or None,
        "paused_reason": status.reason or None,
        "paused_at": in_utc(status.paused_at),
        "findings": [_finding(Finding.model_validate(kept)) for kept in status.findings],
        "checked_at": in_utc(status.checked_at),
        "settings": [_setting(spec, state) for spec in SETTINGS[name].specs()],
    }


def _finding(finding: Finding) -> dict[str, Any]:
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
