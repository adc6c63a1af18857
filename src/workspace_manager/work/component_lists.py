"""Lists of components and stacks, with the progress of the plans that work on them.

Queries cover all rows of a page, so that their number does not grow with the page.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Protocol, TypeVar
from uuid import UUID

from django.db.models import BooleanField, Case, Count, Q, QuerySet, Value, When

from workspace_manager.contract.member_description import ID
from workspace_manager.core.lists import Choice, Either, Id, ListSpec, Member
from workspace_manager.records.models import Component, Person, Plan, PlanStep, Stack

Made = TypeVar("Made", Component, Stack)


def _made(what: str, *more: Member) -> ListSpec:
    """Build the list for programs: the oldest first, so that new rows move no page."""
    return ListSpec(
        f"{what}_list",
        __file__,
        searched=("label", "name", "owner__username"),
        order=("created_at",),
        search_for="Search by name or owner",
        by_itself="mine first, then the newest",
        members=(
            Member("created_at", label="Made", order="created_at"),
            Member("label", label="Name", order="label"),
            *more,
            Member(
                "state",
                Choice(tuple(map(str, Component.State.values))),
                "State",
                f"Only {what} that stand so.",
                filter="state",
                order="state",
            ),
            Member(
                "project", Id(), "Project", "Only those of this project (its id).", ID, "project"
            ),
            Member(
                "owner",
                label="Owner",
                help="Only those of this person.",
                example="anna",
                filter="owner__username",
                order="owner__username",
            ),
            Member(
                "mine",
                Either("of-others"),
                help="Only one’s own; `false`: only what others share with oneself.",
                example=True,
                filter="mine",
            ),
        ),
    )


COMPONENTS: Final = _made(
    "components",
    Member(
        "kind",
        Choice(tuple(map(str, Component.Kind.values)), "kind"),
        "Kind",
        "Only components of this kind.",
        filter="kind",
        order="kind",
    ),
    Member(
        "public_read",
        Either("not-public-read"),
        help="Only what everybody may read, or only what not everybody may.",
        example=True,
        filter="public_read",
    ),
)
STACKS: Final = _made("stacks")
PROJECTS: Final = ListSpec(
    "projects_list",
    __file__,
    searched=("label", "description", "owner__username"),
    order=("created_at",),
    members=(
        Member("created_at", order="created_at"),
        Member("label", order="label"),
        Member(
            "owner",
            help="Only those of this person.",
            example="anna",
            filter="owner__username",
            order="owner__username",
        ),
        Member(
            "default",
            Either("not-default"),
            help="Only the ones people are given at first, or all others.",
            filter="default",
        ),
    ),
)
ON_A_PAGE: Final = ("-mine", "-created_at")
"""The order of pages: one's own first, then the newest."""


@dataclass(frozen=True)
class Progress:
    """The progress of a plan."""

    kind: str
    state: str
    ended: int
    total: int

    @property
    def moves(self) -> bool:
        """Return whether it continues by itself; a stuck plan needs a person."""
        return self.state != Plan.State.STUCK


class StackPart(Protocol):
    """A component, or the columns read of one; those of a stack have no `stack_id`."""

    @property
    def id(self) -> UUID: ...

    @property
    def state(self) -> str: ...

    @property
    def stack_id(self) -> UUID | None: ...


def told_whose(rows: QuerySet[Made], person: Person) -> QuerySet[Made]:
    """Annotate the rows with `mine`: whether this person owns them."""
    mine = Case(When(owner=person, then=Value(True)), default=False, output_field=BooleanField())
    return rows.annotate(mine=mine)


def progress_of(things: Iterable[Stack | StackPart]) -> Mapping[UUID, Progress]:
    """Return the progress of the newest plan on each thing. A part that is made or deleted with its
    stack has the stack's progress.
    """
    shown = list(things)
    found = _by_about({str(which) for one in shown for which in _worked_on(one)})
    return {
        one.id: found[str(which)]
        for one in shown
        for which in _worked_on(one)
        if str(which) in found
    }


def _worked_on(one: Stack | StackPart) -> tuple[UUID, ...]:
    """Return the ids that a plan on the thing can be about, its own last."""
    if isinstance(one, Stack) or not one.stack_id or one.state == Component.State.READY:
        return (one.id,)
    return (one.stack_id, one.id)


def _by_about(about: set[str]) -> Mapping[str, Progress]:
    if not about:
        return {}
    open_plans = Plan.objects.filter(about__in=about, state__in=Plan.OPEN).order_by("created_at")
    plans = list(open_plans.values_list("pk", "about", "kind", "state"))
    if not plans:  # The common case; the other query takes twice as long to build
        return {}
    steps = PlanStep.objects.filter(plan__in=[plan for plan, *_ in plans]).order_by()
    counted = steps.values_list("plan_id").annotate(
        total=Count("id"), ended=Count("id", filter=Q(state__in=PlanStep.ENDED))
    )
    found = {plan: (ended, total) for plan, total, ended in counted}
    return {
        about: Progress(kind, state, *found[plan])
        for plan, about, kind, state in plans
        if plan in found
    }
