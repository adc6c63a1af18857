"""Check of the hub's user names against those of the manager's people.

A person's notebooks are looked for by the user name. A hub that takes its names from another claim
has other names: a removal finds no notebook there and succeeds.
"""

from collections.abc import Collection, Sequence

from workspace_manager.contract.connector import Finding
from workspace_manager.contract.findings import Findings
from workspace_manager.contract.known_people import KnownPerson
from workspace_manager.contract.message import Message
from workspace_manager.contract.message import Person as Named
from workspace_manager.systems.notebook_hub.client.calls import SYSTEM
from workspace_manager.systems.notebook_hub.messages import message
from workspace_manager.systems.notebook_hub.names import hub_user

NAME = message("check_people")
SAY = Findings(SYSTEM)


def finding(
    names: Collection[str], working: Collection[str], people: Sequence[KnownPerson]
) -> Finding:
    """Return the finding. `names`: users that the hub lists or containers name; `working`: those of
    them with a server now.
    """
    ours = {hub_user(one.username) for one in people}
    strange = sorted(name for name in names if hub_user(name) not in ours)
    known = [(name, *by) for name in strange if (by := _match(name, people))]
    if known:
        name, person, claim = known[0]
        text = message("called_otherwise", n=len(known), name=name, person=person, claim=claim)
        return SAY.failing(NAME, text, message("set_username_claim"))
    if people and working and not {hub_user(one) for one in names} & ours:
        example = min(working)
        text = message("nobody_of_ours", n=len(working), name=example)
        return SAY.warning(NAME, text, message("set_username_claim_or_compare"))
    return SAY.ok(NAME, message("names_are_ours", n=len(names) - len(strange)))


def _match(name: str, people: Sequence[KnownPerson]) -> tuple[Named, Message] | None:
    """Return the person whom a hub's name identifies by something other than the user name, and the
    claim.
    """
    for one in people:
        for value, claim in (
            (one.email, "claim_email"),
            (one.sub, "claim_sub"),
            # A first name alone may be somebody else's user name.
            (one.full_name if " " in one.full_name else "", "claim_name"),
        ):
            if value and hub_user(value) == hub_user(name):
                return Named(person=one.username), message(claim)
    return None
