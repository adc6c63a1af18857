"""Possible owners of an existing account: present people, and users of the identity provider
without a person. The number of queries does not depend on the number of accounts.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from allauth.socialaccount.models import SocialAccount
from django.db.models import QuerySet

from workspace_manager.core.account_link import PROVIDER
from workspace_manager.core.address_owners import fold_address
from workspace_manager.core.same_names import counts_as
from workspace_manager.people.names_free import standing_tombstones
from workspace_manager.people.unlinked_sign_ins import KIND
from workspace_manager.reconcile.items import open_items
from workspace_manager.reconcile.look_alikes import looks_like
from workspace_manager.records.models import (
    Account,
    Person,
    ReconcileItem,
    Tombstone,
)
from workspace_manager.systems.identity_provider.names import account_name

UNKNOWN = ReconcileItem.Difference.UNKNOWN_ACCOUNT


@dataclass(frozen=True)
class Candidate:
    """A possible owner of accounts. `here`: a person; else a user who may become one."""

    username: str
    sub: str
    email: str
    confirmed: bool
    """Whether the identity provider confirmed the address when it last reported it."""
    state: str
    here: bool = True


class Candidates:
    """All possible owners, indexed by what an account can show."""

    def __init__(self) -> None:
        self.by_sub: dict[str, Candidate] = {}
        self._by_name: dict[str, list[Candidate]] = defaultdict(list)
        self._by_email: dict[str, list[Candidate]] = defaultdict(list)
        self._here_by_look: dict[str, str] = {}
        for one in _people():
            self.add(one)
        self.users: dict[str, list[str]] = defaultdict(list)
        """Names of found users by look; two that look alike are ambiguous."""
        self.emails: dict[str, list[str]] = defaultdict(list)
        for login_name, email in found_users().values_list("login_name", "email"):
            self.users[looks_like(account_name(login_name))].append(login_name)
            if email:
                self.emails[fold_address(email)].append(login_name)

    def add(self, one: Candidate) -> None:
        if one.sub:
            self.by_sub[one.sub] = one
        self._by_name[counts_as(one.username)].append(one)
        if one.here:
            self._here_by_look[looks_like(one.username)] = one.username
        if one.email:
            self._by_email[fold_address(one.email)].append(one)

    def called(self, name: str) -> list[Candidate]:
        """Return the candidates with this name."""
        return self._by_name.get(counts_as(name), [])

    def here_like(self, name: str) -> str:
        """Return the present person whose name looks like this one; "" for nobody."""
        return self._here_by_look.get(looks_like(name), "")

    def at(self, email: str) -> list[Candidate]:
        """Return the candidates with this address, confirmed or not."""
        return self._by_email.get(fold_address(email), []) if email else []


class FormerNames:
    """Names of former members. Nobody inherits anything through such a name."""

    def __init__(self) -> None:
        self.subs = set(standing_tombstones().values_list("sub", flat=True)) - {""}
        self._names: set[str] = set()
        self._accounts: set[tuple[str, str]] = set()
        rows = Tombstone.objects.order_by().values_list("username", "accounts")
        for username, accounts in rows.iterator():
            self._names.add(looks_like(username))
            self._accounts |= {(one["kind"], one["name"]) for one in accounts}

    def had(self, name: str) -> bool:
        """Return whether a former member had this name, or one that looks like it."""
        return looks_like(name) in self._names

    def had_account(self, kind: str, name: str) -> bool:
        return (kind, name) in self._accounts or self.had(name)


def holding_accounts() -> set[tuple[str, str]]:
    """Return (kind, username) of recorded accounts; each person has one of a kind."""
    rows = Account.objects.filter(gone_at=None, machine=False).exclude(kind=KIND).order_by()
    return {
        (kind, username or noted)
        for kind, username, noted in rows.values_list("kind", "person__username", "username")
    }


def found_users() -> QuerySet[ReconcileItem]:
    """Return users of the identity provider that belong to nobody in the records."""
    return open_items(ignored=True).filter(kind=KIND, difference=UNKNOWN)


def _people() -> Iterator[Candidate]:
    links = dict(
        SocialAccount.objects.filter(provider=PROVIDER).values_list("user_id", "uid").order_by("id")
    )
    columns = ("id", "username", "email", "email_confirmed", "state")
    for id_, username, email, confirmed, state in Person.objects.order_by().values_list(*columns):
        yield Candidate(username, links.get(id_, ""), email, confirmed, state)
