"""Lasting findings: a finding opens when a check first sees it, stays the same while checks see it,
and closes when a check looks and no longer sees it.
"""

import re
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Final

from pydantic import ValidationError

from workspace_manager.contract.connector import ALL, Finding, Severity
from workspace_manager.records.models import HealthFinding

NUMBER: Final = re.compile(r"\d+")
"""Numbers vary in the text of one finding."""
WRONG = (Severity.WARNING, Severity.FAILING)
SAME_FOR: Final = timedelta(hours=1)
"""A finding that returns this soon is the same one."""
ALWAYS_SEEN: Final = {
    f"operations.{name}"
    for name in ("check_environment", "check_own_names", "check_encryption", "check_people")
}
"""Names of findings that need no access to the system."""


def key_of(finding: Finding) -> str:
    """Return the identity of a finding without its numbers: a growing number makes no new
    finding.
    """
    name = _name_of(finding)
    found = finding.message.code if finding.message else finding.text
    return f"{name}|{found}"[:200]


def record_findings(system: str, found: Iterable[Finding], now: datetime) -> None:
    """Open, keep and close findings after a check, in the caller's transaction. Of findings with
    one key, equal texts match first, the rest in order. Parts that could not be checked stay as
    they are.
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
    """Return whether this check could not look at the row's subject."""
    name = row.key.partition("|")[0]
    hidden = {one for finding in found for one in finding.hides}
    if name in hidden:
        return True
    seen = {finding.name for finding in found}
    return {*ALL} <= hidden and name not in ALWAYS_SEEN and read(row).name not in seen


def _name_of(finding: Finding) -> str:
    return finding.name_message.code if finding.name_message else finding.name


def _closed_lately(system: str, finding: Finding, now: datetime) -> HealthFinding | None:
    """Return the same finding if it closed a moment ago. One about something else, such as another
    client, is another finding.
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
    """Return a system's open findings, the oldest first."""
    rows = HealthFinding.objects.filter(system=system, closed_at=None)
    return list(rows.order_by("first_seen", "id"))


def first_failing(system: str) -> Finding | None:
    """Return the oldest open finding that keeps the system from working."""
    rows = HealthFinding.objects.filter(
        system=system, closed_at=None, severity=Severity.FAILING
    ).order_by("first_seen", "id")
    row = rows.first()
    return read(row) if row else None


def read(row: HealthFinding) -> Finding:
    """Read a stored finding. One in the form of another version is reduced to its name."""
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
