"""Accounts at the identity provider that a removal does not touch, since nobody ever signed in with
them: recorded for the person, and not linked.

Whoever has the password still signs in there. So the removal says that they are open until a look
shows their end; what bears the mark of our own approval is removed by a further plan.

See docs/decisions/0048-what-the-headline-of-a-removal-says.md.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from allauth.socialaccount.models import SocialAccount
from django.db import transaction

from workspace_manager.access.administrators import refuse_former
from workspace_manager.audit.note import note
from workspace_manager.contract.connector import Change
from workspace_manager.contract.message import Message
from workspace_manager.contract.message import Person as Named
from workspace_manager.core.account_link import PROVIDER
from workspace_manager.core.clock import database_now
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.refusal import Refused
from workspace_manager.engine.plan import PlanDocument, PlannedChange, PlannedStep
from workspace_manager.engine.policy import with_policies
from workspace_manager.engine.rows import begin, store
from workspace_manager.engine.supersede import outdate
from workspace_manager.records.models import Person, Plan, Registration
from workspace_manager.removal import (
    step1_stop_notebook,
    step2_resolve_identity,
    step3_remove_drive_account,
    step4_remove_identity,
)
from workspace_manager.removal.capture import CapturedPerson
from workspace_manager.removal.messages import message

KIND: Final = "removal.account"
"""The further plan. Its `about` is the id of the removal that left the account."""
USER: Final = "identity_provider.user"
CAPTURED: Final = "left_accounts"
"""Under this name a removal keeps the ids that it does not touch, each with our mark or ""."""
STEPS: Final = (
    step1_stop_notebook.step,
    step2_resolve_identity.step,
    step3_remove_drive_account.step,
    step4_remove_identity.step,
)


def of_records(captured: CapturedPerson) -> Mapping[str, str]:
    """What the document keeps: accounts recorded for somebody without account link. The mark is
    that of the approval that made the account; "" for what was there before.
    """
    known = () if captured.sub else captured.recorded(USER)
    if not known:
        return {}
    made = Registration.objects.filter(
        username=captured.username, sub__in=known, claim__gt=0
    ).values_list("sub", "mark")
    marks = dict(made)
    return {CAPTURED: json.dumps({sub: marks.get(sub, "") for sub in known}, sort_keys=True)}


def in_words(captured: CapturedPerson) -> list[Message]:
    """What the preview says of them."""
    marked = json.loads(of_records(captured).get(CAPTURED, "{}"))
    person = Named(person=captured.username)
    ours = ", ".join(sub for sub, mark in marked.items() if mark)
    others = ", ".join(sub for sub, mark in marked.items() if not mark)
    return [
        *([message("by_hand.left_marked", subs=ours, person=person)] if ours else []),
        *([message("by_hand.not_linked", subs=others, person=person)] if others else []),
    ]


@dataclass(frozen=True)
class RemovalRemainder:
    """What a removal that has ended left. `open`: ids that nothing has shut yet, each with our mark
    or ""; `plans`: the further plans that run or ended.
    """

    open: Mapping[str, str]
    plans: tuple[Plan, ...]

    @property
    def offered(self) -> dict[str, str]:
        """Those that bear our mark: a further plan removes them."""
        return {sub: mark for sub, mark in self.open.items() if mark}

    @property
    def running(self) -> Plan | None:
        return next((plan for plan in self.plans if plan.state in Plan.OPEN), None)


def left_by(plan: Plan) -> RemovalRemainder | None:
    """None where every account was linked. One that was linked or approved here since is somebody
    else's, and opens nothing of this person's.
    """
    kept: dict[str, str] = json.loads(plan.document.get("captured", {}).get(CAPTURED, "{}"))
    if not kept:
        return None
    states = (*Plan.OPEN, Plan.State.DONE)
    rows = Plan.objects.filter(kind=KIND, about=str(plan.id), state__in=states)
    plans = tuple(rows.order_by("-created_at"))
    over = {one.document["sub"] for one in plans if one.state == Plan.State.DONE}
    still = {sub: mark for sub, mark in kept.items() if sub not in over and not is_taken(sub)}
    return RemovalRemainder(still, plans)


def is_taken(sub: str) -> bool:
    """Whether it is somebody's who is here, or was approved."""
    return (
        SocialAccount.objects.filter(provider=PROVIDER, uid=sub).exists()
        or Registration.objects.filter(sub=sub, status=Registration.Status.APPROVED).exists()
    )


def draft_left(plan: Plan, *, actor: str, systems: ConnectedSystems) -> Plan:
    """Make the further plan of a removal that has ended, to look at. Raises Refused."""
    with transaction.atomic():
        refuse_former(actor)
        removal = Plan.objects.select_for_update().get(id=plan.id)
        left = left_by(removal)
        if left and left.running:
            raise Refused(message("left_dealt_with"), plan=str(left.running.id))
        if removal.state != Plan.State.DONE or not left or not left.offered:
            raise Refused(message("nothing_left"), plan=str(removal.id))
        outdate(Plan.objects.filter(kind=KIND, about=str(removal.id)))
        sub, mark = next(iter(left.offered.items()))
        made = store(_document(removal, sub, mark, systems), actor=actor)
        note("removal:drafted", removal.person, actor=actor, plan=str(made.id))
    return made


def approve_left(plan: Plan, *, digest: str, actor: str) -> Plan:
    """Start a further plan as it was shown; again while it runs: nothing. Raises Refused."""
    with transaction.atomic():
        refuse_former(actor)
        row = Plan.objects.select_for_update().get(id=plan.id, kind=KIND)
        if row.digest != digest:
            raise Refused(message("not_as_shown"))
        if row.state in {*Plan.OPEN, Plan.State.DONE}:
            return row
        if row.state != Plan.State.DRAFT:
            raise Refused(message("plan_is", state=row.state))
        if is_taken(row.document["sub"]):
            raise Refused(message("nothing_left"))
        begin(row, actor=actor, now=database_now())
        note("removal:approved", row.person, actor=actor, plan=str(row.id), digest=digest, added=0)
    row.refresh_from_db()
    return row


def _document(removal: Plan, sub: str, mark: str, systems: ConnectedSystems) -> PlanDocument:
    """The steps of a removal that an account link would have given, about nobody who is here."""
    captured = CapturedPerson(
        person=Person(username=removal.person),
        subject="",
        username=removal.person,
        sub=sub,
        accounts={},
        systems=systems,
    )
    steps = tuple(_about_nobody(step(captured), removal.person, mark) for step in STEPS)
    return PlanDocument(
        kind=KIND,
        person=removal.person,
        subject="",
        sub=sub,
        about=str(removal.id),
        steps=with_policies(steps, systems),
        captured={
            name: text
            for name, text in removal.document.get("captured", {}).items()
            if name in {"email", "full_name"}
        },
    )


def _about_nobody(step: PlannedStep, username: str, mark: str) -> PlannedStep:
    changes = tuple(
        planned.model_copy(update={"change": _held(planned, username, mark)})
        for planned in step.changes
    )
    return step.model_copy(update={"changes": changes})


def _held(planned: PlannedChange, username: str, mark: str) -> Change:
    """A notebook is known by the name alone: left alone once the name is somebody else's. The user
    is deleted only if it bears our mark.
    """
    change = planned.change
    if change.kind == step1_stop_notebook.KIND:
        return change.model_copy(update={"note": username})
    if change.kind == USER and change.after is None:
        return change.model_copy(update={"target": {**change.target, "mark": mark}})
    return change
