"""A person's accounts in the drive: those its OpenID Connect app derives from the person's id, and
those we recorded.
"""

from workspace_manager.contract.message import Message
from workspace_manager.contract.system import DesiredState, Holder, OwnNames
from workspace_manager.systems.drive.messages import message
from workspace_manager.systems.drive.names import account_ids, account_target
from workspace_manager.systems.drive.settings import Settings

ACCOUNT = "drive.account"


def accounts(settings: Settings, holder: Holder) -> tuple[DesiredState, ...]:
    """Each is deleted only when it is the id's own or the drive says that it belongs to the
    back-end of that id.
    """
    theirs = holder.known(ACCOUNT, *account_ids(settings, holder.sub)) if holder.sub else ()
    former = [(one, sub) for sub in holder.former_subs for one in account_ids(settings, sub)]
    return tuple(
        DesiredState(ACCOUNT, account_target(account, sub))
        for account, sub in [*((one, holder.sub) for one in theirs), *former]
    )


def shut(settings: Settings, holder: Holder) -> tuple[DesiredState, ...]:
    """Disabling is fulfilled where no account has appeared yet."""
    return _desired_states(settings, holder, enabled=False)


def reopen(settings: Settings, holder: Holder) -> tuple[DesiredState, ...]:
    return _desired_states(settings, holder, enabled=True)


def _desired_states(
    settings: Settings, holder: Holder, *, enabled: bool
) -> tuple[DesiredState, ...]:
    found = accounts(settings, holder)
    return tuple(DesiredState(ACCOUNT, wish.target, {"enabled": enabled}) for wish in found)


def shut_by_hand(settings: Settings, holder: Holder) -> tuple[Message, ...]:
    """Return manual work: only an administrator disables accounts."""
    if settings.admin_username and settings.admin_password:
        return ()
    ids = [wish.target["account_id"] for wish in accounts(settings, holder)]
    return tuple(message("disable_by_hand", account_id=one) for one in ids)


def goes_on(settings: Settings, holder: Holder) -> tuple[Message, ...]:
    """Others work on in what was shared with them."""
    return (message("goes_on"),) if accounts(settings, holder) else ()


def own_names(settings: Settings) -> OwnNames:
    """Its administrator and its container; and what older installations put before the ids of
    accounts.
    """
    named = {"admin", settings.admin_username, settings.container_name}
    return OwnNames(frozenset(named - {""}), ("keycloak-",))
