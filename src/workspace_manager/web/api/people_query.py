"""What is asked of the list of people: its filters and its orders."""

from typing import Annotated

from workspace_manager.contract.member_description import describe
from workspace_manager.core.lists import ListQuery
from workspace_manager.people.filters import EVERYBODY, FORMER_STATE, HERE, NOBODY, PEOPLE
from workspace_manager.web.api.lists import ListAsked


class PeopleAsked(ListAsked, of=PEOPLE):
    """Which people. Of who did not sign in yet and of who left less is known: a filter finds nobody
    of whom it is not known, and what is not known comes first in an order.
    """

    former: Annotated[bool, describe("The same as `state=former`.")] = False

    def asked(self) -> ListQuery:
        """Who left stands in no other state."""
        found = super().asked()
        filters = {"state": HERE, **found.filters}
        if filters.pop("former", False):
            both = found.filters.get("state") in {None, FORMER_STATE, EVERYBODY}
            filters["state"] = FORMER_STATE if both else NOBODY
        return ListQuery(found.q, found.sort, filters)
