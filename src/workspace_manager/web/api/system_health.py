"""`/systems/{name}/health`: how a system stands and stood, and what its checks find.

See docs/explanation/health.md.
"""

from typing import Annotated, Any

from django.http import Http404, HttpRequest
from ninja import Router
from pydantic import BaseModel

from workspace_manager.contract.member_description import SystemName, When, describe
from workspace_manager.contract.message import quote_words
from workspace_manager.core.clock import database_now
from workspace_manager.core.timestamps import in_utc
from workspace_manager.operations.health_findings import read
from workspace_manager.operations.health_state import SystemHealth, read_health
from workspace_manager.operations.health_strip import Span, days, hours
from workspace_manager.records.models import HealthFinding
from workspace_manager.systems import registry
from workspace_manager.web.api.auth import administrator
from workspace_manager.web.pages.translate import Coded, said

router = Router(auth=administrator)
MOST_CLOSED = 50


class SpanShown(BaseModel):
    """How many seconds of one hour or day it was how. `gap`: of which nothing is known."""

    begins: Annotated[When, describe("When the hour or the day of UTC began.")]
    up: Annotated[int, describe("Seconds in which it answered as it should.", 86340)]
    degraded: Annotated[int, describe("Seconds in which it worked in part.", 0)]
    down: Annotated[int, describe("Seconds in which it was not available.", 60)]
    paused: Annotated[int, describe("Seconds in which it was paused.", 0)]
    not_asked: Annotated[int, describe("Seconds in which it could not be asked.", 0)]
    gap: Annotated[int, describe("Seconds of which nobody knows, up to now.", 0)]


class LastingFinding(BaseModel):
    """What checks found: one thing from when it was first seen until a check sees it no more."""

    name: Annotated[str, describe("What was looked for.", "rights")]
    severity: Annotated[str, describe("`warning` or `failing`.", "failing")]
    text: Annotated[str, describe("What was found.", "The account is no administrator.")]
    text_message: Coded | None = None
    remedy: Annotated[str, describe("What to do about it.", "Make it a member of the group admin.")]
    remedy_message: Coded | None = None
    first_seen: Annotated[When, describe("When a check saw it first.")]
    last_seen: Annotated[When, describe("When a check saw it last.")]
    closed_at: Annotated[When | None, describe("When a check saw it no more; null while it lasts.")]


class HealthShown(BaseModel):
    """How one system stands. Nothing is claimed where nobody looked lately: it is `not_asked`
    then.
    """

    name: Annotated[SystemName, describe("What the system is called in addresses and commands.")]
    state: Annotated[
        str, describe("`up`, `degraded`, `down`, `paused` or `not_asked`.", "degraded")
    ]
    since: Annotated[When | None, describe("Since when it is like this.")]
    reason: Annotated[
        str | None, describe("Why it is not up; null where it is.", "it is in maintenance")
    ]
    reason_message: Coded | None = None
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
    findings: Annotated[
        list[LastingFinding], describe("What checks find now, and then what closed lately.")
    ]
    days: Annotated[
        list[SpanShown], describe("Day by day, today last; each is there, seen or not.")
    ]
    hours: Annotated[list[SpanShown], describe("Hour by hour of the last week.")]


@router.get("/{name}/health", response=HealthShown, summary="Show the health of a system")
def health(request: HttpRequest, name: str) -> dict[str, Any]:  # noqa: ARG001
    """How it stands, since when and why; what its checks find; and how it stood. It is not asked:
    the worker does that.
    """
    if name not in registry().names():
        raise Http404
    return shown(name)


def shown(name: str) -> dict[str, Any]:
    """The health of one system as an administrator sees it."""
    now = database_now()
    return {
        **state_shown(read_health(name, now)),
        "findings": _findings(name),
        "days": [_span(one) for one in days(name, now)],
        "hours": [_span(one) for one in hours(name, now)],
    }


def state_shown(one: SystemHealth) -> dict[str, Any]:
    row = one.row
    times = ("answered_at", "looked_at", "look_at", "proven_at", "prove_at", "check_at")
    return {
        "name": one.system,
        "state": one.state,
        "since": in_utc(one.since),
        **said("reason", one.reason),
        "told_by": row.told_by if row else "",
        "latency_ms": row.latency_ms if row else None,
        **{name: in_utc(getattr(row, name)) if row else None for name in times},
    }


def _findings(name: str) -> list[dict[str, Any]]:
    rows = HealthFinding.objects.filter(system=name)
    open_ = rows.filter(closed_at=None).order_by("first_seen", "id")
    closed = rows.exclude(closed_at=None).order_by("-closed_at", "-id")[:MOST_CLOSED]
    return [_finding(row) for row in [*open_, *closed]]


def _finding(row: HealthFinding) -> dict[str, Any]:
    found = read(row)
    return {
        "name": found.name,
        "severity": found.severity,
        **said("text", found.message or quote_words(found.text)),
        **said("remedy", found.remedy_message or quote_words(found.remedy)),
        "first_seen": in_utc(row.first_seen),
        "last_seen": in_utc(row.last_seen),
        "closed_at": in_utc(row.closed_at),
    }


def _span(span: Span) -> dict[str, Any]:
    seconds = {state: round(value) for state, value in span.seconds.items()}
    return {"begins": in_utc(span.begins), **seconds, "gap": round(span.gap)}
