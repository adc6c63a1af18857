"""A person's SQL account: dropped by a removal, locked during a suspension."""

import contextlib

from workspace_manager.contract.message import Message
from workspace_manager.contract.names import NameImpossible
from workspace_manager.contract.system import DesiredState, Holder, OwnNames
from workspace_manager.systems.sql_server.messages import message
from workspace_manager.systems.sql_server.names import (
    MACHINE,
    TECHNICAL_PREFIXES,
    TECHNICAL_USERS,
    USER_KIND,
    user_name,
    user_target,
)
from workspace_manager.systems.sql_server.settings import Settings


def accounts(settings: Settings, holder: Holder) -> tuple[DesiredState, ...]:
    """Return the account with the person's name, even if none is recorded: somebody may have made
    it by hand.
    """
    derived: tuple[str, ...] = ()
    # A name that is impossible there has no account.
    with contextlib.suppress(NameImpossible):
        derived = _not_own(settings, user_name(holder.username))
    return tuple(
        DesiredState(USER_KIND, user_target(one)) for one in holder.known(USER_KIND, *derived)
    )


def _not_own(settings: Settings, name: str) -> tuple[str, ...]:
    return () if own_names(settings).has(name) else (name,)


def shut(_settings: Settings, holder: Holder) -> tuple[DesiredState, ...]:
    """Return the accounts to lock. Where no account exists yet, that is fulfilled."""
    return tuple(
        DesiredState(USER_KIND, user_target(one), {"locked": True})
        for one in holder.known(USER_KIND)
    )


def reopen(_settings: Settings, holder: Holder) -> tuple[DesiredState, ...]:
    """Return the accounts to unlock. They have to exist, too."""
    return tuple(
        DesiredState(USER_KIND, user_target(one), {"exists": True, "locked": False})
        for one in holder.known(USER_KIND)
    )


def goes_on(_settings: Settings, holder: Holder) -> tuple[Message, ...]:
    return (message("label.goes_on"),) if holder.known(USER_KIND) else ()


def own_names(settings: Settings) -> OwnNames:
    """Return the names of its administrator, of the server and its tools, and of machine keys."""
    return OwnNames(
        TECHNICAL_USERS | {settings.admin_username} - {""}, (*TECHNICAL_PREFIXES, MACHINE)
    )
