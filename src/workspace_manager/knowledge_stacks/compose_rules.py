"""Rules that no schema of a compose file has: environment and labels are written in two ways, and
parts of the file name others.
"""

import re
from typing import Any, Final

from workspace_manager.knowledge_stacks.compose_features import KINDS, NAME, PATH, VARIABLES_IN
from workspace_manager.knowledge_stacks.compose_text import Values, compose_refusal
from workspace_manager.knowledge_stacks.messages import message

HOST_PATH: Final = re.compile(r"[./~\\]|[A-Za-z]:[\\/]")
MOUNT: Final = re.compile(rf"(?P<name>{NAME}):{PATH}(?::(?:ro|rw|z|Z)(?:,(?:ro|rw|z|Z))*)?")
"""A named volume and where it is mounted. Other options are none of a name's: `O` and what follows
it puts folders of the host into the container, `U` gives them to somebody else.
"""


def in_one_form(document: Values) -> Values:
    """The file with what may be left out, and with environment and labels as mappings of texts.

    What has no form of a compose file stays as it is, for whoever refuses it.
    """
    made: Values = {**dict.fromkeys(KINDS), **document}
    made.pop("version", None)  # it says nothing any more
    for kind in KINDS:
        things = made[kind] or {}
        if isinstance(things, dict):
            things = {name: _in_one_form(kind, thing) for name, thing in things.items()}
        made[kind] = things
    return made


def _in_one_form(kind: str, thing: Any) -> Any:
    if thing is None and kind != "services":
        thing = {}
    if not isinstance(thing, dict):
        return thing
    mappings = VARIABLES_IN if kind == "services" else ("labels",)
    made = {**thing, **{feature: _mapping(thing.get(feature)) for feature in mappings}}
    if type(made.get("user")) is int:
        made["user"] = str(made["user"])  # a user is a text to every compose program
    return made


def _mapping(found: Any) -> Any:
    """`- NAME=value` and `NAME: value` are the same. A name without value would be taken from
    wherever the engine runs: it has None, and is refused.
    """
    if isinstance(found, list):
        pairs = [str(line).partition("=") for line in found]
        return {name: value if equals else None for name, equals, value in pairs}
    if isinstance(found, dict):
        return {name: _text(value) for name, value in found.items()}
    return {} if found is None else found


def _text(value: Any) -> Any:
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, int | float) else value


def refuse_unknown_names(document: Values, *, privileged: bool) -> None:
    """Raises BadInput for a volume, network or service that is not in the file, and for a path of
    the host.
    """
    for name, service in document["services"].items():
        for mount in service.get("volumes", []):
            _mounted(name, mount, document["volumes"], privileged=privileged)
        known = {"networks": {*document["networks"], "default"}, "depends_on": document["services"]}
        for feature, there in known.items():
            for one in service.get(feature, []):
                if one not in there:
                    raise compose_refusal(
                        message("not_there", where=name, feature=feature, name=one)
                    )


def _mounted(where: str, mount: Values | str, there: Values, *, privileged: bool) -> None:
    kind, source = _short(where, mount) if isinstance(mount, str) else _long(mount)
    if kind == "bind" and not privileged:
        raise compose_refusal(message("host_path", where=where, path=source))
    if kind == "volume" and source not in there:
        raise compose_refusal(message("no_such_volume", where=where, name=source))


def _long(mount: Values) -> tuple[str, str]:
    """The kind of a mount, and its source."""
    kind, source = mount["type"], mount.get("source", "")
    return "bind" if kind == "volume" and HOST_PATH.match(source) else kind, source


def _short(where: str, mount: str) -> tuple[str, str]:
    """Three parts between colons, and no more: what is no name and no path of the host is
    refused.
    """
    if ":" not in mount:
        raise compose_refusal(message("unnamed_volume", where=where, path=mount))
    if HOST_PATH.match(mount):
        return "bind", mount
    found = MOUNT.fullmatch(mount)
    if found is None:
        raise compose_refusal(message("not_carried_out", where=where, feature=f"volumes: {mount}"))
    return "volume", found["name"]
