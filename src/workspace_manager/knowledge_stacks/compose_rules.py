"""Each part of a compose file is one that is carried out, or it is refused by its name."""

import re
from collections.abc import Collection, Mapping
from typing import Any, Final

from workspace_manager.knowledge_stacks import compose_features as features
from workspace_manager.knowledge_stacks import compose_shapes as shapes
from workspace_manager.knowledge_stacks import compose_variables as variables
from workspace_manager.knowledge_stacks.compose_messages import message
from workspace_manager.knowledge_stacks.compose_shapes import Shape
from workspace_manager.knowledge_stacks.compose_text import Values, refused

MOST_SERVICES: Final = 20
NAME: Final = re.compile(r"[a-zA-Z0-9][a-zA-Z0-9_.-]{0,62}")
VARIABLE_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
HOST_PATH: Final = re.compile(r"[./~\\]|[A-Za-z]:[\\/]")
MOUNT: Final = re.compile(
    rf"(?P<name>{NAME.pattern}):(?P<path>/[^:,\s]*[^:,\s/])(?::(?:ro|rw|z|Z)(?:,(?:ro|rw|z|Z))*)?"
)
"""A named volume and where it is mounted. Other options are none of a name's: `O` and what follows
it puts folders of the host into the container, `U` gives them to somebody else.
"""


def checked_things(document: Values, *, privileged: bool) -> Values:
    """The file with its volumes and networks, each a mapping. Raises BadInput."""
    _known(document, features.TOP, "compose.yaml")
    services = document.get("services")
    if not isinstance(services, dict) or not services:
        raise refused(message("no_services"))
    if len(services) > MOST_SERVICES:
        raise refused(message("too_many_services", most=MOST_SERVICES))
    made: Values = {"services": dict(services)}
    for thing, known in (("volumes", features.VOLUME), ("networks", features.NETWORK)):
        found = document.get(thing) or {}
        if not isinstance(found, dict):
            raise refused(message("shape", where=thing, feature=thing))
        made[thing] = {
            name: _thing(f"{thing}: {name}", name, about, known, privileged=privileged)
            for name, about in found.items()
        }
    return made


def _thing(
    where: str, name: str, about: Any, known: Mapping[str, Shape], *, privileged: bool
) -> Values:
    _named(name, where)
    if len(name) == 1 and known is features.VOLUME:
        # A volume is named before a colon, where one letter is a drive of Windows.
        raise refused(message("name", name=name, where=where))
    if about is not None and not isinstance(about, dict):
        raise refused(message("shape", where=where, feature=name))
    about = dict(about or {})
    if "driver_opts" in about and not privileged:
        raise refused(message("privileged", where=where, feature="driver_opts"))
    _fits(about, {**known, **features.DRIVER_OPTS}, where)
    return {**about, "labels": _mapping(about.get("labels"), where, "labels")}


def _named(name: str, where: str) -> None:
    if not NAME.fullmatch(name):
        raise refused(message("name", name=name, where=where))


def _known(part: Values, known: Collection[str], where: str) -> None:
    for feature in part:
        if feature in features.MANAGED:
            raise refused(message("managed", where=where, feature=feature))
        if feature not in known:
            raise refused(message("not_carried_out", where=where, feature=feature))


def _fits(part: Values, known: Mapping[str, Shape], where: str) -> None:
    """Every feature is one of these, and has its form."""
    _known(part, known, where)
    variables.refuse_elsewhere(where, part)
    for feature, value in part.items():
        if known[feature](value):
            continue
        if feature == "driver" and isinstance(value, str):
            raise refused(message("not_carried_out", where=where, feature=f"driver: {value}"))
        raise refused(message("shape", where=where, feature=feature))


def checked_services(document: Values, *, privileged: bool) -> None:
    """Check every service, and give each its environment and labels as mappings. Raises
    BadInput.
    """
    for name, service in document["services"].items():
        _named(name, "services")
        if not isinstance(service, dict):
            raise refused(message("shape", where="services", feature=name))
        asked = [feature for feature in service if feature in features.PRIVILEGED]
        if asked and not privileged:
            raise refused(message("privileged", where=name, feature=asked[0]))
        _fits(service, {**features.SERVICE, **features.PRIVILEGED}, name)
        if "image" not in service:
            raise refused(message("no_image", where=name))
        service = {
            **service,
            "environment": _mapping(service.get("environment"), name, "environment"),
            "labels": _mapping(service.get("labels"), name, "labels"),
        }
        _volumes(name, service, document["volumes"], privileged=privileged)
        _named_ones(name, service, "networks", document["networks"])
        _named_ones(name, service, "depends_on", document["services"])
        document["services"][name] = service


def _mapping(found: Any, where: str, feature: str) -> dict[str, str]:
    """`- NAME=value` and `NAME: value` are the same; a name without value would be taken from
    wherever the engine runs, and is refused.
    """
    pairs: dict[str, Any] = {}
    if isinstance(found, list):
        for line in found:
            name, equals, value = str(line).partition("=")
            if not isinstance(line, str) or not equals:
                raise refused(message("no_value", where=where, feature=feature, name=name))
            pairs[name] = value
    elif isinstance(found, dict):
        pairs = found
    elif found is not None:
        raise refused(message("shape", where=where, feature=feature))
    for name, value in pairs.items():
        if value is None or isinstance(value, dict | list):
            raise refused(message("no_value", where=where, feature=feature, name=name))
        if feature == "environment" and not VARIABLE_NAME.fullmatch(name):
            raise refused(message("name", name=name, where=where))
        if feature == "labels" and name.startswith(features.MANAGED_LABELS):
            raise refused(message("managed", where=where, feature=name))
    return {name: _text(value) for name, value in pairs.items()}


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _volumes(name: str, service: Values, declared: Values, *, privileged: bool) -> None:
    found = service.get("volumes", [])
    if not isinstance(found, list):
        raise refused(message("shape", where=name, feature="volumes"))
    for one in found:
        kind, source = _mount(name, one)
        if kind == "tmpfs":
            continue
        if kind == "bind":
            if not privileged:
                raise refused(message("host_path", where=name, path=source))
        elif kind != "volume":
            raise refused(message("not_carried_out", where=name, feature=f"volumes: {kind}"))
        elif source not in declared:
            raise refused(message("no_such_volume", where=name, name=source))


def _mount(name: str, one: Any) -> tuple[str, str]:
    """What kind of mount it is, and of what."""
    if isinstance(one, str):
        return _short_mount(name, one)
    if not isinstance(one, dict):
        raise refused(message("shape", where=name, feature="volumes"))
    kind = one.get("type")
    _fits(one, features.LONG_TMPFS if kind == "tmpfs" else features.LONG_VOLUME, name)
    source = one.get("source", "")
    if "target" not in one or not isinstance(kind, str):
        raise refused(message("shape", where=name, feature="volumes"))
    return "bind" if kind == "volume" and HOST_PATH.match(source) else kind, source


def _short_mount(name: str, one: str) -> tuple[str, str]:
    """Three parts between colons, and no more: what is no name and no path of the host is
    refused.
    """
    if ":" not in one:
        raise refused(message("unnamed_volume", where=name, path=one))
    if HOST_PATH.match(one):
        return "bind", one
    found = MOUNT.fullmatch(one)
    if found is None:
        raise refused(message("not_carried_out", where=name, feature=f"volumes: {one}"))
    return "volume", found["name"]


def _named_ones(name: str, service: Values, feature: str, there: Values) -> None:
    """A list or mapping of names, each of which has to be in the file."""
    found = service.get(feature, [])
    if not isinstance(found, list | dict):
        raise refused(message("shape", where=name, feature=feature))
    known = {*there, "default"} if feature == "networks" else {*there}
    for one in found:
        if not isinstance(one, str) or one not in known:
            raise refused(message("not_there", where=name, feature=feature, name=str(one)))
        if isinstance(found, dict):
            _about_named(name, feature, found[one])


def _about_named(name: str, feature: str, about: Any) -> None:
    """What stands behind a name: an alias of a network, a condition of a start."""
    if about is None:
        return
    if not isinstance(about, dict):
        raise refused(message("shape", where=name, feature=feature))
    _fits(about, shapes.NETWORK_ABOUT if feature == "networks" else shapes.START_ABOUT, name)
