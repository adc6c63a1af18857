"""What people are filtered by, on their page, by REST and on the command line: one meaning each."""

from collections.abc import Mapping
from typing import Any, Final

from django.db.models import Exists, OuterRef, Q

from workspace_manager.core.listing import Listing
from workspace_manager.records.models import Account, Person

HERE: Final = "here"
EVERYBODY: Final = "everybody"
NOBODY: Final = "nobody"
WAITING: Final = "waiting"
APPROVED: Final = "approved"
FORMER_STATE: Final = "former"
STATES: Final = (WAITING, APPROVED, *map(str, Person.State.values), FORMER_STATE)
"""How somebody stands, from asking to join until they left."""
GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    HERE: tuple(map(str, Person.State.values)),
    EVERYBODY: STATES,
    NOBODY: (),
}
"""Several states by one word."""


def _has_account(system: str) -> Q:
    """An account of the person's own that still stands there."""
    rows = Account.objects.filter(person=OuterRef("pk"), system=system, gone_at=None, machine=False)
    return Q(Exists(rows))


def _recorded_for_the_name(system: str) -> Q:
    """An approval records its account before anybody signed in with it."""
    rows = Account.objects.filter(person=None, username=OuterRef("username"), machine=False)
    return Q(Exists(rows.filter(system=system, gone_at=None)), status=APPROVED)


def _never_came(ever: bool) -> Q:
    return Q(pk__in=[]) if ever else Q()


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
COMING: Final = Listing(
    searched=PEOPLE.searched,
    order=("username",),
    conditions={"system": _recorded_for_the_name, "signed_in": _never_came},
)
"""Who asks to join or was approved, and did not sign in: what else is filtered for is known of
nobody before.
"""
FORMER: Final = Listing(
    searched=("username", "sub"), order=("-created_at",), columns={"left_at": "created_at"}
)
"""Who left: what the removal of each wrote last."""
SORTED_BY: Final = (
    "username",
    "last_name",
    "email",
    "role",
    "state",
    "last_sign_in",
    "ends_at",
    "left_at",
)


def given(**asked: Any) -> dict[str, Any]:
    """What is asked for, without what is left open."""
    return {name: what for name, what in asked.items() if what is not None}
