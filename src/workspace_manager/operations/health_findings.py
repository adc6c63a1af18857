"""What checks found, as things that last: one finding opens when a check sees it first, stays the
same thing while checks see it, and closes by itself with the check that looks and sees it no more.
"""

import re
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Final

from pydantic import ValidationError

from workspace_manager.contract.connector import ALL, Finding, Severity
from workspace_manager.records.models import HealthFinding

NUMBER: Final = re.compile(r"\d+")
"""What varies in the text of one thing."""
WRONG = (Severity.WARNING, Severity.FAILING)
SAME_FOR: Final = timedelta(hours=1)
"""What is found again so soon is the same thing, not another one."""
ALWAYS_SEEN: Final = {
    f"operations.{name}"
    for name in ("check_environment", "check_own_names", "check_encryption", "check_people")
}
"""Names of what the manager sees without the system."""


def key_of(finding: Finding) -> str:
    """What was looked for and what was found, without what varies in it: a number that grows makes
    no new finding.
    """
    name = _name_of(finding)
    found = finding.message.code if finding.message else finding.text
    return f"{name}|{found}"[:200]


def record_findings(system: str, found: Iterable[Finding], now: datetime) -> None:
    """Open, keep and close, after a check, in the caller's transaction. Of several findings of one
    key those that say the very same are the same; the rest are taken in their order. What could
    not be looked at stays as it is.
    """
    found = list(found)
    rows = list(open_findings(system))
    wrong = [one for one in found if one.severity in WRONG]
    left: list[Finding] = []
    for one in wrong:
        key = key_of(one)
        same = next((row for row in rows if (row.key, read(row).text) == (key, one.text)), None)
        if same is None:
            left.append(one)
        else:
            rows.remove(same)
            _see(same, one, now)
    for one in left:
        like = next((row for row in rows if row.key == key_of(one)), None)
        if like is None:
            fresh = HealthFinding(system=system, key=key_of(one), first_seen=now)
            like = _closed_lately(system, one, now) or fresh
        else:
            rows.remove(like)
        _see(like, one, now)
    over = [row.id for row in rows if not _is_hidden(row, found)]
    HealthFinding.objects.filter(id__in=over).update(closed_at=now)


def _is_hidden(row: HealthFinding, found: Sequence[Finding]) -> bool:
    """Whether this check did not come to look at what the row is about."""
    name = row.key.partition("|")[0]
    hidden = {one for finding in found for one in finding.hides}
    if name in hidden:
        return True
    seen = {finding.name for finding in found}
    return {*ALL} <= hidden and name not in ALWAYS_SEEN and read(row).name not in seen


def _name_of(finding: Finding) -> str:
    return finding.name_message.code if finding.name_message else finding.name


def _closed_lately(system: str, finding: Finding, now: datetime) -> HealthFinding | None:
    """The same finding, if it only went for a moment: what comes and goes is one thing. One of the
    same kind about something else, as another client, is another.
    """
    rows = HealthFinding.objects.filter(
        system=system, key=key_of(finding), closed_at__gt=now - SAME_FOR
    ).order_by("-closed_at", "-id")
    about = NUMBER.sub("", finding.text)
    return next((row for row in rows if NUMBER.sub("", read(row).text) == about), None)


def _see(row: HealthFinding, finding: Finding, now: datetime) -> None:
    row.severity, row.finding = finding.severity, finding.model_dump(mode="json")
    row.last_seen, row.closed_at = now, None
    row.save()


def open_findings(system: str) -> Sequence[HealthFinding]:
    """What is wrong with a system now, the longest first."""
    rows = HealthFinding.objects.filter(system=system, closed_at=None)
    return list(rows.order_by("first_seen", "id"))


def first_failing(system: str) -> Finding | None:
    """The open finding without which it would work, the one that lasts longest."""
    rows = HealthFinding.objects.filter(
        system=system, closed_at=None, severity=Severity.FAILING
    ).order_by("first_seen", "id")
    row = rows.first()
    return read(row) if row else None


def read(row: HealthFinding) -> Finding:
    """What was found. Another version may have put it in a form that is not known here: then what
    it is called has to do, so that it is in nobody's way.
    """
    try:
        return Finding.model_validate(row.finding)
    except ValidationError:
        name, _, text = row.key.partition("|")
        return Finding(
            system=row.system,
            name=name,
            severity=Severity(row.severity),
            text=text or name,
            remedy="",
        )
