"""A list of components or stacks on its page: search, filters, pages, and the progress of the plans
that work on them.

The page, and its part that renews itself, are answered here for both: a list provides its rows, its
form and the display of one row.
"""

from typing import Any, TypeVar, cast
from uuid import UUID

from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy

from workspace_manager.records.models import Component, Person, Project, Stack
from workspace_manager.web.pages import visible
from workspace_manager.web.pages.access import live, person_of
from workspace_manager.web.pages.lines import Line, follow, tell_apart
from workspace_manager.web.pages.list_fields import Choices, OneOf
from workspace_manager.web.pages.list_form import ListForm
from workspace_manager.web.pages.live import fingerprint
from workspace_manager.web.pages.project_names import ProjectName, marks
from workspace_manager.work.component_lists import COMPONENTS, ON_A_PAGE, STACKS, told_whose

PER_PAGE = 25
MOST_PROJECTS = 200
"""The most projects offered as filter; a search finds the contents of the others."""
MOVING = frozenset({Component.State.CREATING, Component.State.WAITING, Component.State.DELETING})
"""States that end by themselves; the list renews itself during them."""

Made = TypeVar("Made", Component, Stack)


class MadeForm(ListForm):
    """The form of the list of stacks. `whose`: your own, or those that others share."""

    listed = STACKS

    whose = OneOf(label=gettext_lazy("Owner"), required=False)

    def __init__(self, request: HttpRequest) -> None:
        self.person = person_of(request)
        super().__init__(request.GET)

    def offered(self) -> dict[str, Choices]:
        mine: Choices = [
            ("", gettext_lazy("all")),
            ("mine", gettext_lazy("mine")),
            ("shared", gettext_lazy("shared with me")),
        ]
        projects = _projects(self.person, str(self.data.get("project", "")))
        return {**super().offered(), "whose": mine, "project": projects}

    def found(self, rows: QuerySet[Made]) -> QuerySet[Made]:
        """Return the requested rows, in the requested order."""
        rows = told_whose(rows, self.person)
        whose = self.cleaned_data.get("whose")
        if whose == "mine":
            rows = rows.filter(owner=self.person)
        if whose == "shared":
            shared = Q(project__in=_shared(self.person))
            rows = rows.exclude(owner=self.person).filter(shared)
        return self.listed.found(rows, self.asked(), ON_A_PAGE)


class ComponentsForm(MadeForm):
    """The form of the list of components."""

    listed = COMPONENTS


def answer(request: HttpRequest, rows: QuerySet[Made], form: MadeForm, folder: str) -> HttpResponse:
    """Answer with the page of this folder of templates, or only with its list if the page asks for
    that.
    """
    page = Paginator(form.found(rows), PER_PAGE).get_page(request.GET.get("page"))
    lines = Line.read(cast("QuerySet[Made]", page.object_list))
    tell_apart(lines)
    follow(lines)
    context: dict[str, Any] = {
        "form": form,
        "page": page,
        "query": form.query,
        "lines": lines,
        "listed": folder,
        "polling": any(
            one.state in MOVING or (one.progress and one.progress.moves) for one in lines
        ),
        "seen": fingerprint(
            [
                [(one.id, one.label, one.state, one.progress) for one in lines],
                page.paginator.count,
            ]
        ),
    }
    return show(request, f"{folder}/list.html", context)


def show(request: HttpRequest, template: str, context: dict[str, Any]) -> HttpResponse:
    """Answer with the whole page; or with its list, if the page asks for that and it changed."""
    if not live(request):
        return render(request, template, context)
    if request.GET.get("seen") == context["seen"]:
        return HttpResponse(status=204)
    return render(request, "parts/found.html", context)


def _shared(person: Person) -> QuerySet[Project]:
    return Project.objects.filter(Q(owner=person) | Q(memberships__person=person))


def _projects(person: Person, asked: str) -> Choices:
    """Return the projects to filter by, each with its mark, including the requested one."""
    rows = visible.projects(person).order_by("label", "pk")
    offered = ProjectName.read(rows[:MOST_PROJECTS])
    if _is_id(asked) and asked not in {one.id for one in offered}:
        offered += ProjectName.read(rows.filter(id=asked))
    twins = marks(offered)
    return [(one.id, " · ".join(filter(None, (one.label, twins.get(one.id))))) for one in offered]


def _is_id(text: str) -> bool:
    try:
        UUID(text)
    except ValueError:
        return False
    return True
