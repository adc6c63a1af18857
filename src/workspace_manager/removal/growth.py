"""The differences that a removal may have from its preview when it is approved: things that have
gone, and things that the person made meanwhile.

Things that the person owns and did not receive, and accounts recorded for the person, can only be
the person's own work. Any other addition (another account link, other settings, another system)
comes from an administrator and needs a new preview.

See docs/explanation/removal.md#what-happens-between-preview-and-approval.
"""

from collections.abc import Iterator

from workspace_manager.contract.connector import Change, Facts
from workspace_manager.core.account_link import account_name
from workspace_manager.engine.plan import PlanDocument, PlannedStep, essence
from workspace_manager.removal.capture import CapturedPerson
from workspace_manager.removal.give_back import received_projects
from workspace_manager.work.sharing import MEMBERSHIP

RECORDS = "records"


def is_other_plan(shown: PlanDocument, fresh: PlanDocument, captured: CapturedPerson) -> bool:
    """Return whether the plan as built now differs from the one that was shown by more than the
    person's own new things.
    """
    if fresh.sub != shown.sub or _shape(fresh) != _shape(shown):
        return True
    if _deletes_what_was_kept(shown, fresh) or _shuts_others(shown, fresh, captured):
        return True
    given = {str(project.id) for project in received_projects(captured.person, shown)}
    return any(
        before.skip or not _is_made(after, change, captured, given)
        for before, after in zip(shown.steps, fresh.steps, strict=True)
        for change in _new(before, after)
    )


def _shuts_others(shown: PlanDocument, fresh: PlanDocument, captured: CapturedPerson) -> bool:
    """Return whether a door would shut something that was not shown and is not recorded as the
    person's, or the plan is of a version without doors.
    """
    known = [essence(door.change) for door in shown.doors]
    new = [door.change for door in fresh.doors if essence(door.change) not in known]
    return "doors" not in shown.model_fields_set or any(
        account_name(change.kind, change.target) not in captured.recorded(change.kind)
        for change in new
    )


def _deletes_what_was_kept(shown: PlanDocument, fresh: PlanDocument) -> bool:
    """Return whether an account that was shown as kept would be deleted, because it no longer
    counts as taken over.
    """
    kept = {account for account, after in _accounts(shown) if after}
    return any(account in kept and not after for account, after in _accounts(fresh))


def _accounts(document: PlanDocument) -> Iterator[tuple[tuple[str, str, str], bool]]:
    """Yield each step, kind and name, and whether the account stays; one account can be shut in one
    step and deleted in another.
    """
    for step in document.steps:
        for planned in step.changes:
            change = planned.change
            name = account_name(change.kind, change.target)
            yield (step.name, change.kind, name), change.after is not None


def _shape(document: PlanDocument) -> list[tuple[int, str, Facts]]:
    """Return the steps, and the settings that decide what they do."""
    return [(step.n, step.name, step.policy.decided) for step in document.steps]


def _new(before: PlannedStep, after: PlannedStep) -> Iterator[Change]:
    known = [essence(planned.change) for planned in before.changes]
    for planned in after.changes:
        if essence(planned.change) not in known:
            yield planned.change


def _is_made(step: PlannedStep, change: Change, captured: CapturedPerson, given: set[str]) -> bool:
    """Return whether the person made it: a thing, a part of one in another system, or a recorded
    account.
    """
    if step.system == RECORDS:
        return change.kind != MEMBERSHIP and change.target.get("id") not in given
    return account_name(change.kind, change.target) in captured.recorded(change.kind)
