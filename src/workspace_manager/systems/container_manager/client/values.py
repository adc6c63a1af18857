"""The secret values that a stack's compose file contains as `${NAME}`.

Portainer, Compose and the files between them do not take a value literally
(docs/systems/container-manager.md#stacks-what-bites), so only characters without a meaning to any
of them are allowed.
"""

import hashlib
import re
from collections.abc import Mapping

from workspace_manager.contract.errors import Invalid
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.container_manager.messages import message
from workspace_manager.systems.container_manager.names import STACK_KIND

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_LITERAL = re.compile(r"[A-Za-z0-9._~-]+")


def reveal_values(values: Mapping[str, Secret]) -> dict[str, str]:
    """Return the values in clear text for a call. Raises Invalid with the variable's name before
    anything is sent.
    """
    found = {name: secret.reveal() for name, secret in values.items()}
    for name, value in found.items():
        if not _NAME.fullmatch(name) or not _LITERAL.fullmatch(value):
            raise Invalid(
                message("value_not_literal", name=name),
                kind=STACK_KIND,
                doing=message("checking_values"),
                advice=message("renew_secret"),
            )
    return found


def digest(values: Mapping[str, Secret], mark: str) -> str:
    """Return a digest of these values. Raises Invalid like `reveal_values`. It is a label of the
    containers, whose environment contains the values: both have the same readers.
    """
    rows = [f"{name}={value}" for name, value in sorted(reveal_values(values).items())]
    return hashlib.sha256("\n".join([mark, *rows]).encode()).hexdigest()
