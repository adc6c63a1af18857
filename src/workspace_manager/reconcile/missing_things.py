"""Recorded things that no page of a complete run showed.

Only things that were recorded before the run began, and that certainly existed once, count.
Accounts that a person's first use makes do not.
"""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any, Final

from django.db.models import F, Q, QuerySet

from workspace_manager.contract.inventory import InventoryEntry
from workspace_manager.contract.message import Message
from workspace_manager.contract.message import Person as Named
from workspace_manager.contract.system import IDENTITY, SystemSpec
from workspace_manager.core.connected_systems import kind_of
from workspace_manager.reconcile.found_difference import FoundDifference
from workspace_manager.reconcile.messages import message
from workspace_manager.reconcile.recorded_things import (
    ALWAYS_THERE,
    COMPONENTS,
    ONTOLOGY,
    PUBLIC,
    REPOSITORY,
)
from workspace_manager.records.models import (
    Account,
    Component,
    Project,
    ReconcileItem,
    ReconcilePart,
)

Difference = ReconcileItem.Difference
AT_ONCE: Final = 500
MOMENT: Final = timedelta(seconds=1)
"""The two times of an account are set one just after the other when it is recorded."""


def find_missing(spec: SystemSpec[Any], part: ReconcilePart) -> Iterator[list[FoundDifference]]:
    """Yield missing things in batches."""
    yield from _accounts(spec, part)
    for kind in spec.kinds:
        if kind.kind in ALWAYS_THERE:
            yield from _things(kind.kind, part)
        elif kind.kind == ONTOLOGY:
            yield from _ontologies(part)
        elif kind.kind == PUBLIC:
            yield from _closed(part)


def _accounts(spec: SystemSpec[Any], part: ReconcilePart) -> Iterator[list[FoundDifference]]:
    kinds = [one.kind for one in spec.kinds if one.holds_account and not one.comes_by_itself]
    was_there = Q(made_by_us=True) | Q(seen_at__gt=F("created_at") + MOMENT)
    if IDENTITY in spec.provides:
        was_there = Q()
    rows = Account.objects.filter(
        was_there,
        kind__in=kinds,
        gone_at=None,
        created_at__lt=part.started_at,
        seen_at__lt=part.started_at,
    )
    for page in _some(rows, "id", "kind", "name", "username"):
        names = {username for *_, username in page}
        recreated = _recreated(part, names) if IDENTITY in spec.provides else ()
        yield [
            _account(spec, kind, name, username)
            for _, kind, name, username in page
            if username not in recreated
        ]


def _some(rows: QuerySet[Any], key: str, *columns: str) -> Iterator[list[tuple[Any, ...]]]:
    """Yield batches of rows in the order of a unique column."""
    left = rows.order_by(key)
    while page := list(left.values_list(key, *columns)[:AT_ONCE]):
        yield page
        left = rows.filter(**{f"{key}__gt": page[-1][0]}).order_by(key)


def _recreated(part: ReconcilePart, names: set[str]) -> set[str]:
    """Return names whose user was found made again; nothing more needs to be said about them."""
    rows = ReconcileItem.objects.filter(
        difference=Difference.IDENTITY_RECREATED,
        system=part.system,
        ended_at=None,
        last_run=part.run_id,
        username__in=names,
    )
    return set(rows.values_list("username", flat=True))


def _account(spec: SystemSpec[Any], kind: str, name: str, username: str) -> FoundDifference:
    here = Named(person=username)
    if IDENTITY in spec.provides:
        one = InventoryEntry(kind, {}, name, _not_shown(kind, name), sub=name, username=username)
        return FoundDifference(
            Difference.IDENTITY_GONE, one, message("identity_gone", person=here), username
        )
    one = InventoryEntry(kind, {}, name, _not_shown(kind, name))
    return FoundDifference(
        Difference.MISSING, one, message("account_missing", person=here), username
    )


def _not_shown(kind: str, name: str) -> Message:
    known = kind_of(kind)
    return message("not_shown", kind=known.label if known else kind, name=name)


def _things(kind: str, part: ReconcilePart) -> Iterator[list[FoundDifference]]:
    rows = Component.objects.filter(
        kind=COMPONENTS[kind], state=Component.State.READY, created_at__lt=part.started_at
    )
    yield from _not_shown_of(rows, "name", kind, part)


def _ontologies(part: ReconcilePart) -> Iterator[list[FoundDifference]]:
    rows = Project.objects.filter(created_at__lt=part.started_at).exclude(ontology_project_id="")
    yield from _not_shown_of(rows, "ontology_project_id", ONTOLOGY, part)


def _closed(part: ReconcilePart) -> Iterator[list[FoundDifference]]:
    """Yield existing repositories that are public by the records alone."""
    there = part.shown.filter(kind=REPOSITORY).values("name")
    rows = Component.objects.filter(
        kind=COMPONENTS[PUBLIC],
        state=Component.State.READY,
        public_read=True,
        created_at__lt=part.started_at,
        name__in=there,
    ).exclude(name__in=part.shown.filter(kind=PUBLIC).values("name"))
    for page in _some(rows, "name", "owner__username"):
        yield [
            FoundDifference(
                Difference.HOLDER_LACKS,
                InventoryEntry(PUBLIC, {}, name, _not_shown(PUBLIC, name)),
                message("nobody_reads"),
                owner,
            )
            for name, owner in page
        ]


def _not_shown_of(
    rows: QuerySet[Any], name: str, kind: str, part: ReconcilePart
) -> Iterator[list[FoundDifference]]:
    shown = part.shown.filter(kind=kind).values("name")
    left = rows.exclude(**{f"{name}__in": shown})
    for page in _some(left, name, "label", "owner__username"):
        yield [_thing(kind, *row) for row in page]


def _thing(kind: str, name: str, label: str, owner: str) -> FoundDifference:
    why = message("thing_missing", label=label, person=Named(person=owner))
    return FoundDifference(
        Difference.MISSING, InventoryEntry(kind, {}, name, _not_shown(kind, name)), why, owner
    )
