"""The health collector: looks at every system each minute without a credential and every quarter of
an hour with ours, runs its check, and saves its state.

One host asks (a lock), each system has a schedule of its own, and no web process asks. Failed calls
elsewhere only bring the next look forward: this module alone decides the state.

See docs/explanation/health.md.
"""

import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.db import transaction

from workspace_manager.audit.note import MANAGER
from workspace_manager.contract import failure_reports
from workspace_manager.contract.connector import Severity
from workspace_manager.contract.deadline import moment
from workspace_manager.contract.message import Message
from workspace_manager.contract.slots import RETRY_S, Busy
from workspace_manager.core import wake
from workspace_manager.core.clock import database_now
from workspace_manager.core.connected_systems import OURS, ConnectedSystems
from workspace_manager.core.locks import lock
from workspace_manager.engine import pause
from workspace_manager.operations import checks, health_findings, health_strip
from workspace_manager.operations.health_calls import LookResult, ask, prove
from workspace_manager.operations.health_moments import is_check_due, is_look_due, jittered
from workspace_manager.operations.health_state import (
    HealthVerdict,
    State,
    Teller,
    decide,
    decide_by_proof,
)
from workspace_manager.records.models import Health, SystemStatus
from workspace_manager.systems import registry

MOMENT_S: Final = 10
AGAIN: Final = {
    "look_at": ("looked_at", timedelta(seconds=MOMENT_S)),
    "prove_at": ("proven_at", timedelta(seconds=60)),
    "check_at": ("tried_at", timedelta(seconds=60)),
}
"""The shortest time since the last look, to which failed calls can bring the next one forward."""
IN_VAIN: Final = timedelta(seconds=60)
"""The delay after an unanswered call with our credential; it grows as the failure lasts."""
FAILING: Final = timedelta(minutes=5)
"""The delay after a failed check, so that a repair shows soon."""
WHOLE: Final = {wake.REFUSED, wake.SETTINGS, wake.RESUMED}
"""Reasons that make the whole check due: a look alone would not find the cause."""


def due_systems(now: Callable[[], datetime] = database_now) -> list[str]:
    """Return the systems that are due."""
    if not settings.HEALTH_LOOK_SECONDS:
        return []
    at = now()
    names = registry().names()
    rows = Health.objects.in_bulk(names)
    return [name for name in names if name not in rows or is_look_due(rows[name].look_at, at)]


def bring_forward(name: str, *, why: str, now: Callable[[], datetime] = database_now) -> None:
    """Bring forward what is due of one system. `why`: one of `core.wake`."""
    if name in OURS:  # Our own tables need no look; the snapshot store has its own.
        return
    at = now()
    row, _ = Health.objects.get_or_create(system=name, defaults={"since": at})
    columns: dict[str, Any] = {}
    for due_at, (last, wait) in AGAIN.items():
        if due_at == "check_at" and why not in WHOLE:
            continue
        before = getattr(row, last)
        wait = wait if why in {wake.TROUBLE, wake.REFUSED} else timedelta(0)
        wanted = max(at, before + wait) if before and before <= at else at
        if getattr(row, due_at) is None or getattr(row, due_at) > wanted:
            columns[due_at] = wanted
    if columns:
        if row.asked_for != wake.SETTINGS:  # These wait for their check, whatever else happens.
            columns["asked_for"] = why
        Health.objects.filter(system=name).update(**columns)


def look(
    name: str, systems: ConnectedSystems, *, now: Callable[[], datetime] = database_now
) -> float | None:
    """Look at one system if it is due and nobody else does. Return the seconds until the next look;
    None without a look. No transaction is open meanwhile.
    """
    if not settings.HEALTH_LOOK_SECONDS or name in OURS:
        return None
    with lock(f"health:{name}", token=uuid.uuid4().hex) as held, failure_reports.suppress_reports():
        if held is None:
            return None
        row, _ = Health.objects.get_or_create(system=name, defaults={"since": now()})
        if not is_look_due(row.look_at, now()):
            return None
        one = _Look(name, systems, row, now)
        found = one.found()
        return one.keep(found) if found else one.put_off()


@dataclass
class _Look:
    name: str
    systems: ConnectedSystems
    row: Health
    now: Callable[[], datetime]
    columns: dict[str, Any] = field(default_factory=dict)
    """Columns to save at the end."""
    due: dict[str, datetime | None] = field(init=False)
    """What was due when the look began."""

    def __post_init__(self) -> None:
        self.due = {name: getattr(self.row, name) for name in AGAIN}

    def found(self) -> HealthVerdict | None:
        """Return the state; None if it could not be asked now: all slots were taken, or it was set
        up a moment ago.
        """
        if self.name not in self.systems.by_name:
            # A connection from before its settings were stored says nothing about it.
            return None if checks.is_just_set_up(self.name, self.systems) else self._unconnected()
        status = SystemStatus.objects.filter(system=self.name, paused=True).first()
        its = self.systems.settings[self.name]
        if status and not pause.resume_if_changed(self.name, its, actor=MANAGER):
            return HealthVerdict(State.PAUSED, status.reason, Teller.PAUSE)
        answered = None if self._spares_looks() else ask(self.name, self.systems)
        if answered is not None:
            if isinstance(answered.error, Busy):
                return None
            if answered.error is not None:
                return HealthVerdict(State.DOWN, answered.error.message, Teller.LOOK)
            self._note_answer(answered)
            self._tell_of_slowness(answered)
        back = answered is not None and self.row.state == State.DOWN
        refused = self._prove(answered, at_once=back)
        if refused is not None:
            return HealthVerdict(State.PAUSED, refused, Teller.PROOF)
        if not (answered is None and self.row.proof_cause == "unavailable"):
            self._check(at_once=back)
        failing = health_findings.first_failing(self.name)
        if answered is None:
            return decide_by_proof(self.row, failing=failing)
        return decide(self.row, limits=answered.limits, failing=failing)

    def _spares_looks(self) -> bool:
        spec = registry().specs[self.name]
        return spec.look_counts and self.row.proof_cause == "unavailable"

    def _unconnected(self) -> HealthVerdict:
        """Return the state without a connection. Unusable settings are findings all the same."""
        self._set(proof_reason=None, proof_cause="", latency_ms=None)
        if is_check_due(self.row.check_at, self.now()):
            found = checks.findings(self.name, self.systems)
            failing = [one for one in found if one.severity == Severity.FAILING]
            health_findings.record_findings(self.name, failing, self.now())
            wait = jittered(settings.HEALTH_CHECK_MINUTES * 60)
            self._set(tried_at=self.now(), check_at=self.now() + wait)
        if self.name in registry().specs:
            why = checks.why_not(self.name, self.systems)
            return HealthVerdict(State.NOT_ASKED, why, Teller.SETTINGS)
        first = health_findings.first_failing(self.name)
        return HealthVerdict(State.NOT_ASKED, first.message if first else None, Teller.SETTINGS)

    def _tell_of_slowness(self, answered: LookResult) -> None:
        """Save at once that it became slow: the calls of a check then take minutes."""
        found = decide(self.row, limits=answered.limits, failing=None)
        if self.row.state != State.UP or found.state == State.UP:
            return
        at = self.now()
        told: dict[str, Any] = {
            "state": found.state,
            "reason": found.reason,
            "told_by": found.told_by,
            "since": at,
            "looked_at": at,
            "counted_at": at,
        }
        with transaction.atomic():
            health_strip.count(self.name, self.row.state, self.row.counted_at, at)
            Health.objects.filter(system=self.name).update(**told)
        self._set(**told)

    def _note_answer(self, answered: LookResult) -> None:
        self._set(answered_at=self.now(), latency_ms=round(answered.seconds * 1000))

    def _prove(self, answered: LookResult | None, *, at_once: bool) -> Message | None:
        """Call with our credential if due; return why it is refused. A refusal pauses the system,
        and the credential is sent again only after a change or an order.
        """
        if not at_once and not is_check_due(self.row.prove_at, self.now()):
            return None
        begun, looked = moment(), bool(registry().specs[self.name].look)
        error, refused = prove(self.name, self.systems, rights=looked)
        if isinstance(error, Busy):
            return None
        at, wait = self.now(), jittered(settings.HEALTH_PROOF_MINUTES * 60)
        cause = type(error).__name__.lower() if error else ""
        if cause == "unavailable" and looked:
            lasts = at - self.row.since if self.row.proof_cause == cause else IN_VAIN
            wait = min(wait, max(IN_VAIN, lasts))
        self._set(
            proven_at=at,
            prove_at=at + wait,
            proof_reason=error.message if error else None,
            proof_cause=cause,
        )
        if answered is None and error is None:
            self._set(answered_at=at, latency_ms=round((moment() - begun) * 1000))
        if error is None or not refused:
            return None
        its = self.systems.settings[self.name]
        pause.pause(self.name, actor=MANAGER, reason=error.message, refused=its)
        self._set(proof_reason=None, proof_cause="")
        return error.message

    def _check(self, *, at_once: bool) -> None:
        """Run the whole check if due; it opens and closes findings."""
        if not at_once and not is_check_due(self.row.check_at, self.now()):
            return
        try:
            asked = self.row.asked_for == wake.SETTINGS
            found = checks.check_and_keep(
                self.name, self.systems, actor="", asked=asked, now=self.now
            )
        except Busy:
            return
        wait = jittered(settings.HEALTH_CHECK_MINUTES * 60)
        if any(one.severity == Severity.FAILING for one in found):
            wait = min(wait, FAILING)
        self._set(tried_at=self.now(), check_at=self.now() + wait)

    def _set(self, **columns: Any) -> None:
        self.columns |= columns
        for name, value in columns.items():
            setattr(self.row, name, value)

    def keep(self, found: HealthVerdict) -> float:
        """Save the state, count the time since the last look, and wake what waited for the
        system.
        """
        at, before = self.now(), self.row.state
        wait = self._wait(at)
        changed = found.state != before or self.row.looked_at is None
        with transaction.atomic():
            health_strip.count(self.name, before, self.row.counted_at, at)
            moved = Health.objects.select_for_update().get(system=self.name)
            # What another process brought forward meanwhile is still due, perhaps after this look.
            meanwhile = {
                name: getattr(moved, name)
                for name, due_at in self.due.items()
                if getattr(moved, name) != due_at
            }
            unchecked = is_check_due(meanwhile.get("check_at", self.row.check_at), at)
            self.columns |= {
                "state": found.state,
                "reason": found.reason,
                "told_by": found.told_by,
                "since": at if changed else self.row.since,
                "looked_at": at,
                "asked_for": moved.asked_for if unchecked else "",
                "counted_at": at,
                **meanwhile,
                "look_at": min([at + wait, *meanwhile.values()]),
            }
            for name, value in self.columns.items():
                setattr(moved, name, value)
            moved.save(update_fields=list(self.columns))
            if before == State.DOWN and found.state in {State.UP, State.DEGRADED}:
                pause.make_plans_due(self.name, causes=("unavailable",))
        return max(0.0, ((moved.look_at or at) - at).total_seconds())

    def _wait(self, at: datetime) -> timedelta:
        """Return the time until the next look, or until what else is due sooner."""
        times = [at + jittered(settings.HEALTH_LOOK_SECONDS)]
        times += [one for one in (self.row.prove_at, self.row.check_at) if one and one > at]
        return max(min(times) - at, timedelta(seconds=1))

    def put_off(self) -> float:
        """Try again soon: being unable to ask says nothing about the system."""
        Health.objects.filter(system=self.name).update(
            look_at=self.now() + timedelta(seconds=RETRY_S)
        )
        return RETRY_S
