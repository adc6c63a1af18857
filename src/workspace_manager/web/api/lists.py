"""Parameters and answers of lists: search, order and filters."""

import inspect
from collections.abc import Callable, Sequence
from typing import Annotated, Any, Literal, TypeVar

from django.db.models import Model, QuerySet
from pydantic import AfterValidator, BaseModel, Field

from workspace_manager.contract.member_description import describe
from workspace_manager.core import lists
from workspace_manager.core.lists import Choice, ListQuery, ListSpec
from workspace_manager.web.api.inputs import Day, Id, Moment, Text, Window, part

LONGEST_SEARCH = 100
OF_EVERY_LIST = {"limit", "offset", "q", "sort"}

M = TypeVar("M", bound=Model)
SORTED = describe("By which member; with `-` before it descending. What is unknown comes first.")

Search = Annotated[
    Text,
    Field(max_length=LONGEST_SEARCH),
    describe("Words to look for: each has to stand somewhere. An exact match comes first.", "anna"),
]


class FiltersAsked(BaseModel):
    """Words and filters for a list. The class argument `of` is the list that declares them."""

    q: Search = ""

    def __init_subclass__(cls, of: ListSpec | None = None, **rest: Any) -> None:
        # Before pydantic reads the class.
        members = {} if of is None else cls._members(of)
        cls.__annotations__ = {**inspect.get_annotations(cls), **members}
        for name in members:
            setattr(cls, name, None)
        super().__init_subclass__(**rest)

    @classmethod
    def _members(cls, of: ListSpec) -> dict[str, Any]:
        return {
            one.name: Annotated[
                _type(one) | None,
                describe(one.help, *([] if one.example is None else [one.example])),
            ]
            for one in of.filters
        }

    def asked(self) -> ListQuery:
        """Return the query for a list, without unused filters."""
        filters = self.model_dump(exclude=OF_EVERY_LIST, exclude_none=True)
        return ListQuery(self.q, getattr(self, "sort", None) or "", filters)


class ListAsked(Window, FiltersAsked):
    """Parameters of a list; each list adds its own `sort`."""

    @classmethod
    def _members(cls, of: ListSpec) -> dict[str, Any]:
        return {**super()._members(of), "sort": Annotated[Literal[of.sorts] | None, SORTED]}


def _type(member: lists.Member) -> Any:
    """Return the type of a parameter."""
    match member.kind:
        case lists.Text(longest=longest):
            return Annotated[Text, Field(max_length=longest)]
        case Choice(names=tuple(names)):
            return Literal[names]
        case Choice() as choice:
            longest = Field(max_length=choice.longest)
            return Annotated[Text, longest, AfterValidator(_one_of(member.name, choice))]
        case lists.Day():
            return Day
        case lists.Moment():
            return Moment
        case lists.Either():
            return bool
        case lists.Id():
            return Id


def _one_of(what: str, choice: Choice) -> Callable[[str], str]:
    """Return a validator that reads the possible values at each request."""

    def known(name: str) -> str:
        if name not in choice.known:
            raise ValueError(f"There is no such {what}. There are: {', '.join(choice.known)}.")
        return name

    return known


def list_page(
    rows: QuerySet[M],
    window: ListAsked,
    how: ListSpec,
    shown: Callable[[Sequence[M]], Sequence[Any]],
) -> dict[str, Any]:
    """Return the requested part of a table. `shown` gets all its rows together, so that it reads
    what else they need once.
    """
    found = how.found(rows, window.asked())
    return {"items": list(shown(list(part(found, window)))), "count": found.count()}


def each(shown: Callable[[M], Any]) -> Callable[[Sequence[M]], list[Any]]:
    """Show each row by itself, without further queries."""
    return lambda rows: [shown(row) for row in rows]


def choose_rows(documents: Sequence[Any], window: ListAsked, how: ListSpec) -> dict[str, Any]:
    """Return the requested part of a list that is in no table."""
    found = how.chosen(documents, window.asked())
    return {"items": found[window.offset : window.offset + window.limit], "count": len(found)}
