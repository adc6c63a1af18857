"""A person's account at the identity provider, and the states that shut it: disabled *and* logged
out, because either alone leaves a way in.
"""

from workspace_manager.contract.connector import Facts
from workspace_manager.contract.person_trial import USERNAME as PERSON_OF_CHECK
from workspace_manager.contract.system import DesiredState, Holder, OwnNames
from workspace_manager.systems.identity_provider.names import SERVICE_ACCOUNT_PREFIX, user_target
from workspace_manager.systems.identity_provider.settings import Settings

USER = "identity_provider.user"
SHUT: Facts = {"enabled": False, "sessions": 0}
RESERVED = frozenset({"admin", "administrator", "anonymous", PERSON_OF_CHECK})


def accounts(_settings: Settings, holder: Holder) -> tuple[DesiredState, ...]:
    return _desired_states(holder, None)


def shut(_settings: Settings, holder: Holder) -> tuple[DesiredState, ...]:
    """Return two states: a provider that refuses to change a user still ends its sessions."""
    return (*_desired_states(holder, {"enabled": False}), *_desired_states(holder, {"sessions": 0}))


def reopen(_settings: Settings, holder: Holder) -> tuple[DesiredState, ...]:
    return _desired_states(holder, {"enabled": True})


def _desired_states(holder: Holder, after: Facts | None) -> tuple[DesiredState, ...]:
    """Return the states of the linked user only: a name proves nothing."""
    if not holder.sub:
        return ()
    return (DesiredState(USER, user_target(holder.sub, holder.username), after),)


def own_names(settings: Settings) -> OwnNames:
    return OwnNames(RESERVED | {settings.admin_username} - {""}, (SERVICE_ACCOUNT_PREFIX,))
