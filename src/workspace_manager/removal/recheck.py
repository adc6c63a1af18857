"""Follow-up checks: plans that look for accounts that an earlier credential may have brought back.

An access token works at the drive until it expires, and bearer auto-provisioning recreates a
deleted account, empty. The first check is due after the longest lifespan of such a token, counted
from the sign-in block (without a block: from the end of the identity); further ones follow
`WORKSPACE_RECHECK_AGAIN_HOURS`. They are stored in the transaction that closes the removal, and
belong to it, since the person is gone.

Accounts that are known by an id stay the person's for ever. A user of a directory was disabled
instead of deleted, and the check looks whether that holds. A notebook is known by its owner's name
alone, and is left alone once that name is given to somebody else.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db.models import Q

from workspace_manager.audit import plan_notes
from workspace_manager.audit.note import MANAGER
from workspace_manager.contract.connector import UNKNOWN, CallPolicy, Change, Evidence
from workspace_manager.contract.errors import ConnectorError, Unavailable
from workspace_manager.contract.message import Message, quote_words
from workspace_manager.contract.message import Person as Named
from workspace_manager.core.clock import LEAP, database_now
from workspace_manager.core.connected_systems import ConnectedSystems, label_of_kind
from workspace_manager.core.same_names import any_same, counts_as
from workspace_manager.engine import invariants
from workspace_manager.engine.kind import Columns, PlanKind
from workspace_manager.engine.plan import PlanDocument, PlannedStep
from workspace_manager.engine.rows import append_new, change_of, plan_change, store
from workspace_manager.records.models import Person, Plan, PlanChange, PlanStep, Registration
from workspace_manager.removal import left_account, step4_remove_identity
from workspace_manager.removal.messages import message
from workspace_manager.removal.sign_in_block import END, USER
from workspace_manager.systems import registry

_STATE: Final = Plan.RecheckState
LONGEST_LIFESPAN_S = 3600
"""Used when the identity provider could not be asked; generous, since an early check would miss
something.
"""
MARGIN_S = 5
TRIES_AGAIN = CallPolicy(first_wait_s=60, longest_wait_s=3600)
"""Retries of a failed check. Nobody waits for it, and no button repeats it."""


def recheck_due(plan: Plan, steps: Sequence[PlanStep], systems: ConnectedSystems) -> Columns:
    """Return when the first check of a removal is due; known once no new token is issued."""
    if plan.recheck_due_at:
        return {}
    stands = invariants.standing_since(plan, USER) or _without_block(plan, steps)
    if stands is None:
        return {}
    try:
        lifespan = systems.identity_provider().token_lifespan()
    except ConnectorError:
        lifespan = LONGEST_LIFESPAN_S
    at = stands + timedelta(seconds=lifespan + MARGIN_S)
    return {"recheck_due_at": at, "recheck_state": _STATE.PENDING}


def _without_block(plan: Plan, steps: Sequence[PlanStep]) -> datetime | None:
    """Return when tokens ended without a block (switched off or skipped): the end of the identity's
    step.
    """
    ended = any(step.name == END and step.state in PlanStep.ENDED for step in steps)
    return database_now() if plan.document["sub"] and ended else None


def store_rechecks(plan: Plan) -> None:
    """Store the rechecks of a removal, in the transaction that closes it."""
    if not plan.recheck_due_at:
        left = left_account.left_by(plan)
        if left and left.open:
            # No step touched this account, so its tokens may still work.
            names = ", ".join(left.open)
            plan.recheck_state = _STATE.SKIPPED
            plan.recheck_found = [message("nobody_looked", subs=names)]
        else:
            plan.recheck_state = _STATE.CLEAN
            plan.recheck_found = [message("no_block_needed")]
        plan.save(update_fields=["recheck_state", "recheck_found"])
        return
    first = _first(plan, plan.recheck_due_at)
    for number, hours in enumerate((0, *settings.RECHECK_AGAIN_HOURS), start=1):
        store(
            _document(plan, number),
            actor=MANAGER,
            # A running plan would be taken up at once.
            state=Plan.State.WAITING,
            due_at=first + timedelta(hours=hours),
            belongs_to=plan,
        )


def _first(plan: Plan, due_at: datetime) -> datetime:
    """Return the due moment, corrected where the clock was turned back since the block."""
    rose, now = invariants.standing_since(plan, USER), database_now()
    return due_at - (rose - now) if rose and rose > now + LEAP else due_at


def look_again(now: datetime) -> None:
    """Move checks that a turned-back clock left too far in the future."""
    waiting = Plan.objects.filter(kind=RECHECK.name, state__in=Plan.OPEN, lease_number=0)
    for plan in waiting.filter(created_at__gt=now + LEAP):
        if plan.due_at:
            due_at = plan.due_at - (plan.created_at - now)
            waiting.filter(id=plan.id).update(due_at=due_at, created_at=now)


def _document(plan: Plan, number: int) -> PlanDocument:
    kinds = [spec.kind for spec in registry().coming_back()]
    comes_back = Q(kind__in=kinds) | step4_remove_identity.LEFT
    rows = PlanChange.objects.filter(comes_back, step__plan=plan).order_by("id")
    # Things that a person decided to leave are not checked.
    left = Q(step__state=PlanStep.State.SKIPPED) & ~Q(state__in=PlanChange.ENDED)
    looked_at = {(row.kind, row.name): row for row in rows.exclude(left)}
    kinds += sorted({kind for kind, _ in looked_at} - {*kinds})
    steps = [
        _step(n, kind, [row for row in looked_at.values() if row.kind == kind], plan.person)
        for n, kind in enumerate(kinds, start=1)
    ]
    if not looked_at and rows.filter(left).exists():
        skip = message("left_out")
        steps = [step.model_copy(update={"skip": skip}) for step in steps]
    return PlanDocument(
        kind=RECHECK.name,
        person=plan.person,
        # The person has no row any more.
        subject="",
        sub=plan.document["sub"],
        steps=tuple(steps),
        captured={"number": str(number)},
    )


def _step(n: int, kind: str, rows: Iterable[PlanChange], username: str) -> PlannedStep:
    system, _, thing = kind.partition(".")
    return PlannedStep(
        n=n,
        name=f"recheck_{thing}",
        system=system,
        label=message("step_recheck", thing=label_of_kind(kind)),
        changes=tuple(plan_change(_again(row, username), name=row.name) for row in rows),
    )


def _again(row: PlanChange, username: str) -> Change:
    """Copy the change without its person. `note` holds the name, if only the name identifies the
    owner.
    """
    if row.kind == step4_remove_identity.KIND:
        return step4_remove_identity.shut_again(change_of(row))
    known_by = username if _known_by_name(row) else ""
    kept = {"subject": "", "before": UNKNOWN, "new": False, "note": known_by}
    return change_of(row).model_copy(update=kept)


def being_looked_at(username: str) -> str:
    """Return the lock that an approval of this name waits for."""
    return f"late_look:{counts_as(username)}"


def held_name(change: Change) -> str:
    """Return the lock to hold from the check of the name to the end of the change; "" for things
    known by an id.
    """
    return being_looked_at(change.note) if change.note else ""


def may_act(change: Change) -> bool:
    """Return whether the thing is still the removed person's. Raises Unavailable while the name is
    being given to somebody.
    """
    if not change.note:
        return True
    status, now = Registration.Status, database_now()
    claimed = Registration.objects.filter(
        status=status.PENDING, claimed_until__gt=now, claimed_until__lte=now + LEAP
    ).values_list("username", flat=True)
    if any_same(change.note, claimed):
        raise Unavailable(
            message("name_being_given"),
            kind=change.kind,
            doing=message("doing.looking_again"),
            retry_after=60,
        )
    approved = Registration.objects.filter(status=status.APPROVED)
    here = Person.objects.order_by().values_list("username", flat=True)
    given = [*approved.values_list("username", flat=True), *here]
    # The removed person had no row any more when the removal was closed.
    return not any_same(change.note, given)


def on_saved(plan: Plan, _systems: ConnectedSystems) -> None:
    """Note the findings at the removal, which shows its first check."""
    if plan.belongs_to_id is None:
        return
    with plan_notes.changing([plan.belongs_to_id]):
        _tell(Plan.objects.get(id=plan.belongs_to_id), plan)


def _tell(removal: Plan, plan: Plan) -> None:
    steps = list(plan.steps.order_by("n").prefetch_related("changes"))
    rows = [row for step in steps for row in step.changes.all()]
    for row in rows:
        if row.state == PlanChange.State.DONE:
            removal.findings = append_new(removal.findings, _came_back(row))
    columns = ["findings"]
    if plan.document["captured"]["number"] == "1":
        removal.recheck_state = _state(plan, steps, rows)
        removal.recheck_found = _found(plan, steps, rows)
        columns += ["recheck_state", "recheck_found"]
    removal.save(update_fields=columns)


def _state(plan: Plan, steps: Sequence[PlanStep], rows: Sequence[PlanChange]) -> str:
    if plan.state == Plan.State.STUCK:
        return _STATE.STUCK
    if plan.state != Plan.State.DONE:
        return _STATE.PENDING
    if any(row.state == PlanChange.State.DONE for row in rows):
        return _STATE.REMOVED
    looked = any(row.state in PlanChange.ENDED for row in rows)
    skipped = any(step.state == PlanStep.State.SKIPPED for step in steps)
    return _STATE.SKIPPED if skipped and not looked else _STATE.CLEAN


def _found(plan: Plan, steps: Sequence[PlanStep], rows: Sequence[PlanChange]) -> list[Message]:
    """Return why the check waits or is stuck, or its findings, each once."""
    said: list[Message] = []
    for step in steps:
        if step.reason and step.state == PlanStep.State.STUCK:
            advice = step.advice or quote_words("")
            said.append(message("recheck_stuck", why=step.reason, advice=advice))
        elif step.reason and step.state == PlanStep.State.WAITING:
            said.append(message("recheck_waits", why=step.reason, at=database_now()))
    if plan.state == Plan.State.DONE:
        said += [step.reason for step in steps if step.reason]
        said += [_shown(row) for row in rows if row.evidence or row.state == _LEFT]
        said = said or [message("nothing_known")]
    return list(dict.fromkeys(said))


_LEFT: Final = PlanChange.State.LEFT_ALONE


def _shown(row: PlanChange) -> Message:
    if row.state == _LEFT:
        return message("left_alone", person=Named(person=change_of(row).note))
    found = Evidence.model_validate(row.evidence[-1], extra="ignore")
    return found.message or quote_words(found.text)


def _came_back(row: PlanChange) -> Message:
    after = change_of(row).after
    if after is None:
        return message("came_back", name=row.name)
    key = "opened_again" if "enabled" in after else "ran_again"
    return message(key, name=row.name)


def _known_by_name(row: PlanChange) -> bool:
    """Return whether only the name identifies the owner."""
    kind = registry().kinds.get(row.kind)
    return kind is not None and kind.comes_back_by == "name"


RECHECK: Final = PlanKind(
    "recheck",
    message("plan.recheck"),
    may_act=may_act,
    held_name=held_name,
    on_saved=on_saved,
    tries_again=TRIES_AGAIN,
)
