"""Accounts at the identity provider that a removal does not touch: they are recorded for the person
but not linked, since nobody ever signed in with them.

Their password still works there, so the removal calls them open until a check shows their end. An
account with the mark of our own approval is removed by a further plan.

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
from workspace_manager.core.states import state_of
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
"""The document's key for the ids that a removal does not touch, each with our mark or ""."""
STEPS: Final = (
    step1_stop_notebook.step,
    step2_resolve_identity.step,
    step3_remove_drive_account.step,
    step4_remove_identity.step,
)


def of_records(captured: CapturedPerson) -> Mapping[str, str]:
    """Return the accounts recorded for a person without account link, each with the mark of the
    approval that made it; "" for accounts that existed before.
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
    """Return remarks on them for the preview."""
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
    """The accounts that a finished removal left. `open` holds the ids that nothing has shut yet,
    each with our mark or ""; `plans` the further plans.
    """

    open: Mapping[str, str]
    plans: tuple[Plan, ...]

    @property
    def offered(self) -> dict[str, str]:
        """The open accounts with our mark, which a further plan can remove."""
        return {sub: mark for sub, mark in self.open.items() if mark}

    @property
    def running(self) -> Plan | None:
        return next((plan for plan in self.plans if plan.state in Plan.OPEN), None)


def left_by(plan: Plan) -> RemovalRemainder | None:
    """Return the accounts left; None if every account was linked. An account that was linked or
    approved here since belongs to somebody else.
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
    """Return whether the account belongs to a present or approved person."""
    return (
        SocialAccount.objects.filter(provider=PROVIDER, uid=sub).exists()
        or Registration.objects.filter(sub=sub, status=Registration.Status.APPROVED).exists()
    )


def draft_left(plan: Plan, *, actor: str, systems: ConnectedSystems) -> Plan:
    """Draft the further plan of a removal that has ended. Raises Refused."""
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
    """Start a further plan as it was shown; does nothing while it runs. Raises Refused."""
    with transaction.atomic():
        refuse_former(actor)
        row = Plan.objects.select_for_update().get(id=plan.id, kind=KIND)
        if row.digest != digest:
            raise Refused(message("not_as_shown"))
        if row.state in {*Plan.OPEN, Plan.State.DONE}:
            return row
        if row.state != Plan.State.DRAFT:
            raise Refused(message("plan_is", state=state_of(row.state)))
        if is_taken(row.document["sub"]):
            raise Refused(message("nothing_left"))
        begin(row, actor=actor, now=database_now())
        note("removal:approved", row.person, actor=actor, plan=str(row.id), digest=digest, added=0)
    row.refresh_from_db()
    return row


def _document(removal: Plan, sub: str, mark: str, systems: ConnectedSystems) -> PlanDocument:
    """Build the steps that an account link would have given, without a person as the subject."""
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
    """Limit a change to what is still the removed person's: a notebook while the name is free, a
    user with our mark.
    """
    change = planned.change
    if change.kind == step1_stop_notebook.KIND:
        return change.model_copy(update={"note": username})
    if change.kind == USER and change.after is None:
        return change.model_copy(update={"target": {**change.target, "mark": mark}})
    return change
