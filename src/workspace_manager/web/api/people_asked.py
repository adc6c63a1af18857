"""What is asked of the list of people: its filters and its orders."""

from typing import Annotated, Literal

from pydantic import AfterValidator

from workspace_manager.contract.described import about
from workspace_manager.core.listing import Asked
from workspace_manager.people.filters import EVERYBODY, FORMER_STATE, HERE, NOBODY
from workspace_manager.systems import registry
from workspace_manager.web.api.inputs import Day, Moment, Name
from workspace_manager.web.api.lists import SORTED, ListAsked


def _system(name: str) -> str:
    names = registry().names()
    if name not in names:
        raise ValueError(f"There is no such system. There are: {', '.join(names)}.")
    return name


class PeopleAsked(ListAsked):
    """Which people. Of who did not sign in yet and of who left less is known: a filter finds nobody
    of whom it is not known, and what is not known comes first in an order.
    """

    former: Annotated[bool, about("The same as `state=former`.")] = False
    state: Annotated[
        Literal[
            "waiting",
            "approved",
            "active",
            "suspended",
            "leaving",
            "former",
            "here",
            "everybody",
        ]
        | None,
        about(
            "Only who stand so: `waiting` for a decision, `approved` and never signed in, "
            "`active`, `suspended`, `leaving`, `former`; or `here` (active, suspended or "
            "leaving) or `everybody`. Without it: `here`. Administrators alone see who is not here."
        ),
    ] = None
    role: Annotated[Literal["user", "administrator"] | None, about("Only people of this role.")] = (
        None
    )
    system: Annotated[
        Annotated[Name, AfterValidator(_system)] | None,
        about("Only people who have an account of their own in this system.", "drive"),
    ] = None
    signed_in: Annotated[
        bool | None, about("Only those who signed in at some time, or who never did.")
    ] = None
    signed_in_since: Annotated[
        Moment | None, about("Only whose last sign-in is of then, or later.", "2026-12-01")
    ] = None
    signed_in_before: Annotated[
        Moment | None, about("Only whose last sign-in was before then.", "2026-06-01")
    ] = None
    has_end: Annotated[bool | None, about("Only those who have an end date, or who have none.")] = (
        None
    )
    ends_since: Annotated[
        Day | None, about("Only whose end date is this day, or later.", "2026-12-01")
    ] = None
    ends_before: Annotated[
        Day | None, about("Only whose end date is before this day.", "2027-01-01")
    ] = None
    sort: Annotated[
        Literal[
            "username",
            "-username",
            "last_name",
            "-last_name",
            "email",
            "-email",
            "role",
            "-role",
            "state",
            "-state",
            "last_sign_in",
            "-last_sign_in",
            "ends_at",
            "-ends_at",
            "left_at",
            "-left_at",
        ]
        | None,
        SORTED,
    ] = None

    def asked(self) -> Asked:
        """Who left stands in no other state."""
        found = super().asked()
        filters = {"state": HERE, **found.filters}
        if filters.pop("former", False):
            both = self.state in {None, FORMER_STATE, EVERYBODY}
            filters["state"] = FORMER_STATE if both else NOBODY
        return Asked(found.q, found.sort, filters)
