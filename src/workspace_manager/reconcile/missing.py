"""What is recorded and was shown by no page of a whole walk.

Only what was recorded before the walk began counts, and what was surely there once. What appears by
itself when its person first uses it is not missed.
"""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any, Final

from django.db.models import F, Q

from workspace_manager.contract.inventory import Listed
from workspace_manager.contract.message import Message
from workspace_manager.contract.message import Person as Named
from workspace_manager.contract.system import IDENTITY, SystemSpec
from workspace_manager.reconcile.found import Found
from workspace_manager.reconcile.messages import message
from workspace_manager.reconcile.things import ALWAYS_THERE, COMPONENTS, ONTOLOGY
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
"""Both times of an account are set when it is written down, one just after the other."""


def missing(spec: SystemSpec[Any], part: ReconcilePart) -> Iterator[list[Found]]:
    """Some at a time."""
    yield from _accounts(spec, part)
    for kind in spec.kinds:
        if kind.kind in ALWAYS_THERE:
            yield from _things(kind.kind, part)
        elif kind.kind == ONTOLOGY:
            yield from _ontologies(part)


def _accounts(spec: SystemSpec[Any], part: ReconcilePart) -> Iterator[list[Found]]:
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
    last = 0
    while page := list(
        rows.filter(id__gt=last)
        .order_by("id")
        .values_list("id", "kind", "name", "username", "person")[:AT_ONCE]
    ):
        last = page[-1][0]
        recreated = _recreated(part, {row[3] for row in page}) if IDENTITY in spec.provides else ()
        yield [
            _account(spec, kind, name, username)
            for _, kind, name, username, _ in page
            if username not in recreated
        ]


def _recreated(part: ReconcilePart, names: set[str]) -> set[str]:
    """Whose user was found made again: that says it all."""
    rows = ReconcileItem.objects.filter(
        difference=Difference.IDENTITY_RECREATED,
        system=part.system,
        ended_at=None,
        last_run=part.run_id,
        username__in=names,
    )
    return set(rows.values_list("username", flat=True))


def _account(spec: SystemSpec[Any], kind: str, name: str, username: str) -> Found:
    here = Named(person=username)
    if IDENTITY in spec.provides:
        one = Listed(kind, {}, name, _not_shown(kind, name), sub=name, username=username)
        return Found(Difference.IDENTITY_GONE, one, message("identity_gone", person=here), username)
    one = Listed(kind, {}, name, _not_shown(kind, name))
    return Found(Difference.MISSING, one, message("account_missing", person=here), username)


def _not_shown(kind: str, name: str) -> Message:
    return message("not_shown", kind=kind, name=name)


def _things(kind: str, part: ReconcilePart) -> Iterator[list[Found]]:
    shown = part.shown.filter(kind=kind).values("name")
    rows = Component.objects.filter(
        kind=COMPONENTS[kind], state=Component.State.READY, created_at__lt=part.started_at
    ).exclude(name__in=shown)
    last = ""
    while page := list(
        rows.filter(name__gt=last)
        .order_by("name")
        .values_list("name", "label", "owner__username")[:AT_ONCE]
    ):
        last = page[-1][0]
        yield [_thing(kind, *row) for row in page]


def _ontologies(part: ReconcilePart) -> Iterator[list[Found]]:
    shown = part.shown.filter(kind=ONTOLOGY).values("name")
    rows = Project.objects.filter(created_at__lt=part.started_at).exclude(ontology_project_id="")
    rows = rows.exclude(ontology_project_id__in=shown)
    last = ""
    while page := list(
        rows.filter(ontology_project_id__gt=last)
        .order_by("ontology_project_id")
        .values_list("ontology_project_id", "label", "owner__username")[:AT_ONCE]
    ):
        last = page[-1][0]
        yield [_thing(ONTOLOGY, *row) for row in page]


def _thing(kind: str, name: str, label: str, owner: str) -> Found:
    why = message("thing_missing", label=label, person=Named(person=owner))
    return Found(Difference.MISSING, Listed(kind, {}, name, _not_shown(kind, name)), why, owner)
