"""Approve a removal. Approval sets the person leaving first of all: from that transaction on
nothing gives them anything, and whatever they made before it goes with the rest.
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
from workspace_manager.engine import doors
from workspace_manager.engine.plan import PlanDocument
from workspace_manager.engine.rows import begin, follow, read
from workspace_manager.engine.supersede import OpenCall, let_end, outdate, supersede, under_way
from workspace_manager.records.models import ApiToken, Person, Plan, Project
from workspace_manager.removal import kept_accounts
from workspace_manager.removal.build import build
from workspace_manager.removal.capture import capture
from workspace_manager.removal.draft import ends_at, find_drafts, is_over, refuse_running
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
from workspace_manager.work.handing_over import hand_over, was_given


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
    """Start a removal as it was shown, with what the person made meanwhile. Again with the same
    digest while it runs: nothing happens.

    `transfer`: projects (by id) that go to one of their members (by user name) instead of being
    deleted. `seen`: the mark of what other people lose besides what the preview said. Raises
    Refused when the digest is another, when the plan is stale or too old, when other people lose
    what nobody saw, or when the account link or the settings changed since it was shown.
    """
    with transaction.atomic():
        lock_administrators()
        # The people are locked before the plan is read: of two approvals at once the second finds
        # what the first did, and nobody is handed anything who just leaves.
        person = _locked(Plan.objects.get(id=plan_id), transfer or {})
        plan = Plan.objects.select_for_update().get(id=plan_id)
        if _runs_already(plan, digest):
            _refuse_other(plan, transfer or {})
            return plan
        if person is None:
            raise Refused(message("not_here", person=Named(person=plan.person)))
        refuse_running(person)
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
    """Whom the plan is about, locked together with everybody who may get something by it."""
    if not plan.subject:
        return None
    givers = Project.objects.filter(owner__id=plan.subject).values("received_from")
    concerned = Q(id=plan.subject) | Q(username__in=transfer.values()) | Q(id__in=givers)
    rows = Person.objects.select_for_update().filter(concerned).order_by("id")
    return next((person for person in rows if str(person.id) == plan.subject), None)


def _runs_already(plan: Plan, digest: str) -> bool:
    """Whether this very plan was approved before. Raises Refused when it can not be approved."""
    if plan.digest != digest:
        if plan.state in {*Plan.OPEN, Plan.State.DONE}:
            raise Refused(message("another_runs"), plan=str(plan.id))
        if plan.state == Plan.State.DRAFT:
            raise Refused(message("not_as_shown"))
    if plan.state in {*Plan.OPEN, Plan.State.DONE}:
        return True
    if plan.state != Plan.State.DRAFT:
        raise Refused(message("plan_is", state=plan.state))
    return False


def _refuse_other(plan: Plan, transfer: Mapping[str, str]) -> None:
    """Whoever approves what runs already is not told that it hands over what it does not. Raises
    Refused.
    """
    for project_id, username in transfer.items():
        if not was_given(project_id, username):
            raise Refused(message("handed_over_otherwise", name=username), plan=str(plan.id))


def _sign_in_block(plan: Plan, person: Person, systems: ConnectedSystems) -> list[OpenCall]:
    """From here on nothing is given to the person, who can ask for nothing; gives the calls of
    their plans that may not have ended.
    """
    person.state, person.is_active = Person.State.LEAVING, False
    person.save(update_fields=["state", "is_active"])
    ApiToken.objects.filter(person=person).delete()
    end_sessions(person)
    # What the other plans wrote down before acting is in the records the removal is built from.
    # Of what was only drafted the secrets are erased with it.
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
    """Shut the person out, and start what there is to remove then. False, and nothing has happened,
    when this is not the plan that was shown. Raises Refused when other people lose what nobody saw.
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
    """What the plan says of what others lose besides what was shown. Raises Refused where somebody
    loses what was shown as nobody else's, and nobody saw that: what the person made since may hold
    up no removal.
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
