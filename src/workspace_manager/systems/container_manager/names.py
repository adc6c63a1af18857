"""Names of containers and stacks as the engine and Portainer take them.

See docs/systems/usernames.md#rules-of-each-system.
"""

import re

from workspace_manager.contract.connector import Target

_CONTAINER_NAME = re.compile(r"[a-zA-Z0-9][a-zA-Z0-9_.-]*")
_FULL_ID = re.compile(r"[0-9a-f]{64}")
PROJECT_LABEL = "com.docker.compose.project"
"""Label of every container and volume of a stack; its value is the normalised name."""


def container_target(name: str) -> Target:
    """Identify one container by its exact name."""
    return {"container": name}


def is_container_name(name: str) -> bool:
    """Whether a container can have this name at all; an engine refuses every other name at
    creation.
    """
    return _CONTAINER_NAME.fullmatch(name) is not None


def is_full_id(text: str) -> bool:
    """Whether this is a complete id. A shorter one addresses whatever container's id begins like
    it.
    """
    return _FULL_ID.fullmatch(text) is not None


def normalised_stack_name(name: str) -> str:
    """Give the name Portainer stores: lower case, everything outside `[-_a-z0-9]` deleted.

    Two different names may become one ("Jo.hn" and "john"), and "@@@" becomes empty, which
    Portainer accepts and can never delete again: reserve the result, and refuse a name for which it
    is empty or begins with a dash or underscore.
    """
    return re.sub(r"[^-_a-z0-9]", "", name.lower())


def is_stack_name(name: str) -> bool:
    """Whether a stack can be made and deleted under exactly this name."""
    return re.fullmatch(r"[a-z0-9][-_a-z0-9]*", name) is not None
