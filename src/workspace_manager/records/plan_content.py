"""The content of a plan's rows, in a form that later versions can still read, and its digest
(docs/decisions/0042-the-end-of-a-plan-is-noted.md).

A form names its columns: a new column belongs to a later form and changes no earlier digest. Each
member has its own commitment, so that a difference can be located. A commitment is an HMAC with the
plan's salt: without it nobody can guess whom a plan was about, and it is deleted with the plan.
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
"""Audit events."""
LENGTH: Final = 32
"""Characters of a commitment: 128 bits."""

Groups: TypeAlias = Mapping[str, tuple[str, ...]]
"""Members of a row, and their columns."""
Members: TypeAlias = Mapping[str, str]
"""By name: `approved` of the plan, `3 evidence` of a step, `3.0 evidence` of a change."""


class Form(NamedTuple):
    """The columns of a form."""

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
"""A form never changes, or earlier notes could not be compared. Schedules and leases prove nothing
and are in no form.
"""


def contents(
    plans: type[models.Model], ids: Collection[UUID], form: int = FORM
) -> dict[UUID, dict[str, str]]:
    """Return the content of each plan: canonical text by member. `plans`: the table of plans, which
    a migration knows in its earlier state.
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
            # The answer to a call is saved after its plan was stopped, too.
            said["finished_at"] = None
        found.setdefault(plan, {}).update(_members(its.change, said, f"{n}.{position} "))
    return found


def _read(
    rows: Any, groups: Groups, *keys: str, **wanted: Any
) -> Iterator[tuple[tuple[Any, ...], dict[str, Any]]]:
    """Yield the keys of each row, and its columns as stored, before Python converts them."""
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
    return secrets.token_hex(32)


def commitments(salt: str, members: Members) -> dict[str, str]:
    """Return the commitment to each member."""
    return {
        name: hmac.new(salt.encode(), f"{name}\n{text}".encode(), hashlib.sha256).hexdigest()[
            :LENGTH
        ]
        for name, text in members.items()
    }


def make_commitment(salt: str, members: Members) -> str:
    """Return the commitments as they are stored."""
    return _canonical(commitments(salt, members))


def digest_of(plan: UUID, form: int, salt: str, committed: str) -> str:
    """Return the digest for the audit log; it changes with any of these."""
    text = _canonical(["plan", form, str(plan), salt, committed])
    return hashlib.sha256(text.encode()).hexdigest()
