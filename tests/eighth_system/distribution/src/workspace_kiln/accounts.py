"""A person's account of the kiln, what shuts it, and the name that the kiln needs itself."""

import contextlib

from workspace_kiln.names import KIND, account_name, account_target
from workspace_kiln.settings import Settings
from workspace_manager.contract.connector import Facts
from workspace_manager.contract.names import NameImpossible
from workspace_manager.contract.system import DesiredState, Holder, OwnNames


def accounts(_settings: Settings, holder: Holder) -> tuple[DesiredState, ...]:
    derived: tuple[str, ...] = ()
    with contextlib.suppress(NameImpossible):
        derived = (account_name(holder.username),)
    return tuple(DesiredState(KIND, account_target(name)) for name in holder.known(KIND, *derived))


def made_at_approval(_settings: Settings, holder: Holder) -> tuple[DesiredState, ...]:
    """Nobody signs in at the kiln, so that an approval makes the account; a name that cannot be has
    none.
    """
    with contextlib.suppress(NameImpossible):
        name = account_name(holder.username)
        return (DesiredState(KIND, account_target(name), {"exists": True, "locked": False}),)
    return ()


def shut(_settings: Settings, holder: Holder) -> tuple[DesiredState, ...]:
    return _wished(holder, {"locked": True})


def reopen(_settings: Settings, holder: Holder) -> tuple[DesiredState, ...]:
    return _wished(holder, {"exists": True, "locked": False})


def _wished(holder: Holder, after: Facts) -> tuple[DesiredState, ...]:
    return tuple(DesiredState(KIND, account_target(name), after) for name in holder.known(KIND))


def own_names(settings: Settings) -> OwnNames:
    return OwnNames(frozenset({settings.warden}), ("kiln-",))
