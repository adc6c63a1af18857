"""Compose's output, reduced to messages of ours: its own words may contain a secret."""

from workspace_manager.contract.message import Message
from workspace_manager.systems.container_manager.messages import message

_SIGNS: tuple[tuple[Message, tuple[str, ...]], ...] = (
    (
        message("why_port"),
        ("port is already allocated", "address already in use", "ports are not available"),
    ),
    (message("why_name"), ("is already in use", "incorrect label", "already exists")),
    (
        message("why_image"),
        (
            *("no such image", "image not known", "manifest unknown", "pull access denied"),
            *("unable to retrieve auth token", "failed to resolve", "repository does not exist"),
            *(
                "unable to pull",
                "initializing source",
                "error pulling image",
                "not found: manifest",
            ),
        ),
    ),
    (
        message("why_file"),
        ("yaml:", "is not allowed", "invalid compose", "unsupported config option", "is invalid"),
    ),
    (
        message("why_engine"),
        (
            *("cannot connect to the docker daemon", "couldn't connect to docker daemon"),
            *("bad gateway", "connection refused", "error while fetching server api version"),
        ),
    ),
)


def failure_reason(printed: str) -> Message:
    """Return the reason of a failure in our words."""
    said = printed.lower()
    for reason, signs in _SIGNS:
        if any(sign in said for sign in signs):
            return reason
    return message("why_unknown")
