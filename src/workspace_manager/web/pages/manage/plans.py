"""`/manage/plans`: one plan as preview, progress or proof."""

import uuid
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django_htmx.http import HttpResponseClientRefresh

from workspace_manager.core.address_owners import is_confirmed_of
from workspace_manager.core.refusal import BadInput
from workspace_manager.core.typed_names import is_typed
from workspace_manager.engine import actions
from workspace_manager.engine.preview import look_again
from workspace_manager.people.suspend import RESUMPTION, SUSPENSION
from workspace_manager.plan_kinds import names_person, names_realm, removes_person, view_plan
from workspace_manager.reconcile import repairs
from workspace_manager.records.models import Person, Plan, Project, ReconcileItem
from workspace_manager.removal import left_account
from workspace_manager.removal.approve import approve_removal
from workspace_manager.removal.draft import find_newer
from workspace_manager.removal.kind import REMOVAL
from workspace_manager.removal.losses import OTHERS_LOSE
from workspace_manager.removal.preview_changes import SinceView, since_preview
from workspace_manager.web.messages import message
from workspace_manager.web.pages.access import live, person_of
from workspace_manager.web.pages.answers import notice_of, on_error
from workspace_manager.web.pages.live import part
from workspace_manager.web.pages.manage.progress import progress_of
from workspace_manager.web.pages.project_names import ProjectName, marks
from workspace_manager.wiring import connected_systems

TRANSFER = "transfer:"
"""Prefix of the field with a project's new owner; the project's id follows."""


def detail(request: HttpRequest, plan_id: uuid.UUID) -> HttpResponse:
    """Show a plan by its state: preview, progress or proof. A draft's systems are checked again."""
    plan = _plan(plan_id)
    look_again(plan)
    return render(request, "manage/plan.html", _context(plan))


def _plan(plan_id: uuid.UUID) -> Plan:
    return get_object_or_404(Plan, id=plan_id)


def _page(request: HttpRequest, plan_id: uuid.UUID) -> HttpResponse:
    """Show the plan without a new check of the systems."""
    return render(request, "manage/plan.html", _context(_plan(plan_id)))


def _context(plan: Plan) -> dict[str, Any]:
    # A plan about somebody who never signed in has no subject.
    person = Person.objects.filter(id=plan.subject).first() if plan.subject else None
    captured = plan.document.get("captured", {})
    return {
        **progress_of(plan, view_plan(plan)),
        "removes_person": removes_person(plan),
        "names_person": names_person(plan),
        "names_realm": names_realm(plan),
        "still_here": person is not None,
        "full_name": captured.get("full_name") or (person.full_name if person else plan.person),
        "email": captured.get("email", ""),
        "email_confirmed": person is not None
        and is_confirmed_of(person, captured.get("email", "")),
        "may_act": True,
        "heirs": _heirs(plan, person),
        "successor": _successor(plan),
        "since": _changes_since_preview(plan),
        "others_lose": [text for text in plan.remarks if text.code in OTHERS_LOSE],
        "to_know": [text for text in plan.remarks if text.code not in OTHERS_LOSE],
        "left_by": plan.about if plan.kind == left_account.KIND else "",
        "repair": _repair(plan) if plan.state == Plan.State.DRAFT else None,
    }


def _changes_since_preview(plan: Plan) -> SinceView | None:
    """Return the changes since the draft of a removal was made."""
    if plan.state != Plan.State.DRAFT or not removes_person(plan):
        return None
    return since_preview(plan, connected_systems())


def _repair(plan: Plan) -> str | None:
    """Return the action of a repair's draft; None if its difference is over."""
    item = ReconcileItem.objects.filter(plan=plan.id).first()
    return repairs.planned_repair(item) if item else None


def _successor(plan: Plan) -> Plan | None:
    """Return the removal or suspension that superseded a plan, or what took the place of a preview,
    as far as known here.
    """
    if plan.state == Plan.State.STALE and removes_person(plan):
        return find_newer(plan)
    if plan.state != Plan.State.SUPERSEDED or not plan.subject:
        return None
    kinds = [kind.name for kind in (REMOVAL, SUSPENSION, RESUMPTION)]
    later = Plan.objects.filter(subject=plan.subject, kind__in=kinds)
    asked = later.filter(state__in=[*Plan.OPEN, Plan.State.DONE]).exclude(id=plan.id)
    return asked.order_by("-created_at").first()


def progress(request: HttpRequest, plan_id: uuid.UUID) -> HttpResponse:
    """Show the live part of the page. The whole page is loaded again when a plan begins or ends."""
    plan = _plan(plan_id)
    if _is_another_page(plan, request.GET.get("state", plan.state)):
        return HttpResponseClientRefresh()
    return part(request, "manage/plan_progress.html", _context(plan))


def _is_another_page(plan: Plan, shown: str) -> bool:
    """Return whether the page differs between both states: by its confirmation form, or by the
    proof.
    """
    return shown != plan.state and not {shown, plan.state} <= set(Plan.OPEN)


@on_error(_page)
def approve(request: HttpRequest, plan_id: uuid.UUID) -> HttpResponse:
    """Start a removal. The typed name and the digest of the preview must match."""
    plan = _plan(plan_id)
    if not is_typed(request.POST.get("confirm", ""), plan.person):
        raise BadInput({"confirm": message("type_the_name", name=plan.person)})
    actor, digest = person_of(request).username, request.POST.get("digest", "")
    if plan.kind == left_account.KIND:
        left_account.approve_left(plan, digest=digest, actor=actor)
    else:
        approve_removal(
            plan.id,
            digest=digest,
            actor=actor,
            systems=connected_systems(),
            transfer=_transfer(request),
            seen=request.POST.get("seen", ""),
        )
    return HttpResponseRedirect(reverse("plan", args=[plan.id]))


@on_error(_page)
def draft_left_account(request: HttpRequest, plan_id: uuid.UUID) -> HttpResponse:
    """Draft the removal of an account that an earlier removal left."""
    made = left_account.draft_left(
        _plan(plan_id), actor=person_of(request).username, systems=connected_systems()
    )
    return HttpResponseRedirect(reverse("plan", args=[made.id]))


def _transfer(request: HttpRequest) -> dict[str, str]:
    """Return the new owners chosen for projects: id and user name."""
    fields = [name for name in request.POST if name.startswith(TRANSFER)]
    chosen = {name.removeprefix(TRANSFER): request.POST.get(name, "") for name in fields}
    return {project: username for project, username in chosen.items() if username}


def _heirs(plan: Plan, leaver: Person | None) -> list[dict[str, Any]]:
    """Return the projects of a preview that a member could take over, and those members."""
    if leaver is None or plan.state != Plan.State.DRAFT or not removes_person(plan):
        return []
    shared = Project.objects.filter(owner=leaver, members__state=Person.State.ACTIVE).distinct()
    known = marks(ProjectName.read(shared))
    return [
        {
            "field": f"{TRANSFER}{project.id}",
            "project": project,
            "mark": known.get(str(project.id), ""),
            "members": project.members.filter(state=Person.State.ACTIVE).order_by("username"),
        }
        for project in shared
    ]


def _step(request: HttpRequest, plan_id: uuid.UUID, n: int) -> HttpResponse:
    """Show the plan after an action on a step, or the reason of its failure."""
    plan = _plan(plan_id)
    if live(request):
        context = {**_context(plan), "trouble_step": n, "renewed": True}
        return render(request, "manage/plan_progress.html", context)
    if notice_of(request):
        return render(request, "manage/plan.html", _context(plan))
    return HttpResponseRedirect(f"{reverse('plan', args=[plan.id])}#step-{n}")


@on_error(_step)
def retry(request: HttpRequest, plan_id: uuid.UUID, n: int) -> HttpResponse:
    """Retry a step now."""
    actions.retry(_plan(plan_id), n, actor=person_of(request).username)
    return _step(request, plan_id, n)


@on_error(_step)
def skip(request: HttpRequest, plan_id: uuid.UUID, n: int) -> HttpResponse:
    """Skip a step, with a reason."""
    actor, reason = person_of(request).username, request.POST.get("reason", "")
    actions.skip(_plan(plan_id), n, actor=actor, reason=reason)
    return _step(request, plan_id, n)


@on_error(_step)
def by_hand(request: HttpRequest, plan_id: uuid.UUID, n: int) -> HttpResponse:
    """Record that a step was done by hand."""
    actor, note = person_of(request).username, request.POST.get("note", "")
    actions.by_hand(_plan(plan_id), n, actor=actor, note=note)
    return _step(request, plan_id, n)
