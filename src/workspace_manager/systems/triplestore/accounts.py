"""A person's account of the triplestore."""

import contextlib

from workspace_manager.contract.names import NameImpossible
from workspace_manager.contract.system import Holder, OwnNames, Wish
from workspace_manager.systems.triplestore.names import account_name
from workspace_manager.systems.triplestore.settings import Settings

USER = "triplestore.user"


def accounts(settings: Settings, holder: Holder) -> tuple[Wish, ...]:
    """The account of the person's name, also where none is recorded: somebody may have made it by
    hand.
    """
    derived: tuple[str, ...] = ()
    # Of a name that is impossible there, no account can be.
    with contextlib.suppress(NameImpossible):
        derived = _not_own(settings, account_name(holder.username))
    return tuple(Wish(USER, {"user": one}) for one in holder.known(USER, *derived))


def _not_own(settings: Settings, name: str) -> tuple[str, ...]:
    return () if own_names(settings).has(name) else (name,)


def own_names(settings: Settings) -> OwnNames:
    """Its administrator, and the accounts of the store behind it."""
    return OwnNames(frozenset({"admin", "rdf4j", settings.admin_username} - {""}))
