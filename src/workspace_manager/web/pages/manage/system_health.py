"""Health of a system on its card: the state with its reason, and a strip of 90 days that needs no
script.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from workspace_manager.contract.connector import Finding
from workspace_manager.core.clock import database_now
from workspace_manager.operations.health_findings import key_of, read
from workspace_manager.operations.health_state import SystemHealth, read_healths
from workspace_manager.operations.health_strip import Span, days_of_all
from workspace_manager.records.models import HealthFinding
from workspace_manager.web.pages import labels, plan_labels

WIDTH: Final = 5
"""Width of a day, with the gap beside it."""
HEIGHT: Final = 36
STACKED: Final = ("up", "degraded", "paused", "not_asked", "down")
"""From bottom to top: the worst state is at the top, where it is seen."""
GAP: Final = "gap"


@dataclass(frozen=True)
class Part:
    """One colour of one day."""

    look: str
    y: str
    height: str


@dataclass(frozen=True)
class Day:
    """One column of the strip, and the same in words."""

    begins: datetime
    x: int
    parts: Sequence[Part]
    words: str
    notable: bool
    """Whether a state other than "up" was seen."""


@dataclass(frozen=True)
class HealthView:
    """The health of a system on its card."""

    standing: SystemHealth
    days: Sequence[Day]
    looked_at: int
    """The number of days with observations."""
    away: str
    """The total time without the system, as text; "" if it was always available."""
    found: Mapping[tuple[str, str], datetime]
    """When each finding was first seen."""

    @property
    def notable(self) -> Sequence[Day]:
        """Return the days with a state other than "up", the last one first."""
        return [day for day in reversed(self.days) if day.notable]

    @property
    def width(self) -> int:
        return len(self.days) * WIDTH

    def since(self, finding: Mapping[str, Any]) -> datetime | None:
        one = Finding.model_validate(finding)
        return self.found.get((key_of(one), one.text))


def of_all(names: Iterable[str]) -> dict[str, HealthView]:
    """Return the health of many systems; the number of queries does not grow with them."""
    wanted, now = list(names), database_now()
    known = read_healths(wanted, now)
    strips = days_of_all(wanted, now)
    found: dict[str, dict[tuple[str, str], datetime]] = {name: {} for name in wanted}
    for row in HealthFinding.objects.filter(system__in=wanted, closed_at=None):
        found[row.system][row.key, read(row).text] = row.first_seen
    return {name: _view(known[name], strips[name], found[name]) for name in wanted}


def strips(names: Iterable[str], now: datetime) -> dict[str, HealthView]:
    """Return the state and history of each, without findings, in three queries."""
    wanted = list(names)
    known, spans = read_healths(wanted, now), days_of_all(wanted, now)
    return {name: _view(known[name], spans[name], {}) for name in wanted}


def _view(
    standing: SystemHealth, spans: Sequence[Span], found: Mapping[tuple[str, str], datetime]
) -> HealthView:
    return HealthView(
        standing,
        [_day(span, index * WIDTH) for index, span in enumerate(spans)],
        sum(1 for span in spans if any(span.seconds.values())),
        _long(sum(span.seconds["down"] for span in spans)),
        found,
    )


def _day(span: Span, x: int) -> Day:
    whole = sum(span.seconds.values()) + span.gap
    shares = [(GAP, span.gap)] if not any(span.seconds.values()) else []
    shares += [(state, span.seconds[state]) for state in STACKED if span.seconds[state]]
    if span.gap and len(shares) > 0 and shares[0][0] != GAP:
        shares.append((GAP, span.gap))
    parts, ground = [], float(HEIGHT)
    for look, seconds in shares:
        # A minute would be too small to see.
        height = max(seconds / whole * HEIGHT, 0 if look in {"up", GAP} else 2) if whole else 0
        height = min(height, ground)
        ground -= height
        parts.append(Part(look, f"{ground:.1f}", f"{height:.1f}"))
    notable = any(seconds for state, seconds in span.seconds.items() if state != "up")
    return Day(span.begins, x, parts, _words(span), notable)


def _words(span: Span) -> str:
    seen = [
        f"{labels.state(state)}: {_long(span.seconds[state])}"
        for state in STACKED
        if span.seconds[state] >= 1
    ]
    return ", ".join(seen) or _("never checked")


def _long(seconds: float) -> str:
    """Return an approximate duration, also of many hours; "" below one second."""
    if seconds < 1:
        return ""
    if seconds < 2 * 3600:
        return plan_labels.duration(seconds)
    hours = round(seconds / 3600)
    return ngettext("%(count)d hour", "%(count)d hours", hours) % {"count": hours}
