"""The actions that a difference offers, and advice where it offers none."""

from typing import Final

from workspace_manager.contract.message import Message
from workspace_manager.core.connected_systems import kind_of
from workspace_manager.core.refusal import Refused
from workspace_manager.people import unlinked_sign_ins
from workspace_manager.reconcile import store_comparison
from workspace_manager.reconcile.messages import message
from workspace_manager.reconcile.recorded_things import DATABASE, GROUP
from workspace_manager.records.models import Plan, ReconcileItem

Difference = ReconcileItem.Difference
IDENTITY_USER: Final = unlinked_sign_ins.KIND


BY_HAND: Final = {
    "reconcile.owner_lacks": "owner_right",
    "reconcile.owner_level": "owner_right",
    "reconcile.everybody_writes": "everybody_writes",
}
"""Causes of differences that no plan repairs, and their advice."""


def offered_actions(item: ReconcileItem) -> list[str]:
    """Return the actions that are possible now, by the names of the commands."""
    if item.ended_at is not None:
        return []
    return [*([] if _by_hand(item) else _offered(item)), "ignore"]


def _offered(item: ReconcileItem) -> list[str]:
    match Difference(item.difference):
        case Difference.UNKNOWN_ACCOUNT:
            return _of_account(item)
        case Difference.UNKNOWN_THING:
            return [] if _waits_for_review(item) else ["remove"]
        case Difference.IDENTITY_RECREATED:
            return ["connect"]
        case Difference.OPEN_WHILE_SUSPENDED:
            return ["shut"]
        case Difference.HOLDER_LACKS:
            return ["give_back"]
        case Difference.HOLDER_NOT_SHARED:
            return ["take"] if item.username or item.kind in {DATABASE, GROUP} else []
        case Difference.WRONG_SUB:
            return ["disconnect"]
        case Difference.MISSING:
            return ["disconnect"] if _is_account(item) else []
        case _:
            return []


def _waits_for_review(item: ReconcileItem) -> bool:
    return item.kind == store_comparison.CONTENT and store_comparison.is_under_review()


def _by_hand(item: ReconcileItem) -> str:
    return BY_HAND.get(item.reason.code, "") if item.reason else ""


def _of_account(item: ReconcileItem) -> list[str]:
    kind = kind_of(item.kind)
    removable = ["remove"] if kind and kind.not_removed is None and item.target else []
    if item.kind == IDENTITY_USER:
        return ["adopt", *removable]
    return [*(["adopt"] if item.username else []), "connect", *removable]


def _is_account(item: ReconcileItem) -> bool:
    kind = kind_of(item.kind)
    return kind is not None and kind.holds_account


def advice(item: ReconcileItem) -> Message | None:
    """Return advice on manual work, if no action applies."""
    if by_hand := _by_hand(item):
        return message(f"advice.{by_hand}")
    match Difference(item.difference):
        case Difference.UNKNOWN_THING if _waits_for_review(item):
            return message("advice.under_review")
        case Difference.MISSING if item.kind == store_comparison.CONTENT:
            return message("advice.missing_content")
        case Difference.MISSING:
            what = "account" if _is_account(item) else "thing"
            return message(f"advice.missing_{what}")
        case Difference.IDENTITY_GONE | Difference.IDENTITY_DISABLED | Difference.WRONG_SUB as one:
            return message(f"advice.{one.value}")
        case _:
            return None


def open_item(n: int) -> ReconcileItem:
    """Return an open difference. Raises DoesNotExist, and Refused for one that is over."""
    item = ReconcileItem.objects.get(n=n)
    if item.ended_at is not None:
        raise Refused(message("over"))
    return item


def refuse_unless(what: str, item: ReconcileItem) -> None:
    running = Plan.objects.filter(id=item.plan, state__in=Plan.OPEN).first() if item.plan else None
    if running is not None:
        raise Refused(message("under_way"), plan=str(running.id))
    if what not in offered_actions(item):
        raise Refused(message("not_offered"))
