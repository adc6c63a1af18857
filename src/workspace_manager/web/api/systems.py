"""`/systems`: which systems there are, how they stand, pausing one, and its settings.

See docs/explanation/settings.md.
"""

from typing import Annotated, Any

from django.http import Http404, HttpRequest
from ninja import Query, Router
from pydantic import BaseModel, Field

from workspace_manager.contract.connector import Finding, Severity
from workspace_manager.contract.message import quoted
from workspace_manager.contract.secret import Secret
from workspace_manager.contract.settings import SettingSpec, as_text
from workspace_manager.core.timestamps import in_utc
from workspace_manager.engine import pause as pausing
from workspace_manager.operations import checks
from workspace_manager.operations import settings as system_settings
from workspace_manager.operations.configured import Configured, configured
from workspace_manager.records.models import SystemStatus
from workspace_manager.systems import registry
from workspace_manager.web.api.auth import administrator, freshly_signed_in, person_of
from workspace_manager.web.api.inputs import Input, Text, Window
from workspace_manager.web.api.openapi import says
from workspace_manager.web.api.shown import Listed
from workspace_manager.web.messages import message
from workspace_manager.web.pages.translate import Coded, said
from workspace_manager.web.sign_in.fresh import refuse_stale
from workspace_manager.wiring import connected_systems, tried_out

router = Router(auth=administrator)


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


class Pausing(Input):
    """Why a system is not called for now."""

    reason: Annotated[Text, Field(max_length=300)] = ""


class TriedSettings(Input):
    """Values by name, as text, in place of the stored ones. A blank secret is the stored one,
    `{empty}` none. With an address of another scheme, host or port each secret is typed again.
    """

    settings: Annotated[
        dict[Annotated[Text, Field(max_length=60)], Annotated[Text, Field(max_length=2000)]],
        Field(max_length=50),
    ] = {}


class Tested(BaseModel):
    """What the system answered. `failing`: how many of the findings have to be corrected before it
    works.
    """

    findings: list[FindingShown]
    failing: int


class NewSettings(Input):
    """Values by name, as text. A blank secret keeps the stored one, `{empty}` forgets it where none
    is needed. With an address of another scheme, host or port each secret is typed again.
    """

    settings: Annotated[
        dict[Annotated[Text, Field(max_length=60)], Annotated[Text, Field(max_length=2000)]],
        Field(min_length=1, max_length=50),
    ]


@router.get("", response=Listed[SystemShown], summary="List the connected systems")
def list_(request: HttpRequest, window: Query[Window]) -> dict[str, Any]:  # noqa: ARG001
    """With their settings (never a secret), what the last check found, and whether they
    are paused.
    """
    names = registry().names()
    some = names[window.offset : window.offset + window.limit]
    return {"items": [shown(name) for name in some], "count": len(names)}


@router.get("/{name}", response=SystemShown, summary="Show one system")
def show(request: HttpRequest, name: str) -> dict[str, Any]:  # noqa: ARG001
    if name not in registry().names():
        raise Http404
    return shown(name)


@router.post("/{name}/pause", response=SystemShown, summary="Pause a system")
def pause(request: HttpRequest, name: str, body: Pausing | None = None) -> dict[str, Any]:
    """Make no more calls to it; what needs it waits."""
    reason = " ".join(body.reason.split()) if body else ""
    pausing.pause(
        _installed(name),
        actor=person_of(request).username,
        reason=reason or message("paused_by_hand"),
    )
    return shown(name)


@router.post("/{name}/resume", response=SystemShown, summary="Resume a system")
def resume(request: HttpRequest, name: str) -> dict[str, Any]:
    """Call it again; what waited goes on."""
    pausing.resume(_installed(name), actor=person_of(request).username)
    return shown(name)


@router.post(
    "/{name}/check", response=SystemShown, summary="Check a system", openapi_extra=says(409)
)
def check(request: HttpRequest, name: str) -> dict[str, Any]:
    """Ask it everything its check knows; a system that is down is a finding, not an error."""
    checks.check_and_keep(_installed(name), connected_systems(), actor=person_of(request).username)
    return shown(name)


@router.post(
    "/{name}/test",
    auth=freshly_signed_in,
    response=Tested,
    summary="Test settings before storing",
    openapi_extra=says(409),
)
def try_out(
    request: HttpRequest,
    name: str,
    body: TriedSettings | None = None,
) -> dict[str, Any]:
    """Ask the system everything its check knows, with these values. Nothing is stored, and nothing
    else is called with them. A session is one of a sign-in some minutes ago (403).
    """
    refuse_stale(request)
    typed = body.settings if body else {}
    with checks.apart(_installed(name)):
        findings = tried_out(name, typed, actor=person_of(request).username).check()
    return {
        "findings": [_finding(finding) for finding in findings],
        "failing": sum(finding.severity == Severity.FAILING for finding in findings),
    }


@router.patch(
    "/{name}",
    auth=freshly_signed_in,
    response=SystemShown,
    summary="Store settings of a system",
    openapi_extra=says(409),
)
def change(request: HttpRequest, name: str, body: NewSettings) -> dict[str, Any]:
    """Keep the given values unless one of them cannot be used. A changed credential lets a paused
    system be called again. A session is one of a sign-in some minutes ago (403).
    """
    refuse_stale(request)
    system_settings.save(_installed(name), body.settings, actor=person_of(request).username)
    return shown(name)


def _installed(name: str) -> str:
    if name not in registry().specs:
        raise Http404
    return name


def shown(name: str) -> dict[str, Any]:
    """One system as an administrator sees it."""
    status = SystemStatus.objects.filter(system=name).first() or SystemStatus(system=name)
    wrong = registry().wrong_with(name)
    kept = [Finding.model_validate(one) for one in status.findings]
    return {
        "name": name,
        **_configuration(name),
        "paused": status.paused,
        "paused_by": status.paused_by or None,
        **said("paused_reason", status.reason),
        "paused_at": in_utc(status.paused_at),
        "findings": [_finding(one) for one in [*wrong, *(one for one in kept if one not in wrong)]],
        "checked_at": in_utc(status.checked_at),
    }


def _configuration(name: str) -> dict[str, Any]:
    spec = registry().specs.get(name)
    if spec is None:
        return {"configured": False, "missing": [], "errors": {}, "settings": []}
    state = configured(name)
    return {
        "configured": state.usable,
        "missing": state.missing,
        "errors": dict(state.errors),
        "settings": [_setting(one, state) for one in spec.settings.specs()],
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
