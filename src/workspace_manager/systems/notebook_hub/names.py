"""Names of notebook containers exactly as DockerSpawner makes them.

See docs/systems/notebook-hub.md#container-and-volume-names.
"""

import re
import string
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from workspace_manager.contract.connector import Target
from workspace_manager.contract.names import NameImpossible
from workspace_manager.systems.notebook_hub.messages import message

KIND: Final = "notebook_hub.container"
VOLUME_KIND: Final = "notebook_hub.volume"
"""The volume of a person's notebooks; it outlives the container, and nothing here removes it."""
_DOCKER_SAFE = frozenset(string.ascii_lowercase + string.digits)
_LEGACY_SAFE = frozenset(string.ascii_letters + string.digits + "-")


def hub_user(username: str) -> str:
    """Return a person's name in the hub, which lower-cases logins."""
    return username.lower()


def container_target(
    username: str, *, prefix: str = "jupyter-", escape: str = "dockerspawner"
) -> Target:
    """Return the target of a person's notebook: `container`, its exact name, and `hub_user` for the
    hub's API.

    Raises NameImpossible for a name that the hub could not have accepted (empty, control
    characters), because its escape would not be unique.
    """
    user = hub_user(username)
    if not user or any(ord(character) < 32 or ord(character) == 127 for character in user):
        raise NameImpossible(
            message("impossible_hub_user"),
            advice=message("look_and_stop_by_hand"),
        )
    return {"container": container_name(user, prefix=prefix, escape=escape), "hub_user": user}


@dataclass(frozen=True)
class SpawnerNames:
    """The naming rule of the hub's spawner: the prefix before the user name, and its escape."""

    prefix: str
    escape: str


def server_container(user: str, server: str, rule: SpawnerNames) -> str:
    """Return the name of a server's container. The spawner lower-cases names of servers, but not
    user names. `server` "": the default one.
    """
    own = container_name(user, prefix=rule.prefix, escape=rule.escape)
    return f"{own}{SERVER_MARK}{_RULES[rule.escape](server.lower())}" if server else own


SERVER_MARK: Final = "--"
"""DockerSpawner's mark between the user's name and a named server's."""


def begins_named_servers(user: str, rule: SpawnerNames) -> str:
    """Return the prefix of the containers of a user's named servers. With an escape that keeps
    hyphens, it is also the prefix of other users' containers.
    """
    return container_name(hub_user(user), prefix=rule.prefix, escape=rule.escape) + SERVER_MARK


def listed_container(container: str, user: str) -> Target:
    """Return the target of an existing notebook with any name. `user`: the owner that it names, or
    that its name implies.
    """
    return {"container": container, "hub_user": hub_user(user)}


def volume_target(volume: str) -> Target:
    """Return the target of a volume with this exact name."""
    return {"volume": volume}


def user_in(container: str, *, prefix: str, escape: str) -> str:
    """Return the user whose container has exactly this name, or "": the container of a named
    server, or of another rule, implies no user.
    """
    tail = container.removeprefix(prefix)
    user = _UNESCAPE[escape](tail)
    again = container_name(user, prefix=prefix, escape=escape) if user else ""
    return user if container.startswith(prefix) and again == container else ""


def container_name(
    hub_user: str, *, prefix: str = "jupyter-", escape: str = "dockerspawner"
) -> str:
    """Return the container's name for a hub name (which is not lower-cased here). `escape`:
    dockerspawner, legacy or none.
    """
    return prefix + _RULES[escape](hub_user)


def volume_name(
    username: str, *, prefix: str = "jupyterhub-user-", escape: str = "dockerspawner"
) -> str:
    """Return the name of the volume of a person's notebooks: the same escape, another prefix.

    See docs/systems/notebook-hub.md#container-and-volume-names.
    """
    return prefix + _RULES[escape](hub_user(username))


def fits_rule(container: str, *, prefix: str, escape: str) -> bool:
    """Return whether this rule can have made a container's name; for finding a wrong rule."""
    name = container.removeprefix(prefix)
    if escape == "dockerspawner":
        return (
            re.fullmatch(r"(?:[a-z0-9]|-[0-9a-f]{2})+(?:--(?:[a-z0-9]|-[0-9a-f]{2})+)?", name)
            is not None
        )
    if escape == "legacy":
        return re.fullmatch(r"(?:[A-Za-z0-9-]|_[0-9A-F]{2})+", name) is not None
    return True


def _escape(text: str, safe: frozenset[str], mark: str) -> str:
    """Keep safe characters, and replace every byte of the others by `mark` and its hexadecimal
    digits (escapism's rule).
    """
    return "".join(
        character
        if character in safe
        else "".join(f"{mark}{byte:X}" for byte in character.encode())
        for character in text
    )


def _dockerspawner(text: str) -> str:
    return _escape(text, _DOCKER_SAFE, "-").lower()


def _legacy(text: str) -> str:
    return _escape(text, _LEGACY_SAFE, "_")


def _none(text: str) -> str:
    return text


_RULES: dict[str, Callable[[str], str]] = {
    "dockerspawner": _dockerspawner,
    "legacy": _legacy,
    "none": _none,
}


ESCAPES: Final = tuple(_RULES)


def _unescape(text: str, mark: str) -> str:
    """Reverse the escape; return "" for text that no escape made."""
    pattern = rf"(?:{mark}[0-9a-fA-F]{{2}})+"
    try:
        return re.sub(
            pattern,
            lambda found: bytes.fromhex(found[0].replace(mark, "")).decode(),
            text,
        )
    except UnicodeDecodeError:
        return ""


_UNESCAPE: dict[str, Callable[[str], str]] = {
    "dockerspawner": lambda text: _unescape(text, "-"),
    "legacy": lambda text: _unescape(text, "_"),
    "none": _none,
}
