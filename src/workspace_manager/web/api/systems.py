"""`/systems`: the connected systems, their state, their pauses and their settings.

See docs/explanation/settings.md.
"""

from collections.abc import Sequence
from typing import Annotated, Any

from django.http import Http404, HttpRequest
from ninja import Query, Router
from pydantic import BaseModel, Field

from workspace_manager.contract.connector import Finding, Severity
from workspace_manager.contract.member_description import describe
from workspace_manager.contract.typed_values import as_texts
from workspace_manager.engine import pause as pausing
from workspace_manager.operations import as_person, checks
from workspace_manager.operations import settings as system_settings
from workspace_manager.operations.system_configuration import settings_class
from workspace_manager.operations.system_views import (
    SYSTEMS,
    FindingView,
    SystemView,
    view_finding,
    view_system,
    view_systems,
)
from workspace_manager.systems import registry
from workspace_manager.web.api.auth import administrator, freshly_signed_in, person_of
from workspace_manager.web.api.inputs import Input, SettingValue, Text
from workspace_manager.web.api.lists import ListAsked, choose_rows
from workspace_manager.web.api.openapi import says
from workspace_manager.web.api.responses import ListPage
from workspace_manager.web.messages import message
from workspace_manager.web.sign_in.fresh import refuse_stale
from workspace_manager.wiring import connected_systems, told_anew, tried_out

router = Router(auth=administrator)

Values = dict[Annotated[Text, Field(max_length=60)], SettingValue]


class SystemsAsked(ListAsked, of=SYSTEMS):
    """Filters and order of the list of systems."""


class Pausing(Input):
    """The reason of a pause."""

    reason: Annotated[
        Text,
        Field(max_length=300),
        describe("Why; people who see the pause read it.", "moving house"),
    ] = ""


class TriedSettings(Input):
    """Values by name in place of the stored ones; numbers and booleans as such, or as text. A blank
    secret stands for the stored one, `{empty}` for none. If the address has another scheme, host or
    port, every secret must be typed again.
    """

    settings: Annotated[
        Values,
        Field(max_length=50),
        describe(
            "Values by name, in place of the stored ones.",
            {"host": "sql.example.org", "port": 3306},
        ),
    ] = {}


class Tested(BaseModel):
    """The system's answer. `failing`: the number of findings to correct before it works."""

    findings: Annotated[list[FindingView], describe("What the system answered, line by line.")]
    failing: Annotated[int, describe("How many of them have to be corrected before it works.", 0)]


class NewSettings(Input):
    """Values by name; numbers and booleans as such, or as text. A blank secret keeps the stored
    one; `{empty}` deletes it where none is needed. If the address has another scheme, host or port,
    every secret must be typed again.
    """

    settings: Annotated[
        Values,
        Field(min_length=1, max_length=50),
        describe(
            "Values by name; what is left out stays.",
            {"base_url": "https://drive.example.org", "use_bearer_token": True},
        ),
    ]


@router.get("", response=ListPage[SystemView], summary="List the connected systems")
def list_(
    request: HttpRequest,  # noqa: ARG001
    window: Query[SystemsAsked],
) -> dict[str, Any]:
    """With their settings (never a secret), the findings of the last check, and pauses."""
    return choose_rows(view_systems(), window, SYSTEMS)


@router.post(
    "/check-as-person",
    response=Tested,
    summary="Check as a person",
    openapi_extra=says(409),
)
def check_as_person(request: HttpRequest) -> dict[str, Any]:
    """Makes a temporary user at the identity provider, signs in as that person at every client,
    uses their token at the drive, and removes everything again. Starts nothing. 503 while another
    such check runs.
    """
    found = as_person.check(connected_systems(), actor=person_of(request).username)
    return _tested(found)


@router.get("/{name}", response=SystemView, summary="Show one system")
def show(request: HttpRequest, name: str) -> SystemView:  # noqa: ARG001
    if name not in registry().names():
        raise Http404
    return view_system(name)


@router.post("/{name}/pause", response=SystemView, summary="Pause a system")
def pause(request: HttpRequest, name: str, body: Pausing | None = None) -> SystemView:
    """Stops all calls to the system. Steps that need it wait."""
    reason = " ".join(body.reason.split()) if body else ""
    pausing.pause(
        _installed(name),
        actor=person_of(request).username,
        reason=reason or message("paused_by_hand"),
    )
    return view_system(name)


@router.post("/{name}/resume", response=SystemView, summary="Resume a system")
def resume(request: HttpRequest, name: str) -> SystemView:
    """Allows calls to the system again. Waiting steps go on."""
    pausing.resume(_installed(name), actor=person_of(request).username)
    return view_system(name)


@router.post(
    "/{name}/check", response=SystemView, summary="Check a system", openapi_extra=says(409)
)
def check(request: HttpRequest, name: str) -> SystemView:
    """Runs all checks of the system. A system that is down is a finding, not an error."""
    systems = told_anew(connected_systems(), [_installed(name)])
    checks.check_and_keep(name, systems, actor=person_of(request).username)
    return view_system(name)


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
    """Runs all checks of the system with these values. Nothing is stored, and nothing else uses
    them. A session needs a sign-in in the last few minutes (403).
    """
    refuse_stale(request)
    typed = as_texts(settings_class(_installed(name)), body.settings if body else {})
    with checks.separate_check(_installed(name)):
        tried = tried_out(name, typed, actor=person_of(request).username)
        findings = checks.looked_at(tried, asked=True)
    return _tested(findings)


def _tested(findings: Sequence[Finding]) -> dict[str, Any]:
    return {
        "findings": [view_finding(finding) for finding in findings],
        "failing": sum(finding.severity == Severity.FAILING for finding in findings),
    }


@router.patch(
    "/{name}",
    auth=freshly_signed_in,
    response=SystemView,
    summary="Store settings of a system",
    openapi_extra=says(409),
)
def change(request: HttpRequest, name: str, body: NewSettings) -> SystemView:
    """Stores the values, unless one of them cannot be used. A changed credential ends a pause of
    the system. A session needs a sign-in in the last few minutes (403).
    """
    refuse_stale(request)
    typed = as_texts(settings_class(_installed(name)), body.settings)
    system_settings.save(name, typed, actor=person_of(request).username)
    return view_system(name)


def _installed(name: str) -> str:
    if name not in registry().specs:
        raise Http404
    return name
