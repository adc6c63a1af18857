"""Parameters of the list of people: filters and orders."""

from typing import Annotated

from workspace_manager.contract.member_description import describe
from workspace_manager.core.lists import ListQuery
from workspace_manager.people.filters import EVERYBODY, FORMER_STATE, HERE, NOBODY, PEOPLE
from workspace_manager.web.api.lists import ListAsked


class PeopleAsked(ListAsked, of=PEOPLE):
    """Filters for people. Less is known of people before their first sign-in and of former members:
    a filter leaves out people with an unknown value, and an order puts unknown values first.
    """

    former: Annotated[bool, describe("The same as `state=former`.")] = False

    def asked(self) -> ListQuery:
        """Return the query; former members have no other state."""
        found = super().asked()
        filters = {"state": HERE, **found.filters}
        if filters.pop("former", False):
            both = found.filters.get("state") in {None, FORMER_STATE, EVERYBODY}
            filters["state"] = FORMER_STATE if both else NOBODY
        return ListQuery(found.q, found.sort, filters)
