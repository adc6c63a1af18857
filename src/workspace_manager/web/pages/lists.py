"""A list of what people made, on its page: looked through by words and filters, one page of it at a
time, with how far the plans have come that work on it.

The page and the part of it that renews itself are answered from here, for components and stacks
alike: a list says its rows, its form and how one row is shown.
"""

from html import escape
from typing import Any, Final, TypeAlias, TypeVar, cast
from urllib.parse import urlencode
from uuid import UUID

from django import forms
from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.forms.utils import flatatt
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy

from workspace_manager.core.listing import Asked
from workspace_manager.records.models import Component, Person, Project, Stack
from workspace_manager.web.pages import labels, visible
from workspace_manager.web.pages.access import live, person_of
from workspace_manager.web.pages.lines import Line, follow, tell_apart
from workspace_manager.web.pages.live import fingerprint
from workspace_manager.web.pages.told_apart import Named, marks
from workspace_manager.work.listed import ON_A_PAGE, told_whose

PER_PAGE = 25
MOST_PROJECTS = 200
"""So many are offered to filter by; of more, a search finds what is in them."""
MOVING = frozenset({Component.State.CREATING, Component.State.WAITING, Component.State.DELETING})
"""States that end by themselves: the list looks again."""

Made = TypeVar("Made", Component, Stack)
Choices: TypeAlias = list[tuple[str, str | Promise]]
ANY: Final[tuple[str, str | Promise]] = ("", gettext_lazy("any"))


class PlainSelect(forms.Select):
    """A choice written in one go: Django renders a template for each option, and a list of many
    projects took longer than everything else on the page.
    """

    def render(
        self,
        name: str,
        value: Any,
        attrs: Any = None,  # noqa: ARG002  of Django's signature
        renderer: Any = None,  # noqa: ARG002  likewise
    ) -> SafeString:
        chosen = "" if value is None else str(value)
        options = "".join(  # each is escaped here
            f'<option value="{escape(key)}"{" selected" if key == chosen else ""}>'
            f"{escape(str(word))}</option>"
            for key, word in self.choices
        )
        return format_html(
            '<select name="{}" id="id_{}">{}</select>',
            name,
            name,
            mark_safe(options),  # noqa: S308
        )


class OneOf(forms.Field):
    """One of what is offered. Django's field copies each choice and walks through all to find the
    one that was chosen.
    """

    widget = PlainSelect
    _offered: frozenset[str] = frozenset()

    def offer(self, choices: Choices) -> None:
        """`choices`: each with its word, in their order."""
        if isinstance(self.widget, PlainSelect):
            self.widget.choices = choices
        self._offered = frozenset(key for key, _word in choices)

    def clean(self, value: Any) -> str:
        """Raises ValidationError for what is not offered."""
        chosen = str(value or "")
        if chosen not in self._offered:
            raise forms.ValidationError("", code="not_offered")
        return chosen


class PlainText(forms.TextInput):
    """A line of text, written likewise."""

    def render(
        self,
        name: str,
        value: Any,
        attrs: Any = None,
        renderer: Any = None,  # noqa: ARG002  of Django's signature
    ) -> SafeString:
        typed = {} if value in (None, "") else {"value": str(value)}
        all_of_it = {"type": "text", "name": name, **typed, **self.attrs, **(attrs or {})}
        return format_html("<input{}>", flatatt(all_of_it))


class MadeFilters(forms.Form):
    """What people look for. A value that cannot be is passed over, as if it were not asked for."""

    q = forms.CharField(label=gettext_lazy("Search"), max_length=100, required=False)
    whose = OneOf(label=gettext_lazy("Whose"), required=False)
    state = OneOf(label=gettext_lazy("State"), required=False)
    project = OneOf(label=gettext_lazy("Project"), required=False)
    owner = forms.CharField(
        widget=PlainText, label=gettext_lazy("Owner"), max_length=150, required=False
    )
    sort = OneOf(label=gettext_lazy("Sorted by"), required=False)

    def __init__(self, request: HttpRequest) -> None:
        super().__init__(request.GET)
        self.person = person_of(request)
        for name, choices in self.offered().items():
            field = self.fields[name]
            assert isinstance(field, OneOf)
            field.offer(choices)
        plain = {"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
        self.fields["owner"].widget.attrs |= plain
        self.is_valid()

    def offered(self) -> dict[str, Choices]:
        """What there is to choose from, by field."""
        states = [(str(one), labels.state(str(one))) for one in Component.State.values]
        asked = str(self.data.get("project", ""))
        return {
            "whose": self._whose(),
            "state": [ANY, *states],
            "project": [ANY, *_projects(self.person, asked)],
            "sort": self._orders(),
        }

    def _whose(self) -> Choices:
        return [
            ("", gettext_lazy("all")),
            ("mine", gettext_lazy("mine")),
            ("shared", gettext_lazy("shared with me")),
        ]

    def _orders(self) -> Choices:
        return [
            ("", gettext_lazy("mine first, then the newest")),
            ("label", gettext_lazy("name")),
            ("-created_at", gettext_lazy("the newest first")),
            ("created_at", gettext_lazy("the oldest first")),
            ("state", gettext_lazy("state")),
            ("owner", gettext_lazy("owner")),
        ]

    @property
    def asked(self) -> dict[str, str]:
        """What is asked for, by its name; without what is left open."""
        return {name: str(value) for name, value in self.cleaned_data.items() if value}

    @property
    def narrowed(self) -> bool:
        """Whether less is shown than there is."""
        return bool(self.asked.keys() - {"sort"})

    @property
    def selects(self) -> list[forms.BoundField]:
        """What is chosen besides the words."""
        return [self[name] for name in self.fields if name != "q"]

    def found(self, rows: QuerySet[Made]) -> QuerySet[Made]:
        """The rows asked for, in the order asked for."""
        asked = dict(self.asked)
        words, sort, whose = (asked.pop(name, "") for name in ("q", "sort", "whose"))
        rows = told_whose(rows, self.person)
        if whose == "mine":
            rows = rows.filter(owner=self.person)
        if whose == "shared":
            shared = Q(project__in=_shared(self.person))
            rows = rows.exclude(owner=self.person).filter(shared)
        return ON_A_PAGE.found(rows, Asked(words, sort, asked))


class ComponentFilters(MadeFilters):
    """Of components."""

    kind = OneOf(label=gettext_lazy("Kind"), required=False)
    field_order = ("q", "kind")

    def offered(self) -> dict[str, Choices]:
        kinds = [(str(kind), labels.kind(str(kind))) for kind in Component.Kind.values]
        return {**super().offered(), "kind": [ANY, *kinds]}


def answer(
    request: HttpRequest, rows: QuerySet[Made], form: MadeFilters, folder: str
) -> HttpResponse:
    """The page of this folder of templates, or the part of it that lists, when the page asks for
    that.
    """
    page = Paginator(form.found(rows), PER_PAGE).get_page(request.GET.get("page"))
    lines = Line.read(cast("QuerySet[Made]", page.object_list))
    tell_apart(lines)
    follow(lines)
    query = urlencode(form.asked)
    context: dict[str, Any] = {
        "form": form,
        "page": page,
        "query": f"{query}&" if query else "",
        "lines": lines,
        "stacks": folder == "stacks",
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
    if not live(request):
        return render(request, f"{folder}/list.html", context)
    if request.GET.get("seen") == context["seen"]:
        return HttpResponse(status=204)
    return render(request, "parts/found.html", context)


def _shared(person: Person) -> QuerySet[Project]:
    return Project.objects.filter(Q(owner=person) | Q(memberships__person=person))


def _projects(person: Person, asked: str) -> Choices:
    """The projects to filter by, each with what tells it apart; always the one asked for."""
    rows = visible.projects(person).order_by("label", "pk")
    offered = Named.read(rows[:MOST_PROJECTS])
    if _is_id(asked) and asked not in {one.id for one in offered}:
        offered += Named.read(rows.filter(id=asked))
    twins = marks(offered)
    return [(one.id, " · ".join(filter(None, (one.label, twins.get(one.id))))) for one in offered]


def _is_id(text: str) -> bool:
    try:
        UUID(text)
    except ValueError:
        return False
    return True
