"""Views of a system's health, for REST, pages and the command line."""

from typing import Annotated, Final

from workspace_manager.contract.member_description import SystemName, When, describe
from workspace_manager.core.clock import database_now
from workspace_manager.core.views import SAID, CodedMessage, View, as_data
from workspace_manager.operations.health_findings import read
from workspace_manager.operations.health_state import SystemHealth, read_health
from workspace_manager.operations.health_strip import Span, days, hours
from workspace_manager.operations.system_views import say_finding
from workspace_manager.records.models import Health, HealthFinding

MOST_CLOSED: Final = 50


class SpanView(View):
    """The seconds that a system spent in each state during one hour or day. `gap`: seconds of
    unknown state.
    """

    begins: Annotated[When, describe("When the hour or the day of UTC began.")]
    up: Annotated[int, describe("Seconds in which it answered as it should.", 86340)]
    degraded: Annotated[int, describe("Seconds in which it worked in part.", 0)]
    down: Annotated[int, describe("Seconds in which it was not available.", 60)]
    paused: Annotated[int, describe("Seconds in which it was paused.", 0)]
    not_asked: Annotated[int, describe("Seconds in which it could not be asked.", 0)]
    gap: Annotated[int, describe("Seconds of which nobody knows, up to now.", 0)]


class LastingFindingView(View):
    """A finding, from when it was first seen until a check no longer sees it."""

    name: Annotated[str, describe("What was looked for.", "rights")]
    severity: Annotated[str, describe("`warning` or `failing`.", "failing")]
    text: Annotated[str, SAID, describe("What was found.", "The account is no administrator.")]
    text_message: Annotated[CodedMessage | None, as_data("text")] = None
    remedy: Annotated[
        str, SAID, describe("What to do about it.", "Make it a member of the group admin.")
    ]
    remedy_message: Annotated[CodedMessage | None, as_data("remedy")] = None
    first_seen: Annotated[When, describe("When a check saw it first.")]
    last_seen: Annotated[When, describe("When a check saw it last.")]
    closed_at: Annotated[When | None, describe("When a check saw it no more; null while it lasts.")]


class HealthStateView(View):
    """The current state of a system."""

    name: Annotated[SystemName, describe("What the system is called in addresses and commands.")]
    state: Annotated[
        str, describe("`up`, `degraded`, `down`, `paused` or `not_asked`.", "degraded")
    ]
    since: Annotated[When | None, describe("Since when it is like this.")]
    reason: Annotated[
        str | None, SAID, describe("Why it is not up; null where it is.", "it is in maintenance")
    ]
    reason_message: Annotated[CodedMessage | None, as_data("reason")] = None
    told_by: Annotated[
        str,
        describe(
            "What showed it: `look` (without a credential), `proof` (with ours), `check`, "
            "`settings` or `pause`; blank where nobody looked.",
            "look",
        ),
    ]
    answered_at: Annotated[When | None, describe("When it last answered.")]
    latency_ms: Annotated[int | None, describe("How long that took, in milliseconds.", 42)]
    looked_at: Annotated[When | None, describe("When somebody last looked.")]
    look_at: Annotated[When | None, describe("When it is looked at next.")]
    proven_at: Annotated[When | None, describe("When it was last asked with our credential.")]
    prove_at: Annotated[When | None, describe("When it is asked with our credential next.")]
    check_at: Annotated[When | None, describe("When its whole check is made next.")]


class HealthView(HealthStateView):
    """The health of a system. Without a recent look its state is `not_asked`."""

    findings: Annotated[
        list[LastingFindingView], describe("What checks find now, and then what closed lately.")
    ]
    days: Annotated[list[SpanView], describe("Day by day, today last; each is there, seen or not.")]
    hours: Annotated[list[SpanView], describe("Hour by hour of the last week.")]


def view_health(name: str) -> HealthView:
    """Return a system's state, history and findings."""
    now = database_now()
    state = view_health_state(read_health(name, now))
    return HealthView(
        **state.model_dump(),
        findings=_findings(name),
        days=[_span(one) for one in days(name, now)],
        hours=[_span(one) for one in hours(name, now)],
    )


def view_health_state(one: SystemHealth) -> HealthStateView:
    now = {"name": one.system, "state": one.state, "since": one.since, "reason": one.reason}
    return HealthStateView.from_row(one.row or Health(), **now)


def _findings(name: str) -> list[LastingFindingView]:
    rows = HealthFinding.objects.filter(system=name)
    open_ = rows.filter(closed_at=None).order_by("first_seen", "id")
    closed = rows.exclude(closed_at=None).order_by("-closed_at", "-id")[:MOST_CLOSED]
    return [
        LastingFindingView.from_row(
            row, name=found.name, severity=found.severity, **say_finding(found)
        )
        for row in [*open_, *closed]
        for found in [read(row)]
    ]


def _span(span: Span) -> SpanView:
    seconds = {state: round(value) for state, value in span.seconds.items()}
    return SpanView(begins=span.begins, gap=round(span.gap), **seconds)
