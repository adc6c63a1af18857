"""What the rows of a plan say, in a form that every later version reads, and the digest of it
(docs/decisions/0042-the-end-of-a-plan-is-noted.md).

A form names the columns it holds: one that is added later belongs to a later form, and changes
nothing of what was noted before. Each member is committed to by itself, so that it can be said what
differs. A commitment is an HMAC by the plan's own salt: without it nobody finds by trying whom a
plan was about, and it goes with the plan.
"""

import hashlib
import hmac
import json
import secrets
from collections.abc import Collection, Iterator, Mapping
from datetime import UTC, datetime
from itertools import chain
from typing import Any, Final, NamedTuple, TypeAlias
from uuid import UUID

from django.db import models
from django.db.models.functions import Cast

NOTED: Final = "plan:noted"
FORGOTTEN: Final = "plan:forgotten"
"""What the audit calls them."""
LENGTH: Final = 32
"""Of a commitment: 128 bits."""

Groups: TypeAlias = Mapping[str, tuple[str, ...]]
"""Members of a row, and the columns that each is made of."""
Members: TypeAlias = Mapping[str, str]
"""By name: `approved` of the plan, `3 evidence` of a step, `3.0 evidence` of a change."""


class Form(NamedTuple):
    """Which columns are held to."""

    plan: Groups
    step: Groups
    change: Groups


FORM: Final = 1
FORMS: Final[Mapping[int, Form]] = {
    1: Form(
        plan={
            "about": ("kind", "person", "subject", "about", "belongs_to_id"),
            "document": ("document_text", "digest", "removed", "added", "by_hand", "remarks"),
            "made": ("created_at", "created_by"),
            "approved": ("approved_at", "approved_by"),
            "ended": ("state", "finished_at"),
            "found": ("findings", "invariants"),
            "late_look": ("recheck_due_at", "recheck_state", "recheck_found"),
        },
        step={
            "about": ("name", "system", "needs"),
            "ended": ("state", "reason", "advice", "cause", "attempts", "since"),
            "evidence": ("evidence",),
        },
        change={
            "about": ("kind", "name", "change", "needs"),
            "ended": ("state", "reason", "outcome", "sent_at", "finished_at"),
            "evidence": ("evidence",),
        },
    )
}
"""A form stays as it is, or what was noted in it could not be compared any more. When somebody
looks at a plan again, and who works on it, is no proof of anything and in none.
"""


def contents(
    plans: type[models.Model], ids: Collection[UUID], form: int = FORM
) -> dict[UUID, dict[str, str]]:
    """What each of these plans says: canonical text by member. `plans`: the table of plans, which a
    migration knows as it was.
    """
    steps: Any = plans._meta.get_field("steps").related_model
    changes: Any = steps._meta.get_field("changes").related_model
    its = FORMS[form]
    found: dict[UUID, dict[str, str]] = {}
    for (plan,), said in _read(plans, its.plan, "id", id__in=ids):
        found[plan] = _members(its.plan, said, "")
    for (plan, n), said in _read(steps, its.step, "plan_id", "n", plan__in=ids):
        found.setdefault(plan, {}).update(_members(its.step, said, f"{n} "))
    keys = ("step__plan_id", "step__n", "position")
    for (plan, n, position), said in _read(changes, its.change, *keys, step__plan__in=ids):
        if said["state"] == "running":
            # That a call was answered is written down after its plan was stopped, too.
            said["finished_at"] = None
        found.setdefault(plan, {}).update(_members(its.change, said, f"{n}.{position} "))
    return found


def _read(
    rows: Any, groups: Groups, *keys: str, **wanted: Any
) -> Iterator[tuple[tuple[Any, ...], dict[str, Any]]]:
    """The keys of each row, and its columns as they are stored, whatever Python makes of them."""
    columns = list(chain.from_iterable(groups.values()))
    fields = [rows._meta.get_field(column) for column in columns]
    in_json = [isinstance(field, models.JSONField) for field in fields]
    asked = [
        Cast(column, models.TextField()) if json_ else column
        for column, json_ in zip(columns, in_json, strict=True)
    ]
    for row in rows._base_manager.filter(**wanted).order_by().values_list(*keys, *asked):
        values = zip(row[len(keys) :], in_json, strict=True)
        read = [
            json.loads(value) if json_ and value is not None else _plain(value)
            for value, json_ in values
        ]
        yield row[: len(keys)], dict(zip(columns, read, strict=True))


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="microseconds")
    return str(value) if isinstance(value, UUID) else value


def _members(groups: Groups, said: Mapping[str, Any], of: str) -> dict[str, str]:
    return {
        f"{of}{name}": _canonical([said[column] for column in columns])
        for name, columns in groups.items()
    }


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def new_salt() -> str:
    """256 random bits."""
    return secrets.token_hex(32)


def commitments(salt: str, members: Members) -> dict[str, str]:
    """What each member is held to by."""
    return {
        name: hmac.new(salt.encode(), f"{name}\n{text}".encode(), hashlib.sha256).hexdigest()[
            :LENGTH
        ]
        for name, text in members.items()
    }


def make_commitment(salt: str, members: Members) -> str:
    """The same as it is stored."""
    return _canonical(commitments(salt, members))


def digest_of(plan: UUID, form: int, salt: str, committed: str) -> str:
    """What the audit notes: whatever of these is another makes it another."""
    text = _canonical(["plan", form, str(plan), salt, committed])
    return hashlib.sha256(text.encode()).hexdigest()
