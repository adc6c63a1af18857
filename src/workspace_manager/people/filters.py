"""What people are filtered by, on their page, by REST and on the command line: one meaning each."""

from typing import Any, Final

from django.db.models import Exists, OuterRef, Q

from workspace_manager.core.listing import Listing
from workspace_manager.records.models import Account


def _has_account(system: str) -> Q:
    """An account of the person's own that still stands there."""
    rows = Account.objects.filter(person=OuterRef("pk"), system=system, gone_at=None, machine=False)
    return Q(Exists(rows))


def _signed_in(ever: bool) -> Q:
    return Q(last_sign_in__isnull=not ever)


def _has_end(has: bool) -> Q:
    return Q(ends_at__isnull=not has)


PEOPLE: Final = Listing(
    searched=("username", "email", "first_name", "last_name"),
    order=("username",),
    columns={
        "signed_in_since": "last_sign_in__gte",
        "signed_in_before": "last_sign_in__lt",
        "ends_since": "ends_at__gte",
        "ends_before": "ends_at__lt",
    },
    conditions={"system": _has_account, "signed_in": _signed_in, "has_end": _has_end},
)
SORTED_BY: Final = (
    "username",
    "last_name",
    "email",
    "role",
    "state",
    "last_sign_in",
    "ends_at",
)


def given(**asked: Any) -> dict[str, Any]:
    """What is asked for, without what is left open."""
    return {name: what for name, what in asked.items() if what is not None}
