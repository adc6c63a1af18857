"""Filters for people, shared by their page, REST and the command line."""

from collections.abc import Mapping
from typing import Final

from django.db.models import Exists, OuterRef, Q, TextChoices
from django.utils.translation import gettext_lazy as _

from workspace_manager.core.lists import Choice, Day, Either, ListSpec, Member, Moment
from workspace_manager.records.models import Account, Person, Registration
from workspace_manager.systems import registry

HERE: Final = "here"
EVERYBODY: Final = "everybody"
NOBODY: Final = "nobody"


class AbsentState(TextChoices):
    """The state of a person who is not here."""

    WAITING = "waiting", _("waiting")
    APPROVED = "approved", _("approved")
    FORMER = "former", _("former")


WAITING, APPROVED, FORMER_STATE = AbsentState.values
STATES: Final = (WAITING, APPROVED, *map(str, Person.State.values), FORMER_STATE)
"""States of people, from the registration to after the departure."""
GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    HERE: tuple(map(str, Person.State.values)),
    EVERYBODY: STATES,
    NOBODY: (),
}
"""Several states by one word."""


def _has_account(system: str) -> Q:
    """Match people with an account of their own in a system."""
    rows = Account.objects.filter(person=OuterRef("pk"), system=system, gone_at=None, machine=False)
    return Q(Exists(rows))


def _recorded_for_the_name(system: str) -> Q:
    """Match approvals that recorded an account before the first sign-in."""
    rows = Account.objects.filter(person=None, username=OuterRef("username"), machine=False)
    return Q(Exists(rows.filter(system=system, gone_at=None)), status=APPROVED)


def _never_came(ever: bool) -> Q:
    return Q(pk__in=[]) if ever else Q()


def _signed_in(ever: bool) -> Q:
    return Q(last_sign_in__isnull=not ever)


def _has_end(has: bool) -> Q:
    return Q(ends_at__isnull=not has)


def _systems() -> list[str]:
    return list(registry().names())


ROLES: Final = tuple(map(str, Person.Role.values))
STANDS: Final = (*STATES, HERE, EVERYBODY)
_STATE: Final = (
    "Only who stand so: `waiting` for a decision, `approved` and never signed in, `active`, "
    "`suspended`, `leaving`, `former`; or `here` (active, suspended or leaving) or `everybody`. "
    "Without it: `here`. Administrators alone see who is not here."
)
_NEVER: Final = Either("never-signed-in", "at least once", "never")
_ENDS: Final = Either("without-end", "has one", "has none")
PEOPLE: Final = ListSpec(
    "people_list",
    __file__,
    searched=("username", "email", "first_name", "last_name"),
    order=("username",),
    search_for="Search by name or e-mail",
    by_itself="deleted at the identity provider first, then the user name",
    members=(
        Member("username", label="User name", order="username", column=True),
        Member("email", label="E-mail", order="email", column=True),
        Member("first_name", column=True),
        Member("last_name", label="Family name", order="last_name", column=True),
        Member(
            "role",
            Choice(ROLES, "role"),
            "Role",
            "Only people of this role.",
            filter="role",
            order="role",
            column=True,
        ),
        Member(
            "state", Choice(STANDS), "State", _STATE, filter="state", order="state", column=True
        ),
        Member("sub", column=True),
        Member(
            "system",
            Choice(_systems, "system"),
            "Has an account in",
            "Only people who have an account of their own in this system.",
            "drive",
            _has_account,
        ),
        Member(
            "signed_in",
            _NEVER,
            "Signed in",
            "Only those who signed in at some time, or who never did.",
            filter=_signed_in,
        ),
        Member(
            "signed_in_since",
            Moment(),
            "Last sign-in since",
            "Only whose last sign-in is of then, or later.",
            "2026-12-01",
            "last_sign_in__gte",
        ),
        Member(
            "signed_in_before",
            Moment(),
            "Last sign-in before",
            "Only whose last sign-in was before then.",
            "2026-06-01",
            "last_sign_in__lt",
        ),
        Member("last_sign_in", label="Last sign-in", order="last_sign_in", column=True),
        Member(
            "has_end",
            _ENDS,
            "End date",
            "Only those who have an end date, or who have none.",
            filter=_has_end,
        ),
        Member(
            "ends_since",
            Day(),
            "End date since",
            "Only whose end date is this day, or later.",
            "2026-12-01",
            "ends_at__gte",
        ),
        Member(
            "ends_before",
            Day(),
            "End date before",
            "Only whose end date is before this day.",
            "2027-01-01",
            "ends_at__lt",
        ),
        Member("ends_at", label="End date", order="ends_at", column=True),
        Member("left_at", label="Left", order="left_at", column=True),
        Member("plan", column=True),
    ),
)
_OF_REGISTRATIONS: Final = {one.name for one in Registration._meta.fields}
COMING: Final = ListSpec(
    searched=PEOPLE.searched,
    members=(
        Member("system", filter=_recorded_for_the_name),
        Member("signed_in", filter=_never_came),
        *(
            one
            for one in PEOPLE.filters
            if isinstance(one.filter, str) and one.filter.partition("__")[0] in _OF_REGISTRATIONS
        ),
    ),
)
"""Applicants and approved people; other filters apply to nobody before the first sign-in."""
FORMER: Final = ListSpec(searched=("username", "sub"))
"""Former members, by what their removal wrote last."""
