"""`/stacks`: several components that are made, shared and deleted together."""

import uuid
from typing import Any, Final

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django_htmx.http import HttpResponseClientRedirect, HttpResponseClientRefresh

from workspace_manager.access import policy
from workspace_manager.core.typed_names import is_typed
from workspace_manager.knowledge_stacks import templates
from workspace_manager.plan_kinds import view_plan
from workspace_manager.records.models import Person, Plan, Stack
from workspace_manager.snapshots import source_deletion
from workspace_manager.web.pages import component_snapshots, deletion_form, lists, visible
from workspace_manager.web.pages.access import person_of
from workspace_manager.web.pages.answers import complain, on_error, refuse_invalid
from workspace_manager.web.pages.live import fingerprint, part
from workspace_manager.web.pages.stack_form import NewStack
from workspace_manager.wiring import connected_systems
from workspace_manager.work import components, stacks, step_retry
from workspace_manager.work.component_systems import state_for_people, system_states

PLAIN: Final = "-"
"""The parameter of a stack without a template; no template can have this name."""


def overview(request: HttpRequest) -> HttpResponse:
    """Show all stacks that the reader may see, their own first, in pages."""
    rows = visible.stacks(person_of(request))
    return lists.answer(request, rows, lists.MadeForm(request), "stacks")


def _form(request: HttpRequest) -> NewStack:
    person, name = person_of(request), request.GET.get("template", "")
    template = templates.usable_templates(person).filter(name=name).first()
    if template is None and name != PLAIN:
        raise Http404
    initial = {"project": request.GET.get("project", "")}
    return NewStack(request.POST or None, owner=person, template=template, initial=initial)


def _show_form(request: HttpRequest) -> HttpResponse:
    form = _form(request)
    complain(request, form)
    return render(request, "stacks/new.html", {"form": form, "template": form.template})


@on_error(_show_form)
def new(request: HttpRequest) -> HttpResponse:
    """Choose a template, answer its questions, and order the stack. A plan makes it; its page shows
    the progress.
    """
    person = person_of(request)
    if not request.GET.get("template"):
        offered = templates.usable_templates(person)
        return render(request, "stacks/choose.html", {"templates": offered, "plain": PLAIN})
    if request.method != "POST":
        return _show_form(request)
    form = _form(request)
    refuse_invalid(form)
    return HttpResponseRedirect(_make(person, form))


def _make(person: Person, form: NewStack) -> str:
    """Order the stack and return the address of its page."""
    label, project = form.cleaned_data["label"], form.cleaned_data["project"]
    systems = connected_systems()
    if form.alone:
        component, _plan = components.create(
            person,
            kind="knowledge_stack",
            label=label,
            project=project,
            wanted=form.wanted,
            systems=systems,
        )
        return reverse("component", args=[component.id])
    stack, _plan = stacks.create(
        person, label=label, project=project, wanted=form.wanted, systems=systems
    )
    return reverse("stack", args=[stack.id])


def detail(request: HttpRequest, stack_id: uuid.UUID) -> HttpResponse:
    """Show a stack with its parts and their state."""
    person = person_of(request)
    stack = visible.stack(person, stack_id)
    return render(request, "stacks/detail.html", _detail(stack, person))


def _detail(stack: Stack, person: Person) -> dict[str, Any]:
    users = policy.sharers(stack.project) if stack.project else []
    return {
        "mine": stack.owner_id == person.id,
        "may_change": policy.may_change(person, stack),
        **deletion_form.describe(stack, person),
        "users": [one for one in users if one.id != stack.owner_id],
        **_progress(stack, person),
        **component_snapshots.describe_stack(stack, person),
    }


def _progress(stack: Stack, person: Person) -> dict[str, Any]:
    """Return the context of the page's live part: the parts, and the plan at work."""
    resting = stack.state == Stack.State.READY
    plan = Plan.objects.filter(about=str(stack.id)).exclude(state=Plan.State.SUPERSEDED).first()
    view = view_plan(plan) if plan and not resting else None
    parts = list(stack.parts.select_related("owner", "project").order_by("created_at", "id"))
    there = system_states(one.kind for one in parts)
    return {
        "stack": stack,
        "parts": [(one, state_for_people(one.kind, one.state, there)) for one in parts],
        "opens": next((one for one in parts if one.kind == "knowledge_stack"), None),
        "plan": view,
        "may_retry": view is not None
        and policy.may_change(person, stack)
        and step_retry.retryable_steps(stack).exists(),
        "polling": not resting,
        "seen": fingerprint(
            {
                "state": stack.state,
                "parts": [one.state for one in parts],
                "plan": view and view.model_dump(mode="json"),
            }
        ),
    }


def progress(request: HttpRequest, stack_id: uuid.UUID) -> HttpResponse:
    """Show the live part. The whole page is loaded again once the stack is ready or deleted."""
    person = person_of(request)
    stack = visible.stacks(person).filter(id=stack_id).first()
    if stack is None:
        return HttpResponseClientRedirect(reverse("stacks"))
    if stack.state == Stack.State.READY:
        return HttpResponseClientRefresh()
    return part(request, "stacks/progress.html", _progress(stack, person))


@on_error(detail)
def delete(request: HttpRequest, stack_id: uuid.UUID) -> HttpResponse:
    """Delete a stack with its content, after its name was typed."""
    person = person_of(request)
    stack = visible.stack(person, stack_id)
    if not policy.may_change(person, stack):
        raise PermissionDenied(_("Only the owner of a stack can delete it."))
    if not is_typed(request.POST.get("confirm", ""), stack.label):
        error = _("Type the stack’s name exactly as shown.")
        context = {**_detail(stack, person), "delete_error": error}
        return render(request, "stacks/detail.html", context, status=422)
    source_deletion.delete_stack(
        stack,
        by=person,
        systems=connected_systems(),
        keep_volumes=request.POST.get("keep_volumes") == "on",
        delete_snapshots=request.POST.get("delete_snapshots") == "on",
    )
    return HttpResponseRedirect(reverse("stack", args=[stack.id]))
