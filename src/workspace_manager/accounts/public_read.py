"""Let the whole world read a repository, or stop that: the owner’s switch, as a plan that can be
undone.

What was read meanwhile stays read: whoever switches is told before how much the world would see.
The record says that everybody may read from the moment it is asked for until a look from outside
showed that nobody can any more.

See docs/explanation/components.md#reading-for-everybody.
"""

from dataclasses import dataclass
from typing import Final, Protocol, runtime_checkable

from django.db import transaction
from django.db.models import QuerySet

from workspace_manager.accounts import access_grant
from workspace_manager.accounts.messages import message
from workspace_manager.accounts.row_locks import lock_component
from workspace_manager.audit.note import note
from workspace_manager.contract import slots
from workspace_manager.contract.connector import Change
from workspace_manager.contract.deadline import time_limit
from workspace_manager.contract.errors import ConnectorError, Invalid
from workspace_manager.contract.message import Message
from workspace_manager.core.connected_systems import ConnectedSystems, label_of
from workspace_manager.core.messages import message as of_core
from workspace_manager.core.plan_names import declare_step
from workspace_manager.core.refusal import Refused
from workspace_manager.engine.kind import PlanKind
from workspace_manager.engine.plan import PlanDocument, PlannedStep
from workspace_manager.engine.rows import plan_change, store
from workspace_manager.engine.supersede import let_end, supersede, under_way
from workspace_manager.records.models import Component, Person, Plan, PlanChange
from workspace_manager.systems.triplestore import names

SYSTEM, PUBLIC = "triplestore", "triplestore.public"
KIND: Final = Component.Kind.TRIPLESTORE_REPOSITORY
OPEN: Final = declare_step("open_to_everybody", message)
CLOSE: Final = declare_step("close_to_everybody", message)
LONGEST_LOOK_S: Final = 8
"""So long somebody waits for the numbers of a warning, which stands without them too."""
LOOKS_AT_ONCE: Final = 4


class Countable(Protocol):
    """The amount that there is to read; None where it could not be counted."""

    @property
    def statements(self) -> int | None: ...

    @property
    def graphs(self) -> int | None: ...


@runtime_checkable
class Counts(Protocol):
    """A store that says how much there is in one of its repositories."""

    def extent(self, repository: str) -> Countable: ...


@dataclass(frozen=True)
class Preview:
    """The part of a repository that everybody would see, or sees. `impossible`: why the store
    cannot do it; None: it can. Unknown numbers are None.
    """

    public_read: bool
    statements: int | None = None
    graphs: int | None = None
    impossible: Message | None = None


def preview(component: Component, systems: ConnectedSystems) -> Preview:
    """Look how much everybody would read; calls the store, in bounded time. Raises Refused for what
    is no repository.
    """
    _refuse_what_is_none(component, systems)
    counts = systems.by_name[SYSTEM]
    public = component.public_read
    if not isinstance(counts, Counts):
        return Preview(public)
    with (
        slots.separate_slot("public looks", most=LOOKS_AT_ONCE) as free,
        time_limit(LONGEST_LOOK_S),
    ):
        if not free:
            return Preview(public)
        try:
            found = counts.extent(component.name)
        except Invalid as cannot:
            return Preview(public, impossible=cannot.message)
        except ConnectorError:
            return Preview(public)
    return Preview(public, found.statements, found.graphs)


def warning(found: Preview) -> Message:
    """The warning for a person who opens it."""
    if found.statements is None:
        return message("public_warning_uncounted")
    if not found.statements:
        return message("public_warning_empty")
    if found.graphs is None:
        return message("public_warning_statements", statements=found.statements)
    return message("public_warning", statements=found.statements, graphs=found.graphs)


def switch(
    component: Component, *, on: bool, by: Person, systems: ConnectedSystems, reason: str = ""
) -> Plan | None:
    """Store the plan that opens a repository to everybody, or closes it; None when it is so
    already and nothing is under way.

    Raises Refused for what is no repository, is not ready, or goes with its owner, and for a store
    that opens all of its repositories or none; Forbidden and BadInput as `opening.checked_reason`
    does, where it opens it.
    """
    actor = by.username
    if on:
        reason = access_grant.checked_reason(by, component, reason, to_self=True)
    _refuse_what_is_none(component, systems)
    if on and (cannot := preview(component, systems).impossible):
        raise Refused(message("public_impossible", why=cannot))
    with transaction.atomic():
        current = lock_component(component.id)
        if current is None or current.state == Component.State.DELETING:
            raise Refused(message("component_gone"))
        if current.state != Component.State.READY:
            raise Refused(message("access_not_ready"))
        if on and current.owner.state != Person.State.ACTIVE:
            raise Refused(message("public_of_nobody_active", name=current.owner.username))
        earlier = open_plans(current)
        if current.public_read is on and not earlier.exists():
            return None
        calls = under_way(systems, plans=supersede(earlier))
        # Stopping one that would have opened it does not show that it is closed.
        current.public_read = component.public_read = True
        current.save(update_fields=["public_read"])
        plan = store(_document(current, on=on), actor=actor, state=Plan.State.RUNNING)
        let_end(plan, calls)
        owner, which = current.owner.username, str(current.id)
        if on:
            note("component:opened_to_everybody", owner, actor=actor, id=which)
            told = message("opened_to_everybody", by=actor, label=current.label)
            access_grant.tell_owner(by, current, told, reason)
        else:
            note("component:closed_to_everybody", owner, actor=actor, id=which)
    return plan


def open_plans(component: Component) -> QuerySet[Plan]:
    """Those that are switching it."""
    rows = Plan.objects.filter(about=str(component.id), kind=PUBLISHING.name)
    return rows.filter(state__in=Plan.OPEN)


def _refuse_what_is_none(component: Component, systems: ConnectedSystems) -> None:
    if component.kind != KIND:
        raise Refused(message("public_only_repositories"))
    if not systems.configured(SYSTEM):
        raise Refused(of_core("not_configured", system=label_of(SYSTEM)))


def step(component: Component, *, on: bool) -> PlannedStep:
    """The step that opens it to everybody, or closes it."""
    change = Change(
        kind=PUBLIC,
        subject=str(component.owner_id),
        target=names.repository(component.name),
        after={"read": on},
    )
    return PlannedStep(
        n=1,
        name=OPEN if on else CLOSE,
        system=SYSTEM,
        changes=(plan_change(change, name=component.label),),
    )


def _document(component: Component, *, on: bool) -> PlanDocument:
    return PlanDocument(
        kind=PUBLISHING.name,
        person=component.owner.username,
        subject=str(component.owner_id),
        about=str(component.id),
        steps=(step(component, on=on),),
    )


def _desired(change: Change) -> Change:
    """Close a component that is being deleted, or whose owner leaves."""
    if _of(change) is None:
        return change.model_copy(update={"after": {"read": False}})
    return change


def as_recorded(change: Change) -> Change:
    """The change, as the record says at this moment."""
    component = _of(change)
    read = component is not None and component.public_read
    return change.model_copy(update={"after": {"read": read}})


def _of(change: Change) -> Component | None:
    """Return whose repository it is; None for one that goes."""
    rows = Component.objects.filter(kind=KIND, name=change.target["repository"])
    stays = rows.exclude(state=Component.State.DELETING)
    return stays.exclude(owner__state=Person.State.LEAVING).first()


def _switched(plan: Plan, _systems: ConnectedSystems) -> None:
    """Write down that it is closed, once that was seen from outside."""
    if plan.state != Plan.State.DONE:
        return
    shown = (PlanChange.State.DONE, PlanChange.State.ALREADY)
    for row in PlanChange.objects.filter(step__plan=plan, kind=PUBLIC, state__in=shown):
        if Change.model_validate(row.change).after == {"read": False}:
            Component.objects.filter(id=plan.about).update(public_read=False)


PUBLISHING: Final = PlanKind(
    "component.public",
    message("plan.component.public"),
    desired=_desired,
    on_saved=_switched,
    owner_sees=True,
)
