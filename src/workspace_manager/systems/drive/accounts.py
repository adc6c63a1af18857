"""A person's accounts in the drive: those its OpenID Connect app derives from the person's id, and
recorded ones.
"""

from workspace_manager.contract.message import Message
from workspace_manager.contract.system import DesiredState, Holder, OwnNames
from workspace_manager.systems.drive.messages import message
from workspace_manager.systems.drive.names import account_ids, account_target
from workspace_manager.systems.drive.settings import Settings

ACCOUNT = "drive.account"


def accounts(settings: Settings, holder: Holder) -> tuple[DesiredState, ...]:
    """Return the accounts of a person. Each is deleted only if it is the id's own, or the drive
    says that it belongs to the back-end of that id.
    """
    theirs = holder.known(ACCOUNT, *account_ids(settings, holder.sub)) if holder.sub else ()
    former = [(one, sub) for sub in holder.former_subs for one in account_ids(settings, sub)]
    return tuple(
        DesiredState(ACCOUNT, account_target(account, sub))
        for account, sub in [*((one, holder.sub) for one in theirs), *former]
    )


def shut(settings: Settings, holder: Holder) -> tuple[DesiredState, ...]:
    """Return the accounts to disable. Where no account exists yet, that is fulfilled."""
    return _desired_states(settings, holder, enabled=False)


def reopen(settings: Settings, holder: Holder) -> tuple[DesiredState, ...]:
    return _desired_states(settings, holder, enabled=True)


def _desired_states(
    settings: Settings, holder: Holder, *, enabled: bool
) -> tuple[DesiredState, ...]:
    found = accounts(settings, holder)
    return tuple(DesiredState(ACCOUNT, wish.target, {"enabled": enabled}) for wish in found)


def shut_by_hand(settings: Settings, holder: Holder) -> tuple[Message, ...]:
    """Return what has to be disabled by hand: only an administrator can disable accounts."""
    if settings.admin_username and settings.admin_password:
        return ()
    ids = [wish.target["account_id"] for wish in accounts(settings, holder)]
    return tuple(message("disable_by_hand", account_id=one) for one in ids)


def goes_on(settings: Settings, holder: Holder) -> tuple[Message, ...]:
    """Return a remark on what goes on: others still work in what was shared with them."""
    return (message("goes_on"),) if accounts(settings, holder) else ()


def own_names(settings: Settings) -> OwnNames:
    """Return names that the drive needs itself: its administrator, its container, and the prefix of
    account ids in older installations.
    """
    named = {"admin", settings.admin_username, settings.container_name}
    return OwnNames(frozenset(named - {""}), ("keycloak-",))
