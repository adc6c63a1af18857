"""The accounts that are somebody's: the account-link table (the `sub` a person signs in as), and
what was recorded for the name.

What we did to an account is written on its row, in the transaction that writes down that a call is
sent or has ended: whether we made it, and whether we shut it. So it is known however old the plan
is, and plans can be forgotten.
"""

import uuid
from collections.abc import Iterable

from allauth.socialaccount.models import SocialAccount
from django.db.models import Q, QuerySet
from pydantic import JsonValue

from workspace_manager.contract.connector import UNKNOWN, Change, Facts, Target
from workspace_manager.contract.system import KindSpec
from workspace_manager.records.models import Account, Person
from workspace_manager.systems import registry

PROVIDER = "identity_provider"


def sub_of(person: Person) -> str:
    """The `sub` from the account-link table; "" when nobody ever signed in as this person.

    See docs/explanation/signing-in.md#the-account-link.
    """
    link = SocialAccount.objects.filter(user=person, provider=PROVIDER).first()
    return str(link.uid) if link else ""


def subs_of(people: Iterable[Person]) -> dict[uuid.UUID, str]:
    """The current `sub` of each of several people, by the person's id."""
    links = SocialAccount.objects.filter(user__in=list(people), provider=PROVIDER)
    return {link.user_id: str(link.uid) for link in links.order_by("-pk")}


def standing_accounts(person: Person) -> QuerySet[Account]:
    """The accounts recorded of a person, also for the name alone: an approval records its account
    before anybody signed in with it.
    """
    return recorded_accounts(person).filter(gone_at=None)


def recorded_accounts(person: Person) -> QuerySet[Account]:
    """The accounts recorded of a person, also those that are gone."""
    return Account.objects.filter(Q(person=person) | Q(person=None, username=person.username))


def note_sent(change: Change) -> None:
    """In the transaction that writes down that a change is sent. `change.before`: what the look
    just before showed.
    """
    rows = _rows(change)
    if rows is None:
        return
    if change.after is None:
        rows.update(made_by_us=False)
    elif change.new:
        rows.update(made_by_us=True)
    elif _shutting(change) and _was_open(change) and not _note_shut(rows, change):
        _record(change)


def note_ended(change: Change) -> None:
    """In the transaction that writes down that a change has ended: what is open again was shut by
    nobody.
    """
    rows = _rows(change)
    if rows is not None and _opens(change):
        rows.filter(locked_by_us=True).update(locked_by_us=False, taken={})


def locked_accounts(person: Person) -> frozenset[tuple[str, str]]:
    """Accounts (kind, name) that we shut and nothing has opened again since."""
    rows = standing_accounts(person).filter(locked_by_us=True)
    return frozenset(rows.values_list("kind", "name"))


def taken_from(person: Person) -> dict[tuple[str, str], Facts]:
    """The rights that we took from accounts (kind, name) when we shut them, to be given back."""
    rows = standing_accounts(person).filter(locked_by_us=True)
    return {(kind, name): taken for kind, name, taken in rows.values_list("kind", "name", "taken")}


def made_by_us(person: Person, kind: str, name: str) -> bool:
    """Return whether what is there under the name is ours: a plan of this person made it, or sent
    the call that does.
    """
    rows = Account.objects.filter(kind=kind, name=name, person=person, gone_at=None)
    return rows.filter(made_by_us=True).exists()


def is_of_another(change: Change) -> bool:
    """Return whether the account that a change is about is recorded for, or linked to, somebody
    else by now.
    """
    kind = _account(change)
    name = kind.name_of(change.target) if kind else ""
    if not name:
        return False
    rows = Account.objects.filter(kind=change.kind, name=name, gone_at=None)
    others = rows.exclude(person=None).exclude(person__id=change.subject)
    links = SocialAccount.objects.filter(provider=PROVIDER, uid=change.target.get("sub", ""))
    return others.exists() or links.exclude(user__id=change.subject).exists()


def still_new(change: Change) -> Change:
    """The change of an account at the moment of acting: another plan of the person may have made it
    meanwhile.
    """
    if not change.new:
        return change
    rows = _rows(change)
    ours = rows is not None and rows.filter(made_by_us=True).exists()
    return change.model_copy(update={"new": not ours})


def _account(change: Change) -> KindSpec | None:
    """The kind of a change that is about an account of a person; None for any other."""
    kind = registry().kinds.get(change.kind)
    return kind if kind and kind.holds_account and change.subject else None


def account_name(kind: str, target: Target) -> str:
    """The name of the account that a target of this kind is about."""
    known = registry().kinds.get(kind)
    return known.name_of(target) if known else next(iter(target.values()), "")


def _rows(change: Change) -> QuerySet[Account] | None:
    """The row of the account that a change is about; None when it is about no account of
    a person.
    """
    kind = _account(change)
    name = kind.name_of(change.target) if kind else ""
    if not name:
        return None
    theirs = Q(person=change.subject) | Q(person=None)
    return Account.objects.filter(theirs, kind=change.kind, name=name, gone_at=None)


def _shutting(change: Change) -> dict[str, bool]:
    """Return which attributes a change wishes so that the account is shut, and how: disabled,
    locked.
    """
    kind = _account(change)
    if kind is None or kind.gives(change):
        return {}
    wish = (change.after or {}).items()
    return {
        name: bool(value)
        for name, value in wish
        if value is False or (value and name in kind.takes)
    }


def _opens(change: Change) -> bool:
    """Return whether a change wishes the account enabled or unlocked; that it exists opens nothing
    that was shut.
    """
    kind = _account(change)
    wish = (change.after or {}).items()
    return kind is not None and any(
        value is False if name in kind.takes else value is True and name != "exists"
        for name, value in wish
    )


def _was_open(change: Change) -> bool:
    """Return whether the account was open before: not known counts as open."""
    before = change.before
    if not isinstance(before, dict):
        return before == UNKNOWN
    return all(before.get(name) is not value for name, value in _shutting(change).items())


def _record(change: Change) -> None:
    """Every account we touch has a row: of one that nobody wrote down yet it is made now, unless
    somebody else's bears the name.
    """
    person = Person.objects.filter(id=change.subject).first()
    name = account_name(change.kind, change.target)
    if person is None or Account.objects.filter(kind=change.kind, name=name, gone_at=None).exists():
        return
    Account.objects.create(
        system=change.system,
        kind=change.kind,
        name=name,
        username=person.username,
        person=person,
        locked_by_us=True,
        taken=_taken(change, {}),
    )


def _note_shut(rows: QuerySet[Account], change: Change) -> bool:
    """We shut it, and took this from it; False where no row is."""
    kind = _account(change)
    if kind is None or not kind.restored:
        return bool(rows.update(locked_by_us=True))
    found = list(rows)
    for row in found:
        taken = _taken(change, row.taken if row.locked_by_us else {})
        Account.objects.filter(id=row.id).update(locked_by_us=True, taken=taken)
    return bool(found)


def _taken(change: Change, earlier: Facts) -> Facts:
    """The rights that shutting the account takes. Those that an earlier shutting took and nothing
    has given back yet stay noted.
    """
    kind, before = _account(change), change.before
    names = kind.restored if kind and isinstance(before, dict) else ()
    now = {name: before.get(name) for name in names} if isinstance(before, dict) else {}
    return {**earlier, **{name: _both(earlier.get(name), have) for name, have in now.items()}}


def _both(earlier: JsonValue, now: JsonValue) -> JsonValue:
    """A list with what an earlier one has besides; anything else as it is now."""
    if not isinstance(earlier, list) or not isinstance(now, list):
        return now
    return [*earlier, *(one for one in now if one not in earlier)]
