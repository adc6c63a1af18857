"""The forms that parts of a compose file have: each says yes or no to whatever was read.

A form lets through what is known to be harmless, and nothing else: programs that read the file know
short ways of writing (`name:/path:O,upperdir=/etc`) that mean more than they seem to.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

Shape: TypeAlias = Callable[[Any], bool]


def text(pattern: str) -> Shape:
    """A text that is all of this pattern."""
    known = re.compile(pattern)
    return lambda found: isinstance(found, str) and known.fullmatch(found) is not None


def flag(found: Any) -> bool:
    return isinstance(found, bool)


def whole(found: Any) -> bool:
    return isinstance(found, int) and not isinstance(found, bool)


def number(found: Any) -> bool:
    return whole(found) or isinstance(found, float)


def scalar(found: Any) -> bool:
    return isinstance(found, str | int | float)


def any_of(*shapes: Shape) -> Shape:
    return lambda found: any(fits(found) for fits in shapes)


def list_of(inner: Shape) -> Shape:
    return lambda found: isinstance(found, list) and all(inner(one) for one in found)


def names_to(inner: Shape, names: Shape) -> Shape:
    """A mapping whose names have one form and whose values another."""
    return lambda found: (
        isinstance(found, dict)
        and all(names(name) and inner(value) for name, value in found.items())
    )


def parts(known: Mapping[str, Shape]) -> Shape:
    """A mapping of these parts, any of which may be left out."""
    return lambda found: (
        isinstance(found, dict)
        and all(name in known and known[name](value) for name, value in found.items())
    )


def checked_later(_found: Any) -> bool:
    """What `compose_rules` looks at by itself, since it names other parts of the file."""
    return True


ANY_TEXT: Final = text(r"(?s).*")
WORD: Final = text(r"[A-Za-z0-9][A-Za-z0-9_.-]*")
PATH: Final = text(r"/[^:,\s]*[^:,\s/]")
"""Absolute, inside a container, and without what separates it from something else."""
SIZE: Final = any_of(whole, text(r"[0-9]+(?:\.[0-9]+)?[bkmgBKMG]?[bB]?"))
TIME: Final = text(r"(?:[0-9]+(?:\.[0-9]+)?(?:us|ms|s|m|h))+")
COMMAND: Final = any_of(ANY_TEXT, list_of(ANY_TEXT))
_ADDRESS: Final = r"(?:[0-9]{1,3}(?:\.[0-9]{1,3}){3}|[0-9a-fA-F:]*:[0-9a-fA-F:.]+|host-gateway)"
HOSTS: Final = any_of(
    names_to(text(_ADDRESS), WORD), list_of(text(rf"[A-Za-z0-9][A-Za-z0-9_.-]*[:=]{_ADDRESS}"))
)
_TRANSPORTS: Final = (
    "atomic|containers-storage|dir|docker-archive|docker-daemon|oci|oci-archive|sif"
)
IMAGE: Final = text(
    # Of a registry: what podman takes for a path of its host begins with the name of a transport.
    rf"(?!(?:{_TRANSPORTS}|ostree|tarball):)[a-z0-9][\w.-]*(?::[0-9]+(?=/))?(?:/[\w.-]+)*"
    r"(?::[\w][\w.-]{0,127})?(?:@sha256:[0-9a-f]{64})?"
)
_MOUNTED: Final = r"(?:(?:size|mode|uid|gid)=[0-9]+[kmg]?|noexec|nosuid|nodev|ro|rw)"
TMPFS: Final = text(rf"/[^:,\s]*[^:,\s/](?::{_MOUNTED}(?:,{_MOUNTED})*)?")
HEALTH: Final = parts(
    {
        "disable": flag,
        "interval": TIME,
        "retries": whole,
        "start_period": TIME,
        "test": COMMAND,
        "timeout": TIME,
    }
)
LIMITS: Final = names_to(
    any_of(whole, parts({"soft": whole, "hard": whole})), names=text(r"[a-z]+")
)
PORT: Final = any_of(whole, text(r"[0-9]+(?:-[0-9]+)?(?:/(?:tcp|udp))?"))
NETWORK_ABOUT: Final = {"aliases": list_of(WORD)}
START_ABOUT: Final = {
    "condition": text("service_(?:started|healthy|completed_successfully)"),
    "required": flag,
    "restart": flag,
}
