"""The headline of a removal or suspension that has ended, from the worst of its credentials.

Page, REST, command line, letter and inbox use this one function.

See docs/decisions/0048-what-the-headline-of-a-removal-says.md.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Final

from workspace_manager.contract.message import Message, quote_words
from workspace_manager.contract.message import Person as Named
from workspace_manager.contract.messages import join_messages
from workspace_manager.core.connected_systems import label_of
from workspace_manager.core.timestamps import in_utc
from workspace_manager.core.views import as_text
from workspace_manager.engine.extras import (
    CredentialView,
    HeadlineView,
    LeftAccountView,
    PlanExtras,
    message_view,
)
from workspace_manager.engine.headline import headline, manual_steps
from workspace_manager.records.models import Plan, PlanStep
from workspace_manager.removal import end_of_access
from workspace_manager.removal.credential_ends import (
    ABSENT,
    BY_HAND,
    ENDED,
    NOT_SHOWN,
    OPEN,
    PENDING,
)
from workspace_manager.removal.draft import ends_at
from workspace_manager.removal.left_account import RemovalRemainder, left_by
from workspace_manager.removal.messages import message
from workspace_manager.systems import registry

NO_STEP: Final = ("removal.proof.no_step", "removal.proof.nothing_recorded")
REMOVAL, SUSPENSION = "removal", "suspension"
UNTIL, DONE = "until", "done"
WORST_FIRST: Final = (OPEN, BY_HAND, NOT_SHOWN, PENDING, UNTIL)
LEFT_ACCOUNT: Final = "left_account"
IDENTITY_PROVIDER: Final = "identity_provider"
OTHERS: Final = {
    "manager_session": "records",
    "api_token": "records",
    "service_key": "records",
    "access_token": "drive",
    LEFT_ACCOUNT: IDENTITY_PROVIDER,
}
"""Credentials that no system declares; what is left of them opens with the identity."""


def extras(plan: Plan, steps: Sequence[PlanStep]) -> PlanExtras:
    """Return what a removal shows besides its steps."""
    shown = end_of_access.extras(plan, steps)
    found = left_by(plan) if plan.state == Plan.State.DONE else None
    kept = _with_left(shown.end_of_access, found)
    return shown.model_copy(
        update={
            "end_of_access": kept,
            "headline": removal_headline(plan, steps, kept),
            "left_account": _offered(found),
            "ends_at": ends_at(plan) if plan.state == Plan.State.DRAFT else None,
        }
    )


def removal_headline(
    plan: Plan, steps: Sequence[PlanStep], kept: Sequence[CredentialView], story: str = REMOVAL
) -> HeadlineView | None:
    """Return the headline; None before the plan has ended."""
    if plan.state != Plan.State.DONE:
        return None
    name = Named(person=plan.person)
    for state in WORST_FIRST:
        lines = [one for one in kept if _standing(one) == state]
        if not lines:
            continue
        if state == UNTIL:
            last = max(datetime.fromisoformat(one.until) for one in lines if one.until)
            text = message(f"headline.{story}.until", name=name, until=last)
            return headline(UNTIL, text)
        if state in {PENDING, NOT_SHOWN} and manual_steps(steps):
            break
        systems = join_messages(list(dict.fromkeys(_where(lines))), by=", ")
        return headline(state, message(f"headline.{story}.{state}", name=name, systems=systems))
    if manual_steps(steps):
        return headline(BY_HAND, message(f"headline.{story}.left", name=name))
    return headline(DONE, message(f"headline.{story}.done", name=name, total=len(steps)))


def _standing(one: CredentialView) -> str:
    """Return a credential's state; one that ends by itself at a known moment is not open for
    good.
    """
    return UNTIL if one.state == OPEN and one.until else one.state


def _where(lines: Iterable[CredentialView]) -> Iterator[Message]:
    known = {one.name: spec.name for spec in registry().specs.values() for one in spec.credentials}
    for one in lines:
        if one.credential in known or one.credential in OTHERS or not one.label_message:
            name = known.get(one.credential) or OTHERS.get(one.credential) or IDENTITY_PROVIDER
            yield label_of(name)
        else:
            yield quote_words(one.label_message)


def extras_of_further(plan: Plan, steps: Sequence[PlanStep]) -> PlanExtras:
    """Return what the further plan of a remaining account shows besides its steps."""
    plan.subject_is_here = False
    shown = end_of_access.extras(plan, steps)
    ends = ends_at(plan) if plan.state == Plan.State.DRAFT else None
    kept = tuple(_of_account(shown.end_of_access))
    return shown.model_copy(update={"end_of_access": kept, "ends_at": ends})


# --- the account that was left ------------------------------------------------------------------


def _offered(found: RemovalRemainder | None) -> LeftAccountView | None:
    if found is None or not found.open:
        return None
    running = found.running
    return LeftAccountView(
        system=IDENTITY_PROVIDER,
        names=tuple(found.open),
        offered=bool(found.offered) and running is None,
        plan=str(running.id) if running else None,
    )


def _with_left(
    kept: Sequence[CredentialView], found: RemovalRemainder | None
) -> tuple[CredentialView, ...]:
    """Add a line for the remaining account, with the findings of its further plan."""
    if found is None:
        return tuple(kept)
    shown = {
        one.credential: one
        for plan in found.plans
        if plan.state == Plan.State.DONE
        for one in _shown_by(plan)
        if one.state in {ENDED, ABSENT}
    }
    lines = [shown.get(one.credential, one) if one.state == NOT_SHOWN else one for one in kept]
    return (*lines, *_line(found))


def _shown_by(plan: Plan) -> Iterator[CredentialView]:
    """Yield what the checks of a further plan show about the account's credentials."""
    plan.subject_is_here = False
    steps = list(PlanStep.objects.filter(plan=plan).order_by("n").prefetch_related("changes"))
    yield from _of_account(end_of_access.end_of_access(plan, steps))


def _of_account(kept: Iterable[CredentialView]) -> Iterator[CredentialView]:
    """Yield the lines that such a plan has steps for."""
    for one in kept:
        code = one.text_message.code if one.text_message else ""
        if OTHERS.get(one.credential) != "records" and code not in NO_STEP:
            yield one


def _line(found: RemovalRemainder) -> Iterator[CredentialView]:
    done = [plan for plan in found.plans if plan.state == Plan.State.DONE]
    if found.running:
        names = found.running.document["sub"]
        state, text, at = PENDING, message("left.running", subs=names), None
    elif found.open:
        state, text, at = OPEN, message("left.open", subs=", ".join(found.open)), None
    elif done:
        names = ", ".join(plan.document["sub"] for plan in done)
        state, text, at = ENDED, message("left.removed", subs=names), done[0].finished_at
    else:
        return
    yield CredentialView(
        credential=LEFT_ACCOUNT,
        label=as_text(message("left.label")),
        label_message=message_view(message("left.label")),
        state=state,
        text=as_text(text),
        text_message=message_view(text),
        at=in_utc(at),
        until=None,
    )
