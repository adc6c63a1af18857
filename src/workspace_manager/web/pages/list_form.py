"""The form of a list on its page. The address holds the whole query, so that people can keep it and
send it to somebody. The list declares the fields, as it does for REST and the command line.
"""

from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from typing import Any, ClassVar, Final
from urllib.parse import urlencode

from django import forms
from django.http import QueryDict
from django.utils.functional import lazystr
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from workspace_manager.core import lists
from workspace_manager.core.lists import BY_ITSELF, SEARCH, ListQuery, ListSpec, Member
from workspace_manager.web.pages import labels, plan_labels
from workspace_manager.web.pages.days import DAY, begin_of
from workspace_manager.web.pages.list_fields import ANY, Choices, OneOf, PlainText
from workspace_manager.web.pages.translate import as_text

YES, NO = "yes", "no"
ASCENDING, DESCENDING = "ascending", "descending"
CALLED: Final[Mapping[str, Callable[[str], str]]] = {
    "": str,
    "state": labels.state,
    "system": labels.system,
    "kind": labels.kind,
    "plan": plan_labels.plan,
    "role": labels.role,
    "difference": labels.difference,
}
"""Labels of options, by member."""


@dataclass(frozen=True)
class Head:
    """The head of a column. Clicking it orders the list by the column, and a second time reverses
    the order.
    """

    label: str
    query: str
    direction: str
    """"ascending", "descending", or "" while the list has another order."""


class ListForm(forms.Form):
    """The form of a list on its page. It ignores impossible values.

    A page declares the list (`listed`), the filter that is its `tab`, and filters that the page
    does not have (`left_out`).
    """

    listed: ClassVar[ListSpec]
    tab: ClassVar[str] = ""
    left_out: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, asked: QueryDict) -> None:
        super().__init__(asked)
        self.fields = deepcopy(_fields(type(self)))
        for name, choices in self.offered().items():
            field = self.fields[name]
            assert isinstance(field, OneOf)
            field.offer(choices if choices[:1] and choices[0][0] == "" else [ANY, *choices])
        sort = self.fields["sort"]
        assert isinstance(sort, OneOf)
        sort.offer(self._orders())
        self.is_valid()

    def offered(self) -> dict[str, Choices]:
        """Return the options by field. "" comes first; its label is `ANY` unless the list names
        it.
        """
        return {one.name: self._offered(one) for one in self.filters() if _is_chosen(one)}

    @classmethod
    def filters(cls) -> list[Member]:
        """Return the filters of this page."""
        return [one for one in cls.listed.filters if one.label and one.name not in cls.left_out]

    def _offered(self, member: Member) -> Choices:
        match member.kind:
            case lists.Either():
                words = {way: self.listed.word(f"{member.name}.{way}") for way in (YES, NO)}
                return [(way, as_text(word)) for way, word in words.items()]
            case lists.Choice() as choice:
                return [(name, CALLED[choice.called](name)) for name in choice.known]
            case lists.Text(offered=offered, called=called) if offered:
                return [(name, CALLED[called](name)) for name in offered()]
        return []

    def _orders(self) -> Choices:
        orders: Choices = []
        if self.listed.by_itself:
            orders.append(("", as_text(self.listed.word(BY_ITSELF))))
        for one in self.listed.orders:
            if one.label:
                label = as_text(self.listed.word(one.name))
                orders.append((one.name, label))
                orders.append((f"-{one.name}", _("%(what)s, descending") % {"what": label}))
        return orders

    @property
    def search_for(self) -> str:
        """Return the placeholder of the search field."""
        return as_text(self.listed.word(SEARCH))

    @property
    def said(self) -> dict[str, Any]:
        """Return the used parameters as typed, without empty and invalid ones."""
        known = self.cleaned_data.items()
        return {name: self.data[name] for name, what in known if what not in ("", None)}

    @property
    def narrowed(self) -> bool:
        """Return whether a filter or a search is used."""
        return bool(self.said.keys() - {"sort", self.tab})

    @property
    def everything(self) -> str:
        """Return the query of the same list without filters."""
        kept = {name: what for name, what in self.said.items() if name == self.tab}
        return f"?{urlencode(kept)}" if kept else ""

    @property
    def query(self) -> str:
        """Return the query for links to other pages of the list."""
        return f"{urlencode(self.said)}&" if self.said else ""

    @property
    def selects(self) -> list[forms.BoundField]:
        """Return the fields except the search."""
        return [field for field in self.visible_fields() if field.name != "q"]

    def asked(self) -> ListQuery:
        """Return the query for the list."""
        typed = {name: what for name, what in self.cleaned_data.items() if what not in ("", None)}
        known = [one for one in self.filters() if one.name in typed]
        filters = {one.name: _meant(one.kind, typed[one.name]) for one in known}
        return ListQuery(typed.get("q", ""), typed.get("sort", ""), filters)

    @property
    def heads(self) -> dict[str, Head]:
        """Return the heads of the columns that can order the list."""
        now = str(self.cleaned_data.get("sort", ""))
        return {one.name: self._head(one.name, now) for one in self.listed.orders if one.label}

    def _head(self, name: str, now: str) -> Head:
        wanted = f"-{name}" if now == name else name
        query = urlencode({**self.said, "sort": wanted})
        direction = {name: ASCENDING, f"-{name}": DESCENDING}.get(now, "")
        return Head(as_text(self.listed.word(name)), query, direction)


@cache
def _fields(form: type[ListForm]) -> dict[str, forms.Field]:
    """Return the fields in the order of the list. Additional fields of a page come before the
    order.
    """
    search = forms.CharField(label=gettext_lazy("Search"), max_length=100, required=False)
    fields = {one.name: _field(form, one) for one in form.filters()}
    sort = OneOf(label=gettext_lazy("Sorted by"), required=False)
    return {"q": search, **fields, **form.declared_fields, "sort": sort}


def _field(form: type[ListForm], member: Member) -> forms.Field:
    label = lazystr(_Called(form.listed, member.name))
    if member.name == form.tab:
        return OneOf(widget=forms.HiddenInput, required=False)
    if _is_chosen(member):
        return OneOf(label=label, required=False)
    if isinstance(member.kind, lists.Day | lists.Moment):
        return forms.DateField(**DAY, label=label)
    longest = member.kind.longest if isinstance(member.kind, lists.Text) else None
    plain = {"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
    return forms.CharField(widget=PlainText(plain), label=label, max_length=longest, required=False)


@dataclass(frozen=True)
class _Called:
    """A list's label of a member, in the reader's language."""

    of: ListSpec
    name: str

    def __str__(self) -> str:
        return as_text(self.of.word(self.name))


def _is_chosen(member: Member) -> bool:
    """Return whether the page offers options for a member. Nobody types an id."""
    kind = member.kind
    return isinstance(kind, lists.Choice | lists.Either | lists.Id) or (
        isinstance(kind, lists.Text) and kind.offered is not None
    )


def _meant(kind: lists.Kind, what: Any) -> Any:
    """Convert a typed value for the list: days are in the reader's time zone."""
    match kind, what:
        case lists.Either(), _:
            return what == YES
        case lists.Moment(through=through), date():
            return begin_of(what + timedelta(days=1) if through else what)
    return what
