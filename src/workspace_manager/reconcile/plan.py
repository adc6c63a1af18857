"""The plan that repairs one difference: one account or thing removed, or one account shut, after
somebody looked at it and said so.

What was found is asked anew at the moment of acting: what is recorded by then is left alone, and
nobody is shut out who was let back in.
"""

from typing import Final

from workspace_manager.contract.connector import Change, Facts
from workspace_manager.core.clock import database_now
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.engine.kind import PlanKind
from workspace_manager.engine.plan import PlanDocument, PlannedStep
from workspace_manager.engine.rows import planned
from workspace_manager.reconcile.messages import message
from workspace_manager.reconcile.things import is_recorded_thing
from workspace_manager.records.models import Account, Person, Plan, ReconcileItem
from workspace_manager.systems import registry

REMOVE: Final = "remove_unknown"
SHUT: Final = "shut_account"
TAKE: Final = "take_unknown_right"


def document(
    item: ReconcileItem,
    step: str,
    target: dict[str, str],
    *,
    after: Facts | None,
    subject: str = "",
) -> PlanDocument:
    """What is done about one difference."""
    kind = item.kind if step != TAKE else "sql_server.grant"
    change = Change(kind=kind, subject=subject, target=target, after=after)
    name = item.holder if step == TAKE else item.name
    remarks = [message("remark.evidence", evidence=item.evidence)] if item.evidence else []
    remarks += [item.reason] if item.reason else []
    if step == REMOVE:
        remarks.append(message("remark.for_good"))
    return PlanDocument(
        kind=REPAIR.name,
        person=item.username if subject else item.name,
        subject=subject,
        about=f"{ABOUT}{item.n}",
        steps=(
            PlannedStep(n=1, name=step, system=item.system, changes=(planned(change, name=name),)),
        ),
        remarks=tuple(remarks),
    )


ABOUT: Final = "reconcile:"


def may_act(change: Change) -> bool:
    """Whether it is still of nobody; or still somebody's who is suspended."""
    if change.subject:
        return Person.objects.filter(id=change.subject, state=Person.State.SUSPENDED).exists()
    kind = registry().kind(change.kind)
    name = kind.name_of(change.target) if kind else ""
    if change.kind == "sql_server.grant":
        account = change.target["user"]
        return not _has_account("sql_server.user", account)
    return not _has_account(change.kind, name) and not is_recorded_thing(change.kind, name)


def _has_account(kind: str, name: str) -> bool:
    return Account.objects.filter(kind=kind, name=name, gone_at=None).exists()


def _settled(plan: Plan, _systems: ConnectedSystems) -> None:
    """What was repaired is over; a walk that sees it again opens it again."""
    if plan.state == Plan.State.DONE:
        rows = ReconcileItem.objects.filter(plan=plan.id, ended_at=None)
        rows.update(ended_at=database_now())


REPAIR: Final = PlanKind("reconcile.repair", may_act=may_act, on_saved=_settled, names_person=False)
