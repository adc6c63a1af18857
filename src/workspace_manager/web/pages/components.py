"""`/components`: the reader's components, their state, how to connect, and making and deleting
them.
"""

import uuid
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from django import forms
from django.core.exceptions import PermissionDenied
from django.db.models import Q
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django_htmx.http import HttpResponseClientRedirect, HttpResponseClientRefresh

from workspace_manager.access import policy
from workspace_manager.accounts import public_read, reader_access
from workspace_manager.contract.connector import Finding
from workspace_manager.core.typed_names import is_typed
from workspace_manager.knowledge_stacks.stack_choice import PARTS
from workspace_manager.operations.system_configuration import read_settings
from workspace_manager.plan_kinds import view_plan
from workspace_manager.records.models import Component, Person, Plan, Project, ServiceKey
from workspace_manager.snapshots import source_deletion
from workspace_manager.systems.sql_server.settings import Settings as SqlServerSettings
from workspace_manager.web.pages import component_snapshots, labels, lists, snippets, visible
from workspace_manager.web.pages.access import live, person_of
from workspace_manager.web.pages.answers import complain, notice_of, on_error, refuse_invalid
from workspace_manager.web.pages.live import fingerprint, part
from workspace_manager.web.pages.project_names import ProjectName, marks
from workspace_manager.web.pages.snippets import Snippet
from workspace_manager.wiring import connected_systems
from workspace_manager.work import components, connection_test, step_retry
from workspace_manager.work.component_systems import (
    state_for_people,
    system_of,
    system_states,
)

RESTING = (Component.State.READY,)
MOST_NAMED = 20


class ProjectField(forms.ModelChoiceField):  # type: ignore[type-arg]  # generic in its stubs alone
    """A choice of projects by name, with a mark for each of several with the same name."""

    marks: Mapping[str, str] = MappingProxyType({})

    def offer(self, owner: Person) -> None:
        """Offer the projects that this person shares."""
        rows = Project.objects.filter(Q(owner=owner) | Q(members=owner)).select_related("owner")
        self.queryset = rows.distinct()
        self.marks = marks(ProjectName.read(self.queryset))

    def label_from_instance(self, obj: Project) -> str:
        return " · ".join(filter(None, (obj.label, self.marks.get(str(obj.id)))))


class NewComponent(forms.Form):
    """The form of a new component."""

    kind = forms.ChoiceField(label=gettext_lazy("Kind"), widget=forms.RadioSelect)
    label = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=100,
        help_text=gettext_lazy(
            "A name that you recognise. The technical name is derived from it and never changes."
        ),
    )
    project = ProjectField(
        label=gettext_lazy("Project"),
        queryset=Project.objects.none(),
        required=False,
        empty_label=gettext_lazy("None, only for me"),
        help_text=gettext_lazy("Members of the project can see the component."),
    )

    def __init__(self, *args: Any, owner: Person, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        kind, project = self.fields["kind"], self.fields["project"]
        assert isinstance(kind, forms.ChoiceField)
        assert isinstance(project, ProjectField)
        kind.choices = [(str(name), labels.kind(str(name))) for name in PARTS]
        # Shared projects are offered, too: their members see the component, and only its owner
        # changes it.
        project.offer(owner)


def overview(request: HttpRequest) -> HttpResponse:
    """Show all components that the reader may see, their own first, in pages."""
    rows = visible.components(person_of(request))
    return lists.answer(request, rows, lists.ComponentsForm(request), "components")


def _form_again(request: HttpRequest) -> HttpResponse:
    form = NewComponent(request.POST, owner=person_of(request))
    complain(request, form)
    return render(request, "components/new.html", {"form": form})


@on_error(_form_again)
def new(request: HttpRequest) -> HttpResponse:
    """Order a component. A plan makes it; its page shows the progress."""
    person = person_of(request)
    if request.method != "POST":
        form = NewComponent(owner=person, initial=_initial(request))
        cannot = components.impossible_kinds(person, connected_systems())
        return render(request, "components/new.html", {"form": form, "impossible": cannot.values()})
    form = NewComponent(request.POST, owner=person)
    refuse_invalid(form)
    component, _plan = components.create(
        person,
        kind=form.cleaned_data["kind"],
        label=form.cleaned_data["label"],
        project=form.cleaned_data["project"],
        systems=connected_systems(),
    )
    return HttpResponseRedirect(reverse("component", args=[component.id]))


def _initial(request: HttpRequest) -> dict[str, str]:
    return {"project": request.GET.get("project", ""), "kind": request.GET.get("kind", "")}


def detail(request: HttpRequest, component_id: uuid.UUID) -> HttpResponse:
    """Show one component: state, address, snippets, users, deletion."""
    person = person_of(request)
    component = visible.component(person, component_id)
    return render(request, "components/detail.html", _detail(component, person))


def _detail(component: Component, person: Person) -> dict[str, Any]:
    found = reader_access.find_access(person, component)
    owners = reader_access.account_of(component.owner, component)
    return {
        "component": component,
        "access": found,
        "owners_account": owners if person.is_administrator else "",
        "mine": component.owner_id == person.id,
        "may_change": policy.may_change(person, component),
        "may_test": connection_test.may_test(person, component),
        "snippets": snippets.of_reader(component, found),
        "yours": snippets.YOURS,
        "machine_keys": _machine_keys(person, component),
        "admin_tool": _admin_tool(component),
        **_others(component),
        **_progress(component, person),
        **component_snapshots.describe(component, person),
    }


def _machine_keys(person: Person, component: Component) -> list[tuple[ServiceKey, list[Snippet]]]:
    """Return the reader's machine keys, each with how a program connects."""
    keys = reader_access.machine_keys(person, component)
    return [(key, snippets.connection_snippets(component, key.account)[:1]) for key in keys]


def _admin_tool(component: Component) -> str:
    """Return the address of the web tool for databases; "" if there is none."""
    if component.kind != Component.Kind.SQL_DATABASE:
        return ""
    values = read_settings("sql_server").settings
    return values.admin_tool_url if isinstance(values, SqlServerSettings) else ""


def _test_result(
    request: HttpRequest, component_id: uuid.UUID, findings: Sequence[Finding] = ()
) -> HttpResponse:
    """Show the result of a test: the part of the page, or the whole page without JavaScript."""
    person = person_of(request)
    component = visible.component(person, component_id)
    context: dict[str, Any] = {
        "component": component,
        "tested": findings,
        "worst": connection_test.worst_severity(findings) if findings else None,
        "untried": connection_test.UNTRIED,
        "test_trouble": notice_of(request),
        "trouble": None,
    }
    if live(request):
        return render(request, "components/tested.html", context)
    return render(request, "components/detail.html", {**_detail(component, person), **context})


@on_error(_test_result)
def test(request: HttpRequest, component_id: uuid.UUID) -> HttpResponse:
    """Test the connection."""
    person = person_of(request)
    component = visible.component(person, component_id)
    findings = connection_test.test(component, person, connected_systems())
    return _test_result(request, component_id, findings)


def _others(component: Component) -> dict[str, Any]:
    """Return the other members of its project: the first ones by name, and the number of the
    rest.
    """
    sharers = policy.sharers(component.project) if component.project else []
    others = [person for person in sharers if person != component.owner]
    return {"users": others[:MOST_NAMED], "more_users": max(0, len(others) - MOST_NAMED)}


def _progress(component: Component, person: Person) -> dict[str, Any]:
    """Return the context of the page's live part: the state, and the plan at work."""
    about = [str(one) for one in (component.id, component.stack_id) if one]
    rows = Plan.objects.filter(about__in=about).exclude(state=Plan.State.SUPERSEDED)
    if component.state in RESTING:
        rows = public_read.open_plans(component)
    plan = rows.first()
    view = view_plan(plan) if plan else None
    there = system_states([component.kind])
    return {
        "component": component,
        "stands": state_for_people(component.kind, component.state, there),
        "system": system_of(component.kind),
        "plan": view,
        "switching": plan is not None and plan.kind == public_read.PUBLISHING.name,
        "may_retry": view is not None
        and policy.may_change(person, component)
        and step_retry.retryable_steps(component).exists(),
        "polling": view is not None or component.state not in RESTING,
        "seen": fingerprint(
            {"state": component.state, "plan": view and view.model_dump(mode="json")}
        ),
    }


def progress(request: HttpRequest, component_id: uuid.UUID) -> HttpResponse:
    """Show the live part. The whole page is loaded again once the component is ready or deleted."""
    person = person_of(request)
    component = visible.components(person).filter(id=component_id).first()
    if component is None:
        return HttpResponseClientRedirect(reverse("components"))
    shown_now = _progress(component, person)
    if not shown_now["polling"]:
        return HttpResponseClientRefresh()
    return part(request, "components/progress.html", shown_now)


def _show_public(
    request: HttpRequest, component_id: uuid.UUID, preview: public_read.Preview | None = None
) -> HttpResponse:
    person = person_of(request)
    component = visible.component(person, component_id)
    context: dict[str, Any] = {
        "component": component,
        "may_open": policy.may_open(person, component),
        "by_right": policy.opens_by_right(person, component),
    }
    if preview:
        context |= {"preview": preview, "warning": public_read.warning(preview)}
    return render(request, "components/public.html", context)


@on_error(_show_public)
def public(request: HttpRequest, component_id: uuid.UUID) -> HttpResponse:
    """Publish a repository, or end its publication. Publishing asks first and shows what everybody
    would see; ending it does not ask.
    """
    person = person_of(request)
    component = visible.component(person, component_id)
    on = request.POST.get("read") == "everybody"
    may = policy.may_open if on else policy.may_change
    if not may(person, component):
        raise PermissionDenied(_("Only the owner of a component can make it public."))
    systems = connected_systems()
    if request.method == "POST":
        reason = request.POST.get("reason", "")
        public_read.switch(component, on=on, by=person, systems=systems, reason=reason)
        return HttpResponseRedirect(reverse("component", args=[component.id]))
    return _show_public(request, component_id, public_read.preview(component, systems))


@on_error(detail)
def delete(request: HttpRequest, component_id: uuid.UUID) -> HttpResponse:
    """Delete a component with its content, after its name was typed."""
    person = person_of(request)
    component = visible.component(person, component_id)
    if not policy.may_change(person, component):
        raise PermissionDenied(_("Only the owner of a component can delete it."))
    if not is_typed(request.POST.get("confirm", ""), component.label):
        error = _("Type the component’s name exactly as shown.")
        context = {**_detail(component, person), "delete_error": error}
        return render(request, "components/detail.html", context, status=422)
    source_deletion.delete_component(
        component,
        by=person,
        systems=connected_systems(),
        keep_volumes=request.POST.get("keep_volumes") == "on",
        delete_snapshots=request.POST.get("delete_snapshots") == "on",
    )
    return HttpResponseRedirect(reverse("component", args=[component.id]))
