"""Suspension of an account: its rights are taken and given back, and no secret changes.

Neither product can lock an account. An account without rights signs in, but reads and writes
nothing. Its owner's password, and the token OpenGDB issued for it, work again as soon as the rights
are back.
"""

import contextlib
from collections.abc import Iterable

from workspace_manager.contract.connector import (
    ALREADY,
    CHANGED,
    Evidence,
    Facts,
    Outcome,
)
from workspace_manager.contract.errors import Conflict, Invalid, NotFound
from workspace_manager.systems.triplestore import names
from workspace_manager.systems.triplestore.client.calls import TriplestoreClient
from workspace_manager.systems.triplestore.messages import message
from workspace_manager.systems.triplestore.refusals import OPENGDB
from workspace_manager.systems.triplestore.shapes import Account

KIND = "triplestore.user"
SHUT = "shut"
GIVEN_BACK = "given_back"


def is_suspension(want: Facts | None) -> bool:
    return want is not None and isinstance(want.get(SHUT), bool)


class Suspension:
    """Taking every right of an account, and giving back those that were taken."""

    def __init__(self, client: TriplestoreClient) -> None:
        self._client = client

    def facts(self, found: Account, want: Facts | None) -> Facts:
        """Return the facts besides the rights: whether the account is shut, or the rights still
        missing.
        """
        if want is None or not is_suspension(want):
            return {}
        if want[SHUT]:
            return {SHUT: not _rights(found)}
        missing = self._missing(found, want)
        held = [right for right in _rights_to_give_back(want) if right not in missing]
        return {SHUT: bool(missing), GIVEN_BACK: [*held]}

    def shut(self, found: Account | None, name: str) -> Outcome:
        """Take every right. A missing account counts as shut, once it is proven that we see all
        accounts. Raises Conflict if the server keeps the rights.
        """
        if found is None:
            self._client.accounts()
            return ALREADY
        if not _rights(found):
            return ALREADY
        self._client.take_rights(name)
        # GraphDB replaces the rights; a newer OpenGDB may refuse without taking anything.
        left = _rights(self._client.account(name)) if self._client.flavour() == OPENGDB else []
        if left:
            raise Conflict(
                message("rights_not_taken", rights=", ".join(left)),
                kind=KIND,
                doing=message("taking_rights"),
                advice=message("take_rights_by_hand"),
            )
        return CHANGED

    def before_deletion(self, found: Account, name: str) -> None:
        """Take every right of an account before its deletion, so that it opens nothing if the
        deletion is refused. If the rights cannot be taken, the deletion is tried anyway.
        """
        with contextlib.suppress(Conflict, Invalid, NotFound):
            self.shut(found, name)

    def open(self, found: Account | None, name: str, want: Facts) -> Outcome:
        """Give back missing rights; rights given meanwhile stay. Raises NotFound for a deleted
        account: a new one would have another password.
        """
        if found is None:
            raise NotFound(
                message("no_account_to_open", name=name),
                kind=KIND,
                doing=message("giving_rights_back"),
                advice=message("skip_if_deleted"),
            )
        missing = self._missing(found, want)
        if not missing:
            return ALREADY
        self._client.replace_account(name, None, [names.ROLE_USER, *_rights(found), *missing])
        return CHANGED

    def evidence(self, found: Account | None, name: str, want: Facts | None) -> Evidence | None:
        """Look at the rights again."""
        wish = want or {}
        if wish[SHUT]:
            if found is None:
                self._client.accounts()
                return _evidence("no_account", name=name)
            return None if _rights(found) else _evidence("no_right_left", name=name)
        if found is None or self._missing(found, wish):
            return None
        rights = ", ".join(_rights(found)) or names.ROLE_USER
        return _evidence("rights_are_back", name=name, rights=rights)

    def _missing(self, found: Account, want: Facts) -> list[str]:
        """Return the rights to give back; a right on a deleted repository opens nothing, and naming
        it is an error on OpenGDB.
        """
        lacking = [right for right in _rights_to_give_back(want) if right not in found.authorities]
        if not any(names.repository_of(right) for right in lacking):
            return lacking
        standing = {one.id for one in self._client.repositories()} | {"*"}
        return [right for right in lacking if (names.repository_of(right) or "*") in standing]


def _rights(found: Account) -> list[str]:
    return _without_role(found.authorities)


def _rights_to_give_back(want: Facts) -> list[str]:
    rights = want.get(GIVEN_BACK)
    return _without_role(map(str, rights)) if isinstance(rights, list) else []


def _without_role(authorities: Iterable[str]) -> list[str]:
    return [one for one in authorities if one != names.ROLE_USER]


def _evidence(code: str, **words: str) -> Evidence:
    return Evidence.now("triplestore", message("read_account"), message(code, **words))
