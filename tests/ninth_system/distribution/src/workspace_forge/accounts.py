"""A person's account of the forge, what shuts it, and what goes on there."""

from workspace_forge.messages import message
from workspace_forge.names import ACCOUNT, IMPOSSIBLE, TOKENS, target
from workspace_forge.settings import Settings
from workspace_manager.contract.connector import Facts
from workspace_manager.contract.message import Message
from workspace_manager.contract.realm import ClientWants
from workspace_manager.contract.system import DesiredState, Holder, OwnNames


def accounts(_settings: Settings, holder: Holder) -> tuple[DesiredState, ...]:
    """Tokens first: one that is still good is revoked before its account goes. Whoever never
    signed in has no id, and nothing there.
    """
    return tuple(
        DesiredState(kind, target(sub)) for sub in _subs(holder) for kind in (TOKENS, ACCOUNT)
    )


def shut(_settings: Settings, holder: Holder) -> tuple[DesiredState, ...]:
    """A blocked account opens with no token either."""
    return _wished(holder, {"blocked": True})


def reopen(_settings: Settings, holder: Holder) -> tuple[DesiredState, ...]:
    return _wished(holder, {"blocked": False})


def remarks(settings: Settings, holder: Holder) -> tuple[Message, ...]:
    """What becomes of repositories, for the reader of a removal’s preview."""
    if not _subs(holder):
        return ()
    return (message("repositories_go" if settings.purge else "repositories_stay"),)


def own_names(settings: Settings) -> OwnNames:
    return OwnNames(frozenset({settings.robot, "ghost"}), patterns=IMPOSSIBLE)


def decides(settings: Settings) -> Facts:
    """With another setting a removal does something else than was shown."""
    return {"purge": settings.purge}


def realm_client(settings: Settings, _attributes: object) -> ClientWants | None:
    """People sign in there through the identity provider."""
    if not settings.url:
        return None
    return ClientWants(settings.url, (f"{settings.url}/user/oauth2/callback",))


def _subs(holder: Holder) -> tuple[str, ...]:
    own = (holder.sub,) if holder.sub else ()
    return holder.known(ACCOUNT, *own, *holder.former_subs)


def _wished(holder: Holder, after: Facts) -> tuple[DesiredState, ...]:
    return tuple(DesiredState(ACCOUNT, target(sub), after) for sub in _subs(holder))
