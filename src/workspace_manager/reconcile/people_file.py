"""A list of people to take over, compared with present people and with users of the identity
provider from the last comparison. Each row gets a result.

A list proves nothing. It chooses among proposals, and its further fields (id, address) must agree.
Everybody comes in as a user, whatever role the list gives. An end date in the list is set for
people taken over and for people already here.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from workspace_manager.contract.message import Message
from workspace_manager.contract.message import Person as Named
from workspace_manager.core.account_link import subs_of
from workspace_manager.core.address_owners import is_same_address
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.lists import ListQuery
from workspace_manager.core.refusal import BadInput, Refused
from workspace_manager.core.same_names import counts_as
from workspace_manager.people import end_dates
from workspace_manager.reconcile import take_over
from workspace_manager.reconcile.candidates import found_users
from workspace_manager.reconcile.messages import message
from workspace_manager.reconcile.proposals import USERS, Proposal, digest
from workspace_manager.records.models import Person, TakeOver
from workspace_manager.systems.identity_provider.names import account_name

Outcome = Literal["here", "linked", "nobody", "refused"]
BROUGHT: Final = ("here", "linked")


@dataclass(frozen=True)
class Row:
    """One line: the fields that identify a person."""

    line: int
    username: str
    sub: str = ""
    email: str = ""
    role: str = ""
    state: str = ""
    ends_at: str = ""


@dataclass(frozen=True)
class Result:
    """The result of a row, and its reason. `n`: the account that is taken over."""

    row: Row
    outcome: Outcome
    text: Message
    n: int = 0


def look(rows: Sequence[Row], systems: ConnectedSystems) -> list[Result]:
    """Return the result that each row would have. Writes nothing. Raises Refused before the first
    comparison.
    """
    shown = take_over.shown_of(take_over.run_to_confirm(), systems, _asked(rows))
    return [_with_day(one) for one in _Compared(shown).all_of(rows)]


def bring(
    rows: Sequence[Row], *, actor: str, systems: ConnectedSystems
) -> tuple[list[Result], TakeOver | None]:
    """Take over the people whose rows have a match. Raises Refused."""
    run = take_over.run_to_confirm()
    asked = _asked(rows)
    shown = take_over.shown_of(run, systems, asked)
    found = [_with_day(one) for one in _Compared(shown).all_of(rows)]
    chosen = [one.n for one in found if one.outcome == "linked"]
    if not chosen:
        return [_ended(one, actor) for one in found], None
    row = take_over.confirm(
        run, digest_shown=digest(shown), asked=asked, chosen=chosen, actor=actor, systems=systems
    )
    take_over.go_on(row, systems)
    late = {n: Message.model_validate(why) for n, why in row.refused}
    brought = [
        replace(one, outcome="refused", text=late[one.n]) if one.n in late else one for one in found
    ]
    return [_ended(one, actor) for one in brought], row


def _with_day(one: Result) -> Result:
    """Refuse a row whose end date is invalid."""
    if one.outcome not in BROUGHT or not one.row.ends_at:
        return one
    try:
        end_dates.refuse_day(end_dates.read_day(one.row.ends_at))
    except BadInput as wrong:
        (why,) = wrong.messages.values()
        return _refused(one.row, message("file.bad_day", day=one.row.ends_at, why=why))
    return one


def _ended(one: Result, actor: str) -> Result:
    """Set the end date of a person who was taken over or already here."""
    if one.outcome not in BROUGHT or not one.row.ends_at:
        return one
    day = end_dates.read_day(one.row.ends_at)
    try:
        end_dates.set_end(one.row.username, day, actor=actor)
    except Refused as no:
        return replace(one, text=message("file.day_not_set", said=one.text, why=no.message))
    return one


def _asked(rows: Sequence[Row]) -> ListQuery:
    """Query the users that the rows name by name or id."""
    names, subs = {row.username for row in rows}, {row.sub for row in rows}
    found = found_users().order_by().values_list("n", "login_name", "name")
    numbers = [n for n, name, sub in found.iterator() if sub in subs or account_name(name) in names]
    return ListQuery(filters={USERS: sorted(numbers)})


class _Compared:
    """Present people and found users, loaded once for all rows."""

    def __init__(self, shown: Sequence[Proposal]) -> None:
        people = list(Person.objects.order_by().only("id", "username"))
        subs = subs_of(people)
        self.here = {person.username: subs.get(person.id, "") for person in people}
        self.linked = {sub: name for name, sub in self.here.items() if sub}
        self.by_sub = {one.item.name: one for one in shown}
        self.by_name = {account_name(one.item.login_name): one for one in shown}
        found = found_users().order_by().values_list("login_name", flat=True)
        there = [*self.here, *found.iterator()]
        self.alike = {counts_as(account_name(name)): name for name in there}

    def all_of(self, rows: Sequence[Row]) -> list[Result]:
        return [self._of(row) for row in rows]

    def _of(self, row: Row) -> Result:
        person = Named(person=row.username)
        if row.state not in {"", Person.State.ACTIVE}:
            return _refused(row, message("file.not_active", person=person, state=row.state))
        if row.role not in {"", *Person.Role.values}:
            roles = ", ".join(Person.Role.values)
            return _refused(row, message("file.no_role", role=row.role, roles=roles))
        owner = self.linked.get(row.sub) if row.sub else None
        if owner is not None and owner != row.username:
            why = message("file.id_of_another", person=Named(person=owner))
            return _refused(row, why)
        if row.username in self.here:
            return self._here(row, person)
        found = self.by_sub.get(row.sub) if row.sub else self.by_name.get(row.username)
        if found is None:
            return self._nobody(row)
        if account_name(found.item.login_name) != row.username:
            other = found.item.login_name
            return _refused(row, message("file.id_of_another", person=Named(person=other)))
        return self._found(row, found)

    def _here(self, row: Row, person: Named) -> Result:
        if row.sub and self.here[row.username] and row.sub != self.here[row.username]:
            return _refused(row, message("file.other_id", person=person))
        return Result(row, "here", message("file.here", person=person))

    def _nobody(self, row: Row) -> Result:
        if row.sub:
            return Result(row, "nobody", message("file.no_id", sub=row.sub))
        like = self.alike.get(counts_as(account_name(row.username)))
        if like is not None:
            why = message("written_otherwise", name=row.username, person=Named(person=like))
            return _refused(row, why)
        return Result(row, "nobody", message("file.nobody", name=row.username))

    def _found(self, row: Row, found: Proposal) -> Result:
        item, person = found.item, Named(person=row.username)
        if not found.username:
            return _refused(row, found.why)
        if row.email and not is_same_address(row.email, item.email):
            return _refused(row, message("file.other_email", person=person, email=item.email))
        if not row.sub and not (item.email and item.email_confirmed):
            return _refused(row, message("not_confirmed", person=person))
        key = "file.linked_as_user" if row.role == Person.Role.ADMINISTRATOR else "file.linked"
        return Result(row, "linked", message(key, why=found.why), item.n)


def _refused(row: Row, why: Message) -> Result:
    return Result(row, "refused", why)
