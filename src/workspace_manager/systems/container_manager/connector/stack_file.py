"""The compose file of a stack, and our marks on everything in it.

Everything in a stack carries our mark: things with it may be removed, others belong to somebody
else. A second label identifies the file that a container was made from, and a third the values, as
no engine can tell whether the running stack is the wanted one.
"""

import hashlib
import json
import re
from dataclasses import dataclass
from typing import Any, Final

import yaml

from workspace_manager.contract.errors import Invalid
from workspace_manager.contract.message import Message
from workspace_manager.systems.container_manager.messages import message
from workspace_manager.systems.container_manager.names import MARK_LABEL, STACK_KIND

FILE_LABEL: Final = "workspace.manager.file"
VALUES_LABEL: Final = "workspace.manager.values"
_THINGS: Final = ("networks", "volumes")


@dataclass(frozen=True)
class StackFile:
    """A parsed compose file. `digest` identifies it."""

    services: tuple[str, ...]
    networks: tuple[str, ...]
    volumes: tuple[str, ...]
    digest: str
    document: dict[str, Any]

    def with_marks(self, mark: str, values: str) -> str:
        """Return the file to send: everything in it is labelled with the mark, the file and the
        values.
        """
        whose = {MARK_LABEL: mark}
        made_of = {**whose, FILE_LABEL: self.digest, VALUES_LABEL: values}
        marked = dict(self.document)
        marked["services"] = _with_labels(self.document["services"], made_of)
        for thing in _THINGS:
            marked[thing] = _with_labels(
                getattr(self, thing), whose, self.document.get(thing) or {}
            )
        return _as_json({name: part for name, part in marked.items() if part})

    def names(self, stack: str) -> dict[str, frozenset[str]]:
        """Return Compose's names of its containers, networks and volumes by kind: version 2 with
        hyphens, version 1 and podman-compose with underscores.
        """
        ways = ("{}-{}-1", "{}_{}_1")
        return {
            "containers": frozenset(w.format(stack, one) for one in self.services for w in ways),
            "networks": frozenset(f"{stack}_{one}" for one in self.networks),
            "volumes": frozenset(f"{stack}_{one}" for one in self.volumes),
        }


def read(text: str, mark: str) -> StackFile:
    """Parse a compose file. Raises Invalid for any other text, and if something in it could not be
    told apart from other people's things.
    """
    document = _parse(text)
    services = document.get("services")
    if not isinstance(services, dict) or not services:
        raise _invalid(message("not_a_stack_file", why=message("no_services")))
    for name, about in services.items():
        _check(str(name), about, mark, own_name="container_name")
    named: dict[str, tuple[str, ...]] = {}
    for thing in _THINGS:
        found = document.get(thing) or {}
        if not isinstance(found, dict):
            raise _invalid(message("not_a_stack_file", why=message("not_a_mapping", name=thing)))
        for name, about in found.items():
            _check(str(name), about or {}, mark, own_name="name")
        named[thing] = tuple(map(str, found))
    # Compose makes this network by itself, and it needs our mark like all others.
    networks = tuple(dict.fromkeys([*named["networks"], "default"]))
    digest = hashlib.sha256(text.encode()).hexdigest()
    return StackFile(tuple(map(str, services)), networks, named["volumes"], digest, document)


def is_marked(text: str, mark: str) -> bool:
    """Return whether every service of a file carries exactly this mark; False for an unreadable
    file.
    """
    try:
        services = _parse(text).get("services")
        return (
            isinstance(services, dict)
            and bool(services)
            and all(_labels(one).get(MARK_LABEL) == mark for one in services.values())
        )
    except Invalid:
        return False


def mark_of(text: str) -> str:
    """Return the mark that every service of a file carries, or ""."""
    try:
        services = _parse(text).get("services")
        every = services.values() if isinstance(services, dict) else ()
        marks = {_labels(one).get(MARK_LABEL, "") for one in every}
    except Invalid:
        return ""
    return str(marks.pop()) if len(marks) == 1 else ""


def _parse(text: str) -> dict[str, Any]:
    try:
        found = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError) as wrong:
        why = message("not_a_mapping", name="compose.yaml")
        raise _invalid(message("not_a_stack_file", why=why)) from wrong
    if not isinstance(found, dict):
        raise _invalid(
            message("not_a_stack_file", why=message("not_a_mapping", name="compose.yaml"))
        )
    return found


def _check(name: str, about: Any, mark: str, *, own_name: str) -> None:
    if not isinstance(about, dict):
        raise _invalid(message("not_a_stack_file", why=message("not_a_mapping", name=name)))
    if about.get(own_name) or about.get("external"):
        raise _invalid(message("has_own_name", name=name))
    if _labels(about).get(MARK_LABEL, mark) != mark:
        raise _invalid(message("marked_otherwise", name=name))


def _labels(about: Any) -> dict[str, str]:
    """Return the labels in either form of Compose: a mapping, or a list of `name=value`."""
    found = about.get("labels") if isinstance(about, dict) else None
    if isinstance(found, list):
        return dict(str(one).partition("=")[::2] for one in found)
    if not isinstance(found, dict):
        return {}
    return {str(name): "" if value is None else str(value) for name, value in found.items()}


def _with_labels(
    names: Any, labels: dict[str, str], about: dict[str, Any] | None = None
) -> dict[str, Any]:
    found = names if about is None else {name: about.get(name) or {} for name in names}
    return {name: {**one, "labels": {**_labels(one), **labels}} for name, one in found.items()}


def _as_json(document: dict[str, Any]) -> str:
    """Return the document as JSON, which every YAML parser reads alike: all texts are quoted, and
    characters outside ASCII are escaped.
    """
    text = json.dumps(document, ensure_ascii=False)
    return re.sub(r"[^\x20-\x7e]", lambda one: f"\\U{ord(one[0]):08x}", text)


def _invalid(why: Message) -> Invalid:
    return Invalid(
        why,
        kind=STACK_KIND,
        doing=message("reading_stack_file"),
        advice=message("correct_template"),
    )
