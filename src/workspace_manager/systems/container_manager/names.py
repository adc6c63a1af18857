"""Names of containers and stacks as the engine and Portainer take them, and addresses of stacks.

See docs/systems/usernames.md#rules-of-each-system.
"""

import re
import unicodedata
from typing import Final
from urllib.parse import urlsplit

from workspace_manager.contract.connector import Target
from workspace_manager.contract.names import NameImpossible
from workspace_manager.systems.container_manager.messages import message
from workspace_manager.systems.container_manager.settings import Settings

STACK_KIND: Final = "container_manager.stack"
VOLUMES_KIND: Final = "container_manager.stack_volumes"

PROJECT_LABEL: Final = "com.docker.compose.project"
"""Label of every container, network and volume of a stack; its value is the normalised name."""
MARK_LABEL: Final = "workspace.manager.component"
"""The label of everything in our stacks; its value is the component's id."""

VOLUME_LABEL: Final = "com.docker.compose.volume"
"""Label of a volume of a stack; its value is the volume's key in the compose file."""
HELPER_LABEL: Final = "workspace.manager.snapshot"
"""Label of the container that moves the content of a stack's volumes; its value is the stack's
mark.
"""
STOPPED_LABEL: Final = "workspace.manager.stopped"
"""Label of that container, too; its value is the ids of the containers to start once it is gone."""

STACK_PREFIX: Final = "ws-"
"""The prefix of our stacks."""
BESIDE_SUFFIX: Final = "-restored"
"""The suffix of the project of volumes that a restore in place filled beside those of a stack. The
name of a stack ends with digits of an id, so none ends like this.
"""
STACK_LENGTH: Final = 40
"""The longest name of a stack; suffixes for services, networks, volumes and groups need room."""

_CONTAINER_NAME = re.compile(r"[a-zA-Z0-9][a-zA-Z0-9_.-]*")
_FULL_ID = re.compile(r"[0-9a-f]{64}")
_UNIQUE = re.compile(r"[a-z0-9]{4,32}")
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_OF_UUID = 12
_PORTS = re.compile(r"([0-9]{1,5})\s*-\s*([0-9]{1,5})")
_LOWEST_PORT, _HIGHEST_PORT = 1024, 65535
_SELF = "127.0.0.1"


KEEP_VOLUMES: Final = "keep_volumes"
"""The note of a stack's removal that keeps its anonymous volumes, too."""


def stack_target(stack: str, mark: str) -> Target:
    """Return the target of a stack: its exact name and the mark that everything in it carries."""
    return {"stack": stack, "mark": mark}


def stack_volumes_target(stack: str, mark: str) -> Target:
    """Return the target of a stack's volumes, which is that of the stack."""
    return stack_target(stack, mark)


def content_address(stack: str, mark: str) -> str:
    """Return the address of a stack's content, by which its volumes are found."""
    return f"{stack}/{mark}"


def content_target(address: str) -> Target:
    """Return the stack whose content has this address."""
    stack, _, mark = address.partition("/")
    return stack_target(stack, mark)


def stack_beside(stack: str) -> str:
    """Return the project of the volumes that a restore in place fills beside those of a stack."""
    return stack + BESIDE_SUFFIX


def is_beside(project: str) -> bool:
    return project.endswith(BESIDE_SUFFIX)


def stack_in_place(project: str) -> str:
    """Return the stack that a project of volumes belongs to, be they its own or those beside."""
    return project.removesuffix(BESIDE_SUFFIX)


def helper_name(stack: str) -> str:
    """Return the name of the container that moves a stack's content. Compose numbers its
    containers, so none of a stack can have this name.
    """
    return f"{stack}-snapshot"


def switch_name(stack: str) -> str:
    """Return the name of the container that replaces the content of a stack's volumes."""
    return f"{stack}-switch"


def switched_name(stack: str) -> str:
    """Return the name of the container that records that all volumes of a stack are replaced."""
    return f"{stack}-switched"


def is_container_name(name: str) -> bool:
    """Return whether a container can have this name; an engine refuses other names at creation."""
    return _CONTAINER_NAME.fullmatch(name) is not None


def is_full_id(text: str) -> bool:
    """Return whether this is a complete id. A shorter one addresses any container whose id begins
    with it.
    """
    return _FULL_ID.fullmatch(text) is not None


def is_stack_name(name: str) -> bool:
    """Return whether a stack can be made and deleted under exactly this name."""
    return re.fullmatch(r"[a-z0-9][-_a-z0-9]*", name) is not None


def stack_name(username: str, label: str, unique: str) -> str:
    """Return the name of a stack: `ws-<what a person recognises>-<unique>`, at most 40 characters.

    `username`, `label`: everything except letters and digits becomes `-`, and both are cut if they
    are too long. `unique`: the component's UUID, of which the last group is enough to tell stacks
    apart, or 4 to 32 characters of [a-z0-9]. It follows the last `-`, so that two stacks still
    differ after Portainer's normalising. Raises NameImpossible for another one.
    """
    part = unique.replace("-", "")[:_OF_UUID] if _UUID.fullmatch(unique) else unique
    if not _UNIQUE.fullmatch(part):
        raise NameImpossible(message("impossible_unique_part"))
    room = STACK_LENGTH - len(STACK_PREFIX) - 1 - len(part)
    user, thing = _readable(username), _readable(label)
    user = user[: max(room - 1 - len(thing), room // 2)]
    readable = f"{user}-{thing}"[:room].strip("-")
    return f"{STACK_PREFIX}{readable}-{part}" if readable else f"{STACK_PREFIX}{part}"


def _readable(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")


def stack_url(settings: Settings, name: str, port: int) -> str:
    """Return the address of a stack's web part: from the setting, or its port on the container
    manager's host.
    """
    if settings.stack_address:
        found = settings.stack_address.replace("{name}", name).replace("{port}", str(port))
        return found.rstrip("/")
    host = urlsplit(settings.url).hostname
    if settings.url.startswith("unix:") or not host:
        host = _SELF
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def ports(settings: Settings) -> range:
    """Return the ports that may be reserved for stacks; none if the setting is unusable, which
    `check` reports.
    """
    found = _PORTS.fullmatch(settings.stack_ports.strip())
    first, last = (int(found[1]), int(found[2])) if found else (1, 0)
    if not _LOWEST_PORT <= first <= last <= _HIGHEST_PORT:
        return range(0)
    return range(first, last + 1)
