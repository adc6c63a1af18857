"""Rows of the page of service keys: personal keys first, then those of programs, then those of
knowledge stacks, grouped by stack.

Programs and stacks come in pages, with a search and a filter by component or stack.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from django.core.paginator import Page, Paginator
from django.db.models import Q, QuerySet
from django.http import QueryDict
from django.utils.translation import gettext_lazy

from workspace_manager.accounts import keys
from workspace_manager.accounts.listings import KEYS
from workspace_manager.core.lists import search
from workspace_manager.engine.view import PlanView
from workspace_manager.plan_kinds import view_plans
from workspace_manager.records.models import Component, Person, ServiceKey
from workspace_manager.web.pages.list_fields import Choices, OneOf
from workspace_manager.web.pages.list_form import ListForm
from workspace_manager.web.pages.live import fingerprint

PER_PAGE: Final = 20
MOST_OFFERED: Final = 200
"""The most options of the filter; a search finds the rest."""
SEARCHED: Final = ("purpose", "account", "component__label", "used_by__label")


@dataclass(frozen=True)
class KeyLine:
    """A key, and the plan that works on it, if any."""

    key: ServiceKey
    plan: PlanView | None

    @property
    def revealable(self) -> bool:
        return self.key.secret is not None and self.plan is None and not self.key.used_by_id


@dataclass(frozen=True)
class KeysOfStack:
    """A knowledge stack and its keys. `moves`: a plan works on one of them."""

    stack: Component
    lines: Sequence[KeyLine]

    @property
    def moves(self) -> bool:
        return any(line.plan for line in self.lines)


class KeysForm(ListForm):
    """The form of machine keys: filtered by what they open or what uses them."""

    listed = KEYS

    of = OneOf(label=gettext_lazy("Component or knowledge stack"), required=False)

    def __init__(self, data: QueryDict, machine: QuerySet[ServiceKey]) -> None:
        self.machine = machine
        super().__init__(data)

    def offered(self) -> dict[str, Choices]:
        offered = _components_with_keys(self.machine, self.data.get("of", ""))
        return {**super().offered(), "of": [*offered]}

    def found(self, rows: QuerySet[ServiceKey]) -> QuerySet[ServiceKey]:
        """Return the requested machine keys."""
        rows = search(rows, self.asked().q, SEARCHED)
        if of := self.cleaned_data.get("of"):
            rows = rows.filter(Q(component=of) | Q(used_by=of))
        return rows


def _components_with_keys(machine: QuerySet[ServiceKey], asked: str) -> list[tuple[str, str]]:
    """Return components with machine keys, and knowledge stacks that use some, including the
    requested one.
    """
    used = Q(id__in=machine.values("component")) | Q(id__in=machine.values("used_by"))
    rows = Component.objects.filter(used).order_by("label", "id")
    offered = list(rows.values_list("id", "label")[:MOST_OFFERED])
    if _is_id(asked) and asked not in {str(one) for one, _ in offered}:
        offered += rows.filter(id=asked).values_list("id", "label")
    return [(str(one), label) for one, label in offered]


def _is_id(text: str) -> bool:
    try:
        UUID(text)
    except ValueError:
        return False
    return True


def lines_of(person: Person, asked: QueryDict) -> dict[str, Any]:
    """Return a person's keys for the page, and whether a plan works on a shown one."""
    rows = ServiceKey.objects.filter(owner=person).select_related("component", "used_by")
    machine = rows.exclude(component=None)
    filters = KeysForm(asked, machine)
    found = filters.found(machine)
    programs = Paginator(
        found.filter(used_by=None).order_by("component__label", "created_at", "id"), PER_PAGE
    ).get_page(asked.get("page"))
    users = Component.objects.filter(id__in=found.exclude(used_by=None).values("used_by"))
    stacks = Paginator(users.order_by("label", "id"), PER_PAGE).get_page(asked.get("stacks"))
    personal = list(rows.filter(component=None).order_by("system"))
    of_stacks = list(
        machine.filter(used_by__in=[one.id for one in stacks]).order_by("system", "created_at")
    )
    shown = _lines([*personal, *programs, *of_stacks])
    return {
        "filters": filters,
        "query": filters.query,
        "personal": [shown[one.id] for one in personal],
        "machines": bool(filters.said) or bool(programs) or bool(stacks),
        "programs": programs,
        "program_lines": [shown[one.id] for one in programs],
        "stacks": stacks,
        "stack_keys": _by_stack(stacks, of_stacks, shown),
        "polling": any(line.plan for line in shown.values()),
        "seen": fingerprint([_state(line) for line in shown.values()]),
    }


def _lines(found: Sequence[ServiceKey]) -> dict[UUID, KeyLine]:
    plans = keys.under_way_with(found)
    views = dict(zip(plans, view_plans([*plans.values()]), strict=True))
    return {key.id: KeyLine(key, views.get(str(key.id))) for key in found}


def _by_stack(
    stacks: Page[Component], of_stacks: Sequence[ServiceKey], shown: Mapping[UUID, KeyLine]
) -> list[KeysOfStack]:
    return [
        KeysOfStack(stack, [shown[one.id] for one in of_stacks if one.used_by_id == stack.id])
        for stack in stacks
    ]


def _state(line: KeyLine) -> tuple[str, bool, Any]:
    plan = line.plan and line.plan.model_dump(mode="json")
    return str(line.key.id), line.revealable, plan
