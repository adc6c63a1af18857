"""What the lists of the administration are looked through by, as a form: its address tells what is
asked, so that it can be kept and sent to somebody.

What is typed becomes an `Asked` of the list's one `Listing`, which REST and the command line ask
too (docs/decisions/0025-one-way-to-look-through-lists.md).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar
from urllib.parse import urlencode

from django import forms
from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from workspace_manager.core.listing import ListQuery
from workspace_manager.web.pages.lists import ANY, PlainSelect

YES, NO = "yes", "no"
ASCENDING, DESCENDING = "ascending", "descending"
Words = str | Promise


def either(label: Any, yes: Words, no: Words) -> forms.TypedChoiceField:
    """A filter for what is so, or is not."""
    return forms.TypedChoiceField(
        choices=[ANY, (YES, yes), (NO, no)],
        coerce=lambda text: text == YES,
        empty_value=None,
        widget=PlainSelect,
        label=label,
        required=False,
    )


@dataclass(frozen=True)
class Head:
    """The head of a column, which orders the list by it; once more: the other way round."""

    label: Words
    query: str
    direction: str
    """"ascending", "descending", or "" where the list is ordered otherwise."""


class ListFilters(forms.Form):
    """What people look for. A value that cannot be is passed over, as if it were not asked for."""

    q = forms.CharField(label=gettext_lazy("Search"), max_length=100, required=False)
    sort = forms.ChoiceField(widget=PlainSelect, label=gettext_lazy("Sorted by"), required=False)

    search_for: ClassVar[Words]
    """What stands in the empty field of the search."""
    sorts: ClassVar[Mapping[str, Words]]
    """By what the list may be ordered, and what the column is called."""
    by_itself: ClassVar[Words]
    """How it is ordered while nobody asks."""
    kept: ClassVar[tuple[str, ...]] = ()
    """Fields that say which list it is: no filters of it."""

    def __init__(self, asked: QueryDict) -> None:
        super().__init__(asked)
        self._offer("sort", ("", self.by_itself), *self._orders())
        for name, choices in self.offered().items():
            self._offer(name, ANY, *choices)
        self.is_valid()

    def offered(self) -> Mapping[str, Sequence[tuple[str, Words]]]:
        """What there is to choose from, by field."""
        return {}

    def _offer(self, name: str, *choices: tuple[str, Words]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices

    def _orders(self) -> list[tuple[str, str]]:
        orders = []
        for name, label in self.sorts.items():
            orders.append((name, str(label)))
            orders.append((f"-{name}", _("%(what)s, descending") % {"what": label}))
        return orders

    @property
    def said(self) -> dict[str, Any]:
        """What is asked for by its name, as it is typed; without what is left open or cannot be."""
        known = self.cleaned_data.items()
        return {name: self.data[name] for name, what in known if what not in ("", None)}

    @property
    def narrowed(self) -> bool:
        """Whether less is shown than there is."""
        return bool(self.said.keys() - {"sort", *self.kept})

    @property
    def everything(self) -> str:
        """The query of the same list with nothing asked."""
        kept = {name: what for name, what in self.said.items() if name in self.kept}
        return f"?{urlencode(kept)}" if kept else ""

    @property
    def query(self) -> str:
        """For the links to other pages of the list."""
        return f"{urlencode(self.said)}&" if self.said else ""

    @property
    def selects(self) -> list[forms.BoundField]:
        """What is asked for besides the words."""
        return [field for field in self.visible_fields() if field.name != "q"]

    def asked(self) -> ListQuery:
        """The same for a `Listing`."""
        found = {name: what for name, what in self.cleaned_data.items() if what not in ("", None)}
        words, sort = str(found.pop("q", "")), str(found.pop("sort", ""))
        return ListQuery(words, sort, self.filters(found))

    def filters(self, typed: dict[str, Any]) -> dict[str, Any]:
        """What is typed, as the list is asked."""
        return {name: what for name, what in typed.items() if name not in self.kept}

    @property
    def heads(self) -> dict[str, Head]:
        """The heads of the columns that order the list."""
        now = str(self.cleaned_data.get("sort", ""))
        return {name: self._head(name, label, now) for name, label in self.sorts.items()}

    def _head(self, name: str, label: Words, now: str) -> Head:
        wanted = f"-{name}" if now == name else name
        query = urlencode({**self.said, "sort": wanted})
        direction = {name: ASCENDING, f"-{name}": DESCENDING}.get(now, "")
        return Head(label, query, direction)
