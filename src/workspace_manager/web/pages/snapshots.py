"""`/snapshots`: copies of the content of components and stacks. The page of a snapshot shows its
progress, and restores, verifies, downloads and deletes it; the page of its source makes it.

See docs/explanation/snapshots.md.
"""

import uuid
from collections.abc import Callable
from typing import Any, Final, TypeAlias

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django_htmx.http import HttpResponseClientRedirect, HttpResponseClientRefresh

from workspace_manager.access import policy
from workspace_manager.core.typed_names import is_typed
from workspace_manager.plan_kinds import view_plan
from workspace_manager.records.models import Component, Person, Plan, Project, Snapshot, Stack
from workspace_manager.snapshots import (
    creation,
    deletion,
    disclosure,
    in_place_restoration,
    restoration,
    verification,
)
from workspace_manager.snapshots.content_in_place import gives_way
from workspace_manager.snapshots.listings import SNAPSHOTS
from workspace_manager.snapshots.snapshot_views import view_snapshot, view_snapshots, view_verdict
from workspace_manager.snapshots.stack_restoration import restore_as_new_stack
from workspace_manager.snapshots.store_access import refuse_unfinished
from workspace_manager.web.pages import lists, visible
from workspace_manager.web.pages.access import person_of
from workspace_manager.web.pages.answers import complain, message_on, on_error, refuse_invalid
from workspace_manager.web.pages.components import ProjectField
from workspace_manager.web.pages.list_form import ListForm
from workspace_manager.web.pages.live import fingerprint, part
from workspace_manager.web.snapshot_download import open_download
from workspace_manager.wiring import connected_systems

ON_A_PAGE: Final = ("-created_at",)
"""The default order on pages: newest first."""
READY: Final = "ready"
MOVING: Final = frozenset({"creating", "restoring", "deleting"})
"""States that end by themselves; the list renews itself during them."""

Restore: TypeAlias = Callable[..., tuple[Component | Stack, Plan]]


class SnapshotsForm(ListForm):
    """The form of the list of snapshots."""

    listed = SNAPSHOTS


class RestoreForm(forms.Form):
    """The form of a restore: name and project of the new component or stack."""

    label = forms.CharField(label=gettext_lazy("Name"), max_length=100)
    project = ProjectField(
        label=gettext_lazy("Project"),
        queryset=Project.objects.none(),
        required=False,
        empty_label=gettext_lazy("None, only for the owner"),
        help_text=gettext_lazy("Members of the project can see the component."),
    )

    def __init__(self, typed: QueryDict | None, snapshot: Snapshot, reader: Person) -> None:
        super().__init__(typed, initial={"label": snapshot.label})
        project = self.fields["project"]
        assert isinstance(project, ProjectField)
        project.offer(snapshot.owner)
        if project.queryset is not None and snapshot.owner_id != reader.id:
            # A person who restores for somebody else sees no names of hidden projects.
            shown = visible.projects(reader).values("pk")
            project.queryset = project.queryset.filter(pk__in=shown)


def overview(request: HttpRequest) -> HttpResponse:
    """Show all snapshots that the reader may see, newest first, in pages."""
    form = SnapshotsForm(request.GET)
    rows = SNAPSHOTS.found(visible.snapshots(person_of(request)), form.asked(), ON_A_PAGE)
    page = Paginator(rows, lists.PER_PAGE).get_page(request.GET.get("page"))
    lines = view_snapshots(list(page.object_list))
    context: dict[str, Any] = {
        "form": form,
        "page": page,
        "query": form.query,
        "lines": lines,
        "listed": "snapshots",
        "polling": any(one.state in MOVING for one in lines),
        "seen": fingerprint([[one.model_dump() for one in lines], page.paginator.count]),
    }
    return lists.show(request, "snapshots/list.html", context)


@on_error(message_on("component", "component_id", anchor="snapshots"))
def create(request: HttpRequest, component_id: uuid.UUID) -> HttpResponse:
    """Make a snapshot of a component. The page of the snapshot shows the progress."""
    person = person_of(request)
    component = visible.component(person, component_id)
    if not policy.may_snapshot(person, component):
        raise PermissionDenied(_("Only the owner of a component can create a snapshot of it."))
    snapshot, _plan = creation.create(
        component,
        actor=person.username,
        systems=connected_systems(),
        label=request.POST.get("label", "").strip(),
    )
    return HttpResponseRedirect(reverse("snapshot", args=[snapshot.id]))


def detail(request: HttpRequest, snapshot_id: uuid.UUID) -> HttpResponse:
    """Show a snapshot, its state and its actions."""
    person = person_of(request)
    snapshot = visible.snapshot(person, snapshot_id)
    return show_page(request, snapshot, RestoreForm(None, snapshot, person))


def show_page(
    request: HttpRequest,
    snapshot: Snapshot,
    form: RestoreForm,
    *,
    delete_error: str = "",
    replace_error: str = "",
) -> HttpResponse:
    """Show the page of a snapshot, with the error of a typed confirmation."""
    person = person_of(request)
    of_stack = snapshot.source_type == Snapshot.SourceType.STACK
    things = visible.stacks(person) if of_stack else visible.components(person)
    source = things.filter(id=snapshot.source_id).first() if snapshot.source_id else None
    context = {
        "mine": snapshot.owner_id == person.id,
        "may_change": policy.may_change(person, snapshot),
        "source": source,
        "form": form,
        "delete_error": delete_error,
        "replace_error": replace_error,
        "target": in_place_restoration.find_target(snapshot, connected_systems()),
        "kept_label": in_place_restoration.kept_label(snapshot, snapshot.owner),
        **_progress(snapshot, person),
    }
    status = 422 if delete_error or replace_error else 200
    return render(request, "snapshots/detail.html", context, status=status)


def _progress(snapshot: Snapshot, person: Person) -> dict[str, Any]:
    """Return the context of the live part: the state, and the plan that makes, restores or deletes
    it.
    """
    shown = view_snapshot(snapshot)
    plan: Plan | None = None
    restored, in_place = None, False
    of_stack = snapshot.source_type == Snapshot.SourceType.STACK
    if shown.state == "restoring":
        plan = restoration.open_restores([snapshot]).get(snapshot.id)
        things = visible.stacks(person) if of_stack else visible.components(person)
        restored = things.filter(id=plan.about).first() if plan else None
        in_place = plan is not None and plan.kind == in_place_restoration.IN_PLACE_RESTORATION.name
    elif shown.state != READY:
        rows = Plan.objects.filter(about=str(snapshot.id)).exclude(state=Plan.State.SUPERSEDED)
        plan = rows.first()
    view = view_plan(plan) if plan else None
    return {
        "snapshot": shown,
        "plan": view,
        "restored": restored,
        "in_place": in_place,
        "gives_way": plan is not None and gives_way(plan),
        "of_stack": of_stack,
        "polling": shown.state != READY,
        "seen": fingerprint([shown.model_dump(), view and view.model_dump(mode="json")]),
    }


def progress(request: HttpRequest, snapshot_id: uuid.UUID) -> HttpResponse:
    """Show the live part. The whole page is loaded again once the snapshot is ready or deleted."""
    person = person_of(request)
    snapshot = visible.snapshots(person).filter(id=snapshot_id).first()
    if snapshot is None:
        return HttpResponseClientRedirect(reverse("snapshots"))
    shown_now = _progress(snapshot, person)
    if not shown_now["polling"]:
        return HttpResponseClientRefresh()
    return part(request, "snapshots/progress.html", shown_now)


def _changed_by(request: HttpRequest, snapshot_id: uuid.UUID) -> tuple[Person, Snapshot]:
    """Return the reader, and the snapshot if the reader may change it. Raises Http404 and
    PermissionDenied.
    """
    person = person_of(request)
    snapshot = visible.snapshot(person, snapshot_id)
    if not policy.may_change(person, snapshot):
        raise PermissionDenied
    return person, snapshot


def _restore_again(request: HttpRequest, snapshot_id: uuid.UUID) -> HttpResponse:
    person = person_of(request)
    snapshot = visible.snapshot(person, snapshot_id)
    form = RestoreForm(request.POST, snapshot, person)
    complain(request, form)
    return show_page(request, snapshot, form)


@on_error(_restore_again)
def restore(request: HttpRequest, snapshot_id: uuid.UUID) -> HttpResponse:
    """Restore a snapshot as a new component or stack of its owner. The progress is on the page of
    the new thing, or on that of the snapshot if the reader may not see the new thing.
    """
    person, snapshot = _changed_by(request, snapshot_id)
    form = RestoreForm(request.POST, snapshot, person)
    refuse_invalid(form)
    of_stack = snapshot.source_type == Snapshot.SourceType.STACK
    restore_as_new: Restore = restore_as_new_stack if of_stack else restoration.restore_as_new
    made, _plan = restore_as_new(
        snapshot,
        label=form.cleaned_data["label"],
        project=form.cleaned_data["project"],
        actor=person.username,
        systems=connected_systems(),
    )
    if policy.may_view(person, made):
        name = "stack" if of_stack else "component"
        return HttpResponseRedirect(reverse(name, args=[made.id]))
    return HttpResponseRedirect(reverse("snapshot", args=[snapshot.id]))


@on_error(detail)
def replace_content(request: HttpRequest, snapshot_id: uuid.UUID) -> HttpResponse:
    """Replace the content of the snapshot's component, after the component's name was typed."""
    person, snapshot = _changed_by(request, snapshot_id)
    typed = request.POST.get("confirm", "")
    if snapshot.component and not is_typed(typed, snapshot.component.label):
        error = _("Type the component’s name exactly as shown.")
        form = RestoreForm(None, snapshot, person)
        return show_page(request, snapshot, form, replace_error=error)
    in_place_restoration.restore_in_place(
        snapshot, actor=person.username, systems=connected_systems()
    )
    return HttpResponseRedirect(reverse("snapshot", args=[snapshot.id]))


@on_error(detail)
def verify(request: HttpRequest, snapshot_id: uuid.UUID) -> HttpResponse:
    """Read all of a snapshot, and show whether it is what was written."""
    _person, snapshot = _changed_by(request, snapshot_id)
    refuse_unfinished(snapshot)
    verdict = view_verdict(snapshot, verification.verify(snapshot))
    if verdict.ok:
        messages.success(request, _("Verified: everything is as it was written."))
    else:
        said = _("The snapshot is damaged: %(detail)s.") % {"detail": verdict.detail}
        messages.error(request, said)
    return HttpResponseRedirect(reverse("snapshot", args=[snapshot.id]))


@on_error(detail)
def content(request: HttpRequest, snapshot_id: uuid.UUID) -> HttpResponseBase:
    """Download the content, decrypted, as its owner. Takes ranges, so that a browser can continue
    an interrupted download.
    """
    person = person_of(request)
    snapshot = visible.snapshot(person, snapshot_id)
    if snapshot.owner_id != person.id:
        raise PermissionDenied(_("Only the owner of a snapshot can download it."))
    refuse_unfinished(snapshot)
    asked = open_download(snapshot, request.headers.get("Range", ""))
    if asked.is_range and asked.start == asked.stop:
        return HttpResponse(status=416, headers={"Content-Range": f"bytes */{asked.size}"})
    if request.method != "HEAD":
        disclosure.note_download(snapshot, actor=person.username)
    return asked.answer(snapshot)


@on_error(detail)
def delete(request: HttpRequest, snapshot_id: uuid.UUID) -> HttpResponse:
    """Delete a snapshot with its content, after its name was typed."""
    person, snapshot = _changed_by(request, snapshot_id)
    if not is_typed(request.POST.get("confirm", ""), snapshot.label):
        error = _("Type the snapshot’s name exactly as shown.")
        form = RestoreForm(None, snapshot, person)
        return show_page(request, snapshot, form, delete_error=error)
    deletion.delete(snapshot, actor=person.username, systems=connected_systems())
    return HttpResponseRedirect(reverse("snapshot", args=[snapshot.id]))
