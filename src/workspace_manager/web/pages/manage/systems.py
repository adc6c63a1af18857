"""`/manage/systems`: a card for each system with its state, its findings, its settings and its
pause.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.html import format_html_join
from django.utils.translation import gettext as _

from workspace_manager.contract.connector import Finding, Severity
from workspace_manager.contract.person_trial import USERNAME
from workspace_manager.core import hold
from workspace_manager.core.connected_systems import AS_PERSON, MANAGER, SNAPSHOTS
from workspace_manager.core.refusal import Forbidden
from workspace_manager.engine import pause as pausing
from workspace_manager.operations import as_person, checks
from workspace_manager.operations.health_findings import open_findings, read
from workspace_manager.operations.health_state import State, SystemHealth
from workspace_manager.operations.system_configuration import SystemConfiguration, read_settings
from workspace_manager.records.models import Plan, PlanStep, SystemStatus
from workspace_manager.systems import registry
from workspace_manager.web.addresses import is_ours
from workspace_manager.web.messages import message
from workspace_manager.web.pages import labels
from workspace_manager.web.pages.access import live, person_of
from workspace_manager.web.pages.answers import message_on, notice_of, on_error, refuse_invalid
from workspace_manager.web.pages.manage import system_health
from workspace_manager.web.pages.manage.system_health import HealthView
from workspace_manager.web.pages.manage.system_settings import SettingsForm
from workspace_manager.web.sign_in.fresh import confirmation_url, is_fresh, stale
from workspace_manager.wiring import connected_systems, told_anew, tried_out

WORST_FIRST = (Severity.FAILING, Severity.WARNING, Severity.OK)


def overview(request: HttpRequest) -> HttpResponse:
    """Show every system."""
    return _show(request)


def _show(
    request: HttpRequest,
    *,
    wrong: SettingsForm | None = None,
    tested: dict[str, Any] | None = None,
) -> HttpResponse:
    names = registry().names()
    seen = system_health.of_all(names)
    cards = [
        card(name, form=wrong if wrong and wrong.system == name else None, seen=seen[name])
        for name in names
    ]
    for one in cards:
        one["tested"] = tested if wrong and wrong.system == one["name"] else None
    context = {
        "cards": cards,
        "own": _own_findings(),
        "as_person": _as_person(),
        "held": hold.current_hold(),
        "stale": None if is_fresh(request) else stale(),
        "way": confirmation_url(request),
    }
    return render(request, "manage/systems.html", context)


def _own_findings() -> list[dict[str, Any]]:
    """Return findings about the manager itself and its store, the oldest first."""
    return [
        {**read(row).model_dump(mode="json"), "since": row.first_seen}
        for name in (MANAGER, SNAPSHOTS.name)
        for row in open_findings(name)
    ]


def _as_person() -> dict[str, Any] | None:
    """Return the result of the last check as a person; None while nobody can sign in."""
    if not read_settings("identity_provider").usable:
        return None
    status = SystemStatus.objects.filter(system=AS_PERSON).first()
    findings = _sorted(_worst_first(status.findings if status else []))
    return {"name": AS_PERSON, "status": status, "username": USERNAME, **findings}


def card(
    name: str, *, form: SettingsForm | None = None, seen: HealthView | None = None
) -> dict[str, Any]:
    """Return the context of a system's card. `form`: a form with complaints, instead of a fresh
    one. `seen`: its state, if known already.
    """
    status = SystemStatus.objects.filter(system=name).first()
    health = seen or system_health.of_all([name])[name]
    findings = _findings(name, status)
    for one in findings:
        one["since"] = health.since(one)
    spec = registry().specs.get(name)
    if spec is None:
        return _unusable(name, findings)
    settings = read_settings(name)
    held = PlanStep.objects.filter(
        system=name,
        plan__state__in=Plan.OPEN,
        state__in=[PlanStep.State.WAITING, PlanStep.State.STUCK],
    )
    return {
        "name": name,
        "state": _state(settings, status, findings, health.standing),
        "health": health,
        "missing": [
            one.label_message for one in spec.settings.specs() if one.name in settings.missing
        ],
        "problems": settings.errors,
        "status": status,
        **_sorted(findings),
        "held": held.select_related("plan")[:10],
        "form": form or SettingsForm(name, settings),
        "open": form is not None,
        "usable": settings.usable,
        "installed": True,
        "icon": spec.icon,
    }


def _findings(name: str, status: SystemStatus | None) -> list[dict[str, Any]]:
    """Return the findings of the last check and of the installed system itself, the worst first."""
    wrong = [finding.model_dump(mode="json") for finding in registry().wrong_with(name)]
    kept = [one for one in status.findings if one not in wrong] if status else []
    return _worst_first([*wrong, *kept])


def _worst_first(findings: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(findings, key=lambda one: WORST_FIRST.index(one["severity"]))


def _sorted(findings: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "wrong": [finding for finding in findings if finding["severity"] != Severity.OK],
        "fine": [finding for finding in findings if finding["severity"] == Severity.OK],
    }


def _unusable(name: str, findings: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the card of an installed system that does not fit. It has no settings and is never
    called.
    """
    return {
        "name": name,
        "state": "failing",
        **_sorted(findings),
        "installed": False,
        "icon": "systems",
    }


def _state(
    settings: SystemConfiguration,
    status: SystemStatus | None,
    findings: list[dict[str, Any]],
    standing: SystemHealth,
) -> str:
    if status and status.paused:
        return "paused"
    if settings.missing:
        return "not_set_up"
    if settings.errors:
        return "failing"
    if standing.state == State.DOWN:
        return "down"
    severities = {finding["severity"] for finding in findings}
    if Severity.FAILING in severities:
        return "failing"
    if standing.state == State.DEGRADED:
        return "degraded"
    if Severity.WARNING in severities:
        return "warning"
    return "ok" if standing.state == State.UP else "not_asked"


def _form(request: HttpRequest, name: str) -> SettingsForm:
    return SettingsForm(_require_installed(name), read_settings(name), request.POST)


def _form_again(request: HttpRequest, name: str) -> HttpResponse:
    return _show(request, wrong=_form(request, name))


@on_error(_form_again)
def save(request: HttpRequest, name: str) -> HttpResponse:
    """Save the settings of a system, unless it could not read them."""
    form = _form(request, name)
    if not is_fresh(request):
        raise Forbidden(stale())
    refuse_invalid(form)
    changed = form.save(actor=person_of(request).username)
    if changed:
        messages.success(
            request,
            _("%(system)s: settings saved. Check the system now to test them.")
            % {"system": labels.system(name)},
        )
    else:
        messages.info(request, _("%(system)s: no changes.") % {"system": labels.system(name)})
    return _back(request, name)


def _test_result(request: HttpRequest, name: str, findings: Sequence[Finding] = ()) -> HttpResponse:
    form, notice = _form(request, name), notice_of(request)
    if notice and notice.fields is not None and not form.is_valid():
        wrong = [
            (form[field].label if field in form.fields else field, text)
            for field, texts in form.errors.items()
            for text in texts
        ]
        notice = replace(notice, text=format_html_join("; ", "{}: {}", wrong))
    found = _worst_first([finding.model_dump(mode="json") for finding in findings])
    failing = [one for one in found if one["severity"] == Severity.FAILING]
    tested = {"findings": found, "failing": failing, "trouble": notice}
    if live(request):
        return render(request, "manage/tested.html", {"name": name, "tested": tested})
    return _show(request, wrong=form, tested=tested)


@on_error(_test_result)
def test(request: HttpRequest, name: str) -> HttpResponse:
    """Test the system with typed values, without storing them."""
    form = _form(request, name)
    if not is_fresh(request):
        raise Forbidden(stale())
    refuse_invalid(form)
    typed, without = form.typed()
    with checks.separate_check(name):
        tried = tried_out(name, typed, actor=person_of(request).username, without=without)
        findings = checks.looked_at(tried, asked=True)
    return _test_result(request, name, findings)


def _back(request: HttpRequest, name: str) -> HttpResponse:
    """Answer a live page with the card alone; else redirect to the page of the form."""
    if notice := notice_of(request):
        messages.warning(request, notice.spoken())
    if live(request):
        return render(request, "manage/system.html", {"card": card(name), "renewed": True})
    after = request.POST.get("next", "")
    if after and is_ours(after):
        return HttpResponseRedirect(after)
    return HttpResponseRedirect(f"{reverse('systems')}#{name}")


@on_error(_back)
def check(request: HttpRequest, name: str) -> HttpResponse:
    """Run all checks of a system and store the findings."""
    systems = connected_systems()
    if systems.configured(_require_installed(name)):
        systems = told_anew(systems, [name])
        checks.check_and_keep(name, systems, actor=person_of(request).username)
    else:
        text = (
            _("%(system)s cannot be checked: one of its settings is invalid.")
            if read_settings(name).errors
            else _("%(system)s cannot be checked: required settings are missing.")
        )
        messages.warning(request, text % {"system": labels.system(name)})
    return _back(request, name)


@on_error(message_on("systems", anchor=AS_PERSON))
def check_as_person(request: HttpRequest) -> HttpResponse:
    """Make a temporary user at the identity provider, sign in as that user, and remove it again."""
    as_person.check(connected_systems(), actor=person_of(request).username)
    return HttpResponseRedirect(f"{reverse('systems')}#{AS_PERSON}")


def pause(request: HttpRequest, name: str) -> HttpResponse:
    """Pause a system until somebody resumes it."""
    reason = " ".join(request.POST.get("reason", "").split())[:300] or message("paused_by_hand")
    pausing.pause(_require_installed(name), actor=person_of(request).username, reason=reason)
    return _back(request, name)


def resume(request: HttpRequest, name: str) -> HttpResponse:
    """Resume a system. Waiting steps go on."""
    pausing.resume(_require_installed(name), actor=person_of(request).username)
    return _back(request, name)


def _require_installed(name: str) -> str:
    if name not in registry().specs:
        raise Http404
    return name
