"""Systems that are not called for now: paused where our credential itself was refused, until it is
another one; or by a person, until a person resumes them.
"""

from collections.abc import Mapping, Sequence

from django.db import transaction
from django.utils import timezone

from workspace_manager.audit.note import MANAGER, note
from workspace_manager.contract.connector import System
from workspace_manager.contract.errors import ConnectorError, Denied, Unavailable
from workspace_manager.contract.message import Message, Words, quote_words
from workspace_manager.contract.settings import SystemSettings
from workspace_manager.core.clock import database_now
from workspace_manager.core.connected_systems import OURS, label_of
from workspace_manager.core.wake import PAUSED, REFUSED, RESUMED, wake_look, wake_plans
from workspace_manager.engine.messages import message
from workspace_manager.records.credential_mark import marks_of
from workspace_manager.records.models import Plan, PlanStep, SystemStatus

HELD = (PlanStep.State.WAITING, PlanStep.State.STUCK)


def paused_systems() -> dict[str, Message]:
    """Every paused system by name, and why."""
    rows = SystemStatus.objects.filter(paused=True)
    return {row.system: row.reason or quote_words("") for row in rows}


class SystemPaused(Unavailable):
    """Not a sixth reaction: the system is not called at all for now, and what needs it waits."""


def refuse_paused(kind: str) -> None:
    """Raise Paused when the system of this kind is paused."""
    refuse_unless_called(kind, paused_systems())


def refuse_unless_called(kind: str, silent: Mapping[str, Message]) -> None:
    """Raise Paused when the system of this kind is one of the `silent`."""
    system = kind.partition(".")[0]
    if system in silent:
        raise SystemPaused(
            message("paused", system=label_of(system), reason=silent[system]),
            kind=kind,
            doing=message("doing.waiting"),
            advice=message(
                "paused.advice_ours" if system in OURS else "paused.advice",
                system=label_of(system),
            ),
        )


def hold() -> None:
    """Have nothing paused or resumed until the caller's transaction ends. Taken before a plan is,
    as whoever resumes does.
    """
    list(SystemStatus.objects.select_for_update().order_by("system").values_list("system"))


def pause(system: str, *, actor: str, reason: Words, refused: SystemSettings | None = None) -> None:
    """Call a system no more until `resume`. `refused`: settings whose credential it refuses; then
    until there is another one. A person's word takes the place of the manager's.
    """
    why = quote_words(reason)
    with transaction.atomic():
        row, _ = SystemStatus.objects.select_for_update().get_or_create(system=system)
        takes_over = row.paused_by == MANAGER != actor
        if row.paused and not takes_over:
            return
        row.paused, row.paused_at, row.paused_by, row.reason = True, timezone.now(), actor, why
        if refused:
            row.refused = marks_of(refused)[0]
        row.save()
        note("system:paused", system, actor=actor, reason=why.english)
        wake_look(system, why=PAUSED)


def pause_if_refused(
    system: System | None, refusal: Denied, settings: SystemSettings | None
) -> bool:
    """Pause a system that refuses our credential itself; says whether it does. `settings`: those it
    was connected with.

    A refusal may concern one thing alone, and everything else goes on then: so the system is asked
    something that needs nothing but the credential. Without an answer nothing is proved.
    """
    if system is None:
        return False
    wake_look(system.name, why=REFUSED)
    try:
        system.prove_credential()
    except Denied:
        pause(system.name, actor=MANAGER, reason=refusal.message, refused=settings)
        return True
    except ConnectorError:
        return False
    return False


def refuses(system: str, settings: SystemSettings | None) -> SystemStatus | None:
    """Return how it was paused when it refused just this credential: it is not sent again."""
    row = SystemStatus.objects.filter(system=system, paused=True).first()
    if row is None or settings is None:
        return None
    # Without a mark it was paused by an earlier version.
    same = row.refused in marks_of(settings) if row.refused else row.paused_by == MANAGER
    return row if same else None


def resume_if_changed(
    system: str, settings: SystemSettings, *, actor: str, before: SystemSettings | None = None
) -> bool:
    """Resume a system that refused another credential than this one. `before`: the settings that
    were, for a pause from before marks were kept. What a person paused stays so.
    """
    with transaction.atomic():
        rows = SystemStatus.objects.select_for_update().filter(system=system, paused=True)
        row = rows.filter(paused_by=MANAGER).first()
        if row is None:
            return False
        refused = row.refused or (marks_of(before)[0] if before else "")
        if not refused or refused in marks_of(settings):
            return False
        resume(system, actor=actor)
    return True


def resume(system: str, *, actor: str) -> None:
    """Call it again, and wake what waited for it or was refused by it."""
    with transaction.atomic():
        row, _ = SystemStatus.objects.select_for_update().get_or_create(system=system)
        if row.paused:
            note("system:resumed", system, actor=actor)
        row.paused, row.paused_at, row.paused_by, row.reason = False, None, "", None
        row.refused = ""
        row.resumed_at = timezone.now()
        row.save()
        wake_look(system, why=RESUMED)
        make_plans_due(system)


def make_plans_due(
    system: str, *, causes: Sequence[str] = ("unavailable", "denied", "paused")
) -> None:
    """Make every open plan due that waits for this system or is stuck on its refusal; `causes`:
    of which of the two.
    """
    now = database_now()
    held = PlanStep.objects.filter(
        plan__state__in=Plan.OPEN, changes__kind__startswith=f"{system}."
    ).filter(
        state__in=HELD,
        cause__in=causes,
    )
    found = dict(held.values_list("id", "plan_id"))
    with transaction.atomic():
        # Each once more as it is when it is written: a person may end the step, a worker the plan,
        # between the look and this. One that has ended is not touched any more.
        open_ = Plan.objects.filter(id__in=set(found.values()), state__in=Plan.OPEN)
        plans = list(open_.select_for_update().order_by("id").values_list("id", flat=True))
        PlanStep.objects.filter(id__in=found, plan__in=plans, state__in=HELD).update(
            state=PlanStep.State.PENDING, next_try_at=None
        )
        Plan.objects.filter(id__in=plans).update(due_at=now)
        wake_plans(plans)
