"""Conditions at the moment something is sent: checked in that very transaction, never by values
that were read earlier.
"""

import contextlib
from collections.abc import Iterator
from datetime import datetime

from django.db import connection, transaction

from workspace_manager.contract.connector import Change
from workspace_manager.contract.errors import Invalid, Unavailable
from workspace_manager.contract.message import Person as Named
from workspace_manager.engine.lease import lock_person
from workspace_manager.engine.messages import message
from workspace_manager.engine.pause import refuse_paused, refuse_unless_called
from workspace_manager.engine.plan_run import PlanRun
from workspace_manager.records.models import Person, PlanStep
from workspace_manager.systems import gives


class EndedByHand(Exception):
    """A person ended the step just now; nothing more of it is done."""


class HeldBySuspension(Unavailable):
    """Not a sixth reaction: nothing is given to somebody who is suspended; what would be given
    waits until the person is back.
    """


@contextlib.contextmanager
def guard_write(
    run: PlanRun, change: Change, written: Change, step: PlanStep | None
) -> Iterator[datetime]:
    """Write in one transaction in which all of this holds, with the lease renewed; gives the
    database's time.

    The lease stands, nobody ended the step, the system is not paused, the person may be given or
    spared this, and what is wanted is still what `change` says; `written`: the change as it stands
    in the journal. Raises LeaseLost, EndedByHand, and Unavailable or Invalid with what does not
    hold.
    """
    with transaction.atomic():
        # Lock order: people, then plans; otherwise a story that has locked the person and stops the
        # plan deadlocks with us.
        own = change.subject == run.lease.subject
        other = None if own or not change.subject else lock_person(change.subject)
        with run.lease.writing() as now:
            _refuse_ended(change, step)
            refuse_for(change, run.lease.person_state if own else other)
            if not run.kind.may_act(change) or run.kind.desired(written).after != change.after:
                raise Unavailable(
                    message("wanted_otherwise"),
                    kind=change.kind,
                    doing=message("doing.looking"),
                    retry_after=0,
                )
            yield now


def _refuse_ended(change: Change, step: PlanStep | None) -> None:
    """Asked when the plan's row is locked: whoever ends a step locks it too."""
    if step is None:
        refuse_paused(change.kind)
        return
    with connection.cursor() as cursor:
        cursor.execute(_ASKED, [change.system, True, step.id])
        state, silent = cursor.fetchone()
    if silent:
        refuse_paused(change.kind)
    if state in PlanStep.ENDED:
        raise EndedByHand


# Written out: it is asked for every change, and composing it takes longer than answering it.
_ASKED = (
    "SELECT state, EXISTS (SELECT 1 FROM records_systemstatus WHERE system = %s AND paused = %s)"
    " FROM records_planstep WHERE id = %s"
)


def refuse_now(run: PlanRun, change: Change) -> None:
    """Refuse as far as the conditions are known without a look, so that a paused system is not even
    looked at.
    """
    refuse_unless_called(change.kind, run.paused)
    known = change.subject == run.lease.subject
    refuse_for(change, run.lease.person_state if known else _state(change.subject))


def _state(person_id: str) -> str | None:
    rows = Person.objects.filter(id=person_id) if person_id else Person.objects.none()
    return rows.values_list("state", flat=True).first()


def refuse_for(change: Change, state: str | None) -> None:
    """Ask whether this may happen to a person in this state; None when nobody is there any more."""
    if not change.subject:
        return
    if state is None:
        # By now the names may be somebody else's.
        raise Invalid(
            message("person_gone"),
            kind=change.kind,
            doing=message("doing.changing_access"),
            advice=message("person_gone.advice"),
        )
    if state == Person.State.ACTIVE or not gives(change):
        return
    if state == Person.State.LEAVING:
        raise Invalid(
            message("person_leaving"),
            kind=change.kind,
            doing=message("doing.giving_access"),
            advice=message("person_leaving.advice"),
        )
    if state == Person.State.SUSPENDED:
        name = Person.objects.values_list("username", flat=True).get(id=change.subject)
        raise HeldBySuspension(
            message("person_suspended", person=Named(person=name)),
            kind=change.kind,
            doing=message("doing.giving_access"),
            advice=message("person_suspended.advice"),
        )
