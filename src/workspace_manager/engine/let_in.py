"""Nothing is given to somebody whom the identity provider does not let in: asked before each change
that gives, unless the last answer is fresh.
"""

from datetime import timedelta

from django.db.models import Q

from workspace_manager.access import provider_state
from workspace_manager.access.provider_state import State
from workspace_manager.contract.connector import Change
from workspace_manager.contract.errors import Invalid, Unavailable
from workspace_manager.contract.message import Person as Named
from workspace_manager.contract.system import IDENTITY
from workspace_manager.core.clock import database_now
from workspace_manager.engine.messages import message
from workspace_manager.engine.plan_run import PlanRun
from workspace_manager.engine.rows import change_of
from workspace_manager.records.models import Person, Plan, PlanChange
from workspace_manager.systems import gives, registry

AGAIN_S = 60.0
"""When somebody who is disabled is asked for again: letting in again there wakes nobody here."""
SOON_S = 2.0
"""The same while the manager itself lets the person in again."""


def refuse_shut_out(run: PlanRun, change: Change) -> None:
    """Raise Unavailable for somebody who is disabled there or cannot be asked for, Invalid for
    somebody who is gone: that does not pass by itself.

    A "no" is asked for afresh: what lets in again may be an earlier change of this very plan.
    """
    if not change.subject or not gives(change) or _lets_in(change):
        return
    sub, said = provider_state.linked(change.subject)
    if not sub or not run.systems.has_identity_provider:
        return
    if said and said.state == State.ENABLED and provider_state.is_good(said.answered_at):
        return
    state = _asked(run, sub)
    if state == State.ENABLED:
        return
    name = Named(person=Person.objects.values_list("username", flat=True).get(id=change.subject))
    if state == State.GONE:
        raise Invalid(
            message("gone_there", person=name),
            kind=change.kind,
            doing=message("doing.giving_access"),
            advice=message("gone_there.advice"),
        )
    raise Unavailable(
        message("disabled_there", person=name),
        kind=change.kind,
        doing=message("doing.giving_access"),
        advice=message("disabled_there.advice"),
        retry_after=SOON_S if _is_being_let_in(change.subject) else AGAIN_S,
    )


def _is_being_let_in(subject: str) -> bool:
    """Return whether a plan of the person opens the account there, or has just done so."""
    # That it is about to be opened is a state of the plans: the provider says still disabled.
    just_now = database_now() - timedelta(seconds=AGAIN_S)
    plans = Plan.objects.filter(
        Q(state__in=Plan.OPEN) | Q(finished_at__gt=just_now), subject=subject
    )
    changes = map(change_of, PlanChange.objects.filter(step__plan__in=plans))
    return any(_lets_in(change) and gives(change) for change in changes)


def _asked(run: PlanRun, sub: str) -> str:
    provider = run.systems.identity_provider().name
    if provider in run.paused:
        raise Unavailable(
            message("not_asked", reason=run.paused[provider]),
            kind=provider,
            doing=message("doing.giving_access"),
            advice=message("not_asked.advice"),
        )
    return provider_state.ask(sub, run.systems)


def _lets_in(change: Change) -> bool:
    """Return whether this is the account there itself, which a person decided to open again."""
    spec = registry().specs.get(change.system)
    kind = spec.kind(change.kind) if spec else None
    return bool(spec and kind and IDENTITY in spec.provides and kind.holds_account)
