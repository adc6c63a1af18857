"""Check that the plan that runs is the approved one: its text has the digest that was shown, and
the rows are its changes.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import ValidationError

from workspace_manager.contract.connector import Change
from workspace_manager.engine import doors
from workspace_manager.engine.plan import digest_of, essence, parsed
from workspace_manager.engine.plan_run import PlanRun
from workspace_manager.engine.rows import change_of


def as_approved(run: PlanRun) -> bool:
    """Return whether the stored text is the one that was signed, and what stands in the rows is the
    approved minus the removed plus the added.

    The text is hashed as it is stored: a document that another version would write differently is
    still the one that was approved.
    """
    if digest_of(run.plan.document_text) != run.plan.digest:
        return False
    try:
        document = parsed(run.plan.document_text)
    except ValidationError:
        return False
    fixed = run.kind.fixed
    gone = {(one["n"], one["position"]) for one in run.plan.removed}
    approved = {
        *(_head(step.n, step.name, step.needs) for step in document.steps),
        *(
            _line(step.n, position, planned.change, fixed=fixed)
            for step in document.steps
            for position, planned in enumerate(step.changes)
            if (step.n, position) not in gone
        ),
        *(
            _line(doors.STEP, position, door.change, fixed=fixed)
            for position, door in enumerate(document.doors)
            if (doors.STEP, position) not in gone
        ),
    }
    there = {
        *(_head(step.n, step.name, step.needs) for step in run.steps),
        *(
            _line(step.n, row.position, change_of(row), fixed=fixed)
            for step in run.steps
            for row in step.changes.all()
        ),
        *(
            _line(doors.STEP, position, change, fixed=fixed)
            for position, change in doors.stored_lines(run.plan)
        ),
    }
    added = {_what(one["n"], one["position"], one["what"]) for one in run.plan.added}
    return there == approved | added


def _head(n: int, name: str, needs: Iterable[int]) -> str:
    return json.dumps([n, name, sorted(needs)])


def _line(n: int, position: int, change: Change, *, fixed: bool) -> str:
    """Where what is wanted is worked out anew at the moment of acting, what was approved says only
    about what.
    """
    what = essence(change)
    if not fixed:
        what.pop("after")
    return _what(n, position, what)


def _what(n: int, position: int, what: Mapping[str, Any]) -> str:
    return json.dumps([n, position, what], sort_keys=True)
