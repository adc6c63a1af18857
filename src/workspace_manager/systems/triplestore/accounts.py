"""A person's account of the triplestore."""

import contextlib

from pydantic import JsonValue

from workspace_manager.contract.message import Message
from workspace_manager.contract.names import NameImpossible
from workspace_manager.contract.system import DesiredState, Holder, OwnNames
from workspace_manager.systems.triplestore.messages import message
from workspace_manager.systems.triplestore.names import MACHINE, ROLE_USER, account_name
from workspace_manager.systems.triplestore.settings import Settings

USER = "triplestore.user"


def accounts(settings: Settings, holder: Holder) -> tuple[DesiredState, ...]:
    """Return the account with the person's name, even if none is recorded: somebody may have made
    it by hand.
    """
    derived: tuple[str, ...] = ()
    # A name that is impossible there has no account.
    with contextlib.suppress(NameImpossible):
        derived = _not_own(settings, account_name(holder.username))
    return tuple(DesiredState(USER, {"user": one}) for one in holder.known(USER, *derived))


def _not_own(settings: Settings, name: str) -> tuple[str, ...]:
    return () if own_names(settings).has(name) else (name,)


def shut(_settings: Settings, holder: Holder) -> tuple[DesiredState, ...]:
    """Return the shut state of recorded accounts, without any right; an account that does not exist
    needs no change.
    """
    return tuple(DesiredState(USER, {"user": one}, {"shut": True}) for one in holder.known(USER))


def reopen(_settings: Settings, holder: Holder) -> tuple[DesiredState, ...]:
    """Return the state with the rights that were taken."""
    return tuple(
        DesiredState(USER, {"user": one}, {"shut": False, "given_back": _rights_taken(holder, one)})
        for one in holder.known(USER)
    )


def _rights_taken(holder: Holder, account: str) -> JsonValue:
    rights = holder.taken.get((USER, account), {}).get("authorities")
    return [one for one in rights if one != ROLE_USER] if isinstance(rights, list) else []


def goes_on(_settings: Settings, holder: Holder) -> tuple[Message, ...]:
    return (message("goes_on"),) if holder.known(USER) else ()


def own_names(settings: Settings) -> OwnNames:
    """Return the names of its administrator, of accounts of the store behind it, and of machine
    keys.
    """
    return OwnNames(frozenset({"admin", "rdf4j", settings.admin_username} - {""}), (MACHINE,))
