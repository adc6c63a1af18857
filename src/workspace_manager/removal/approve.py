"""Approve a removal. Approval first sets the person leaving: from that transaction on they get
nothing new, and everything they made before it is removed with the rest.
"""

import uuid
from collections.abc import Mapping

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from workspace_manager.access.administrators import lock_administrators, refuse_self_and_last
from workspace_manager.access.sessions import end_sessions
from workspace_manager.audit.note import note
from workspace_manager.contract.message import Message, quote_words
from workspace_manager.contract.message import Person as Named
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.deadlocks import retry_after_deadlock
from workspace_manager.core.refusal import Refused
from workspace_manager.core.states import state_of
from workspace_manager.engine import doors
from workspace_manager.engine.plan import PlanDocument
from workspace_manager.engine.rows import begin, follow, read
from workspace_manager.engine.supersede import OpenCall, let_end, outdate, supersede, under_way
from workspace_manager.records.models import ApiToken, Person, Plan, Project
from workspace_manager.removal import kept_accounts
from workspace_manager.removal.build import build
from workspace_manager.removal.capture import capture
from workspace_manager.removal.draft import (
    ends_at,
    find_drafts,
    find_newer,
    is_over,
    refuse_running,
)
from workspace_manager.removal.give_back import give_back
from workspace_manager.removal.growth import is_other_plan
from workspace_manager.removal.kind import REMOVAL
from workspace_manager.removal.losses import (
    Losses,
    count_losses,
    find_losses,
    lost_since,
    mark,
    to_be_seen,
)
from workspace_manager.removal.messages import message
from workspace_manager.work import loss_letters
from workspace_manager.work.project_transfer import hand_over, was_given


@retry_after_deadlock
def approve_removal(
    plan_id: uuid.UUID,
    *,
    digest: str,
    actor: str,
    systems: ConnectedSystems,
    transfer: Mapping[str, str] | None = None,
    seen: str = "",
) -> Plan:
    """Start a removal as it was shown, with what the person made meanwhile. A second call with the
    same digest does nothing while the removal runs.

    `transfer` maps ids of projects to the user name of the member who gets the project instead of
    its deletion. `seen` is the mark of the further losses of other people that were shown. Raises
    Refused when the digest differs, when the plan is stale or too old, when other people lose
    something that was not shown, or when the account link or the settings changed since the
    preview.
    """
    with transaction.atomic():
        lock_administrators()
        # The people are locked before the plan is read, so that the second of two approvals finds
        # what the first did, and nobody who is leaving receives a project.
        person = _locked(Plan.objects.get(id=plan_id), transfer or {})
        plan = Plan.objects.select_for_update().get(id=plan_id)
        if _runs_already(plan, digest):
            _refuse_other(plan, transfer or {})
            return plan
        if person is None:
            raise Refused(message("not_here", person=Named(person=plan.person)))
        refuse_running(person)
        _refuse_outdated(plan)
        refuse_self_and_last(person, actor)
        over = is_over(plan)
        started = not over and _start(
            plan, person, transfer or {}, seen, actor=actor, systems=systems
        )
        if not started:
            outdate(Plan.objects.filter(id=plan.id))
    if over:
        raise Refused(message("draft_ended", at=ends_at(plan)))
    if not started:
        raise Refused(message("changed_since"))
    plan.refresh_from_db()
    return plan


def _locked(plan: Plan, transfer: Mapping[str, str]) -> Person | None:
    """Lock the person together with everybody who may receive a project, and return the person."""
    if not plan.subject:
        return None
    givers = Project.objects.filter(owner__id=plan.subject).values("received_from")
    concerned = Q(id=plan.subject) | Q(username__in=transfer.values()) | Q(id__in=givers)
    rows = Person.objects.select_for_update().filter(concerned).order_by("id")
    return next((person for person in rows if str(person.id) == plan.subject), None)


def _runs_already(plan: Plan, digest: str) -> bool:
    """Return whether this plan was approved before. Raises Refused if it cannot be approved."""
    if plan.digest != digest:
        if plan.state in {*Plan.OPEN, Plan.State.DONE}:
            raise Refused(message("another_runs"), plan=str(plan.id))
        if plan.state == Plan.State.DRAFT:
            raise Refused(message("not_as_shown"))
    return plan.state in {*Plan.OPEN, Plan.State.DONE}


def _refuse_outdated(plan: Plan) -> None:
    """Raise Refused for a plan that is no preview any more, with the newer preview if there is one:
    perhaps another administrator opened it.
    """
    if plan.state == Plan.State.DRAFT:
        return
    newer = find_newer(plan)
    if newer:
        said = message("newer_preview", person=Named(person=plan.person))
        raise Refused(said, plan=str(newer.id))
    raise Refused(message("plan_is", state=state_of(plan.state)))


def _refuse_other(plan: Plan, transfer: Mapping[str, str]) -> None:
    """Raise Refused if a running removal does not hand over the projects of this approval."""
    for project_id, username in transfer.items():
        if not was_given(project_id, username):
            raise Refused(message("handed_over_otherwise", name=username), plan=str(plan.id))


def _sign_in_block(plan: Plan, person: Person, systems: ConnectedSystems) -> list[OpenCall]:
    """Set the person leaving, and return the calls of their plans that may not have ended."""
    person.state, person.is_active = Person.State.LEAVING, False
    person.save(update_fields=["state", "is_active"])
    ApiToken.objects.filter(person=person).delete()
    end_sessions(person)
    # What other plans recorded before acting is part of the records that the removal is built from.
    # Drafts never acted, so their secrets can go.
    drafted = Q(state=Plan.State.DRAFT) & ~Q(kind=REMOVAL.name)
    others = Plan.objects.filter(Q(state__in=Plan.OPEN) | drafted, subject=str(person.id))
    return under_way(systems, subject=str(person.id), plans=supersede(others.exclude(id=plan.id)))


def _start(
    plan: Plan,
    person: Person,
    transfer: Mapping[str, str],
    seen: str,
    *,
    actor: str,
    systems: ConnectedSystems,
) -> bool:
    """Shut the person out and start the removal. Return False, with nothing done, if this is not
    the plan that was shown. Raises Refused if other people lose something that was not shown.
    """
    with transaction.atomic():
        calls = _sign_in_block(plan, person, systems)
        shown = read(plan)
        was_seen = seen == mark(to_be_seen(shown, lost_since(shown, find_losses(person))))
        hand_over(person, transfer, actor=actor, systems=systems)
        plan.findings += give_back(person, shown, actor=actor, systems=systems)
        plan.findings += _others_lose(
            shown, lost_since(shown, find_losses(person)), was_seen=was_seen
        )
        fresh = build(person, systems, remove_adopted=kept_accounts.deletes_existing(shown))
        if is_other_plan(shown, fresh, capture(person, systems)):
            transaction.set_rollback(True)
            return False
        follow(plan, fresh)
        _begin(plan, person, calls, actor=actor)
        loss_letters.tell_of_leaving(person, plan=plan.id, actor=actor)
    return True


def _others_lose(shown: PlanDocument, lost: Losses, *, was_seen: bool) -> list[Message]:
    """Return remarks on losses of others since the preview. Raises Refused for unseen losses in
    things that were shown as the person's alone; new things cannot hold up a removal.
    """
    unseen = to_be_seen(shown, lost)
    if unseen and not was_seen:
        raise Refused(message("grown_since", what=count_losses(unseen) or quote_words("")))
    return [message("others_lost", what=count_losses(lost) or quote_words(""))] if lost else []


def _begin(plan: Plan, person: Person, calls: list[OpenCall], *, actor: str) -> None:
    now = timezone.now()
    outdate(find_drafts(person).exclude(id=plan.id))
    let_end(plan, calls)
    begin(plan, actor=actor, now=now, findings=plan.findings)
    note(
        "removal:approved",
        person.username,
        actor=actor,
        plan=str(plan.id),
        digest=plan.digest,
        added=sum(one["n"] != doors.STEP for one in plan.added),
    )
