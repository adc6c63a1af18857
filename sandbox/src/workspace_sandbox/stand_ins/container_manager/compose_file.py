"""A stack's file as Compose reads it: checked, with its values in it."""

import re
from dataclasses import dataclass, field
from typing import Any

import yaml

_PROJECT_NAME = re.compile(r"[a-z0-9][-_a-z0-9]*")
_SERVICE_KEYS = {
    *("image", "command", "entrypoint", "environment", "volumes", "ports", "labels", "networks"),
    *(
        "depends_on",
        "restart",
        "pull_policy",
        "user",
        "working_dir",
        "container_name",
        "healthcheck",
    ),
    *("build", "expose", "env_file", "hostname", "privileged", "network_mode", "extra_hosts"),
    *("cap_drop", "cpus", "init", "mem_limit", "mem_reservation", "pids_limit", "read_only"),
    *("shm_size", "stop_grace_period", "stop_signal", "tmpfs", "ulimits"),
}


class ComposeFailed(Exception):
    """Compose ended with an error; `text` is what it printed."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text + "\n"


@dataclass
class Project:
    """One stack, as Compose gets it."""

    name: str
    file: str
    env: list[dict[str, str]]
    directory: str
    progress: list[str] = field(default_factory=list)


def check_name(name: str) -> None:
    """Raise ComposeFailed for a name that Compose refuses; an empty one means the directory's."""
    if name and not _PROJECT_NAME.fullmatch(name):
        raise ComposeFailed(
            f'invalid project name "{name}": must consist only of lowercase alphanumeric '
            f"characters, hyphens, and "
            "underscores as well as start with a letter or number"
        )


def read(project: Project) -> dict[str, Any]:
    """Return the file with its values in it. Raises ComposeFailed."""
    check_name(project.name)
    try:
        found = yaml.safe_load(project.file)
    except yaml.YAMLError as wrong:
        mark = getattr(wrong, "problem_mark", None)
        problem = str(getattr(wrong, "problem", "") or "did not find expected node content")
        line = max(1, mark.line - 1) if mark else 1
        raise ComposeFailed(f"yaml: line {line}: {_as_go(problem)}") from wrong
    values = {pair["name"]: _from_env_file(pair["value"]) for pair in project.env}
    document = _interpolated(found, values) if isinstance(found, dict) else {}
    services = document.get("services")
    if not isinstance(services, dict) or not services:
        raise ComposeFailed("no service selected")
    for name, wanted in services.items():
        for key in wanted:
            if key not in _SERVICE_KEYS:
                raise ComposeFailed(
                    f"validating {project.directory}/docker-compose.yml: services.{name} "
                    f"Additional property {key} "
                    "is not allowed"
                )
    return dict(document)


def _as_go(problem: str) -> str:
    """Return libyaml's words in place of PyYAML's longer ones."""
    if problem.startswith("expected ',' or ']'"):
        return "did not find expected ',' or ']'"
    return "did not find expected node content"


def _interpolated(node: Any, values: dict[str, str]) -> Any:
    """Put the values into every text of the parsed file, as compose does."""
    if isinstance(node, dict):
        return {key: _interpolated(value, values) for key, value in node.items()}
    if isinstance(node, list):
        return [_interpolated(value, values) for value in node]
    if not isinstance(node, str):
        return node

    def value(found: re.Match[str]) -> str:
        return "$" if found[0] == "$$" else values.get(found[1] or found[3]) or found[2] or ""

    return re.sub(r"\$\$|\$\{(\w+)(?::?-([^}]*))?\}|\$(\w+)", value, node)


def _from_env_file(value: str) -> str:
    """Return what is left of a value after Portainer wrote it into an env file: it is not
    taken literally.
    """
    line = value.split("\n", maxsplit=1)[0].split(" #", maxsplit=1)[0]
    return re.sub(r"\$\$|\$\w+", lambda m: "$" if m[0] == "$$" else "", line).rstrip()


def environment(given: Any) -> list[str]:
    if isinstance(given, dict):
        return [f"{key}={'' if value is None else value}" for key, value in given.items()]
    return [str(entry) for entry in given or []]


def networks(service: dict[str, Any]) -> list[str]:
    """Return the networks of a service, by their keys; none if it uses the host's."""
    if service.get("network_mode"):
        return []
    return list(service.get("networks") or ["default"])


def mounted(volume: Any) -> tuple[str, str]:
    """Return source and target of a mount, in its short and its long form."""
    if isinstance(volume, dict):
        return str(volume.get("source") or ""), str(volume.get("target") or "")
    source, _, target = str(volume).partition(":")
    return source, target


def published(service: dict[str, Any]) -> dict[str, list[dict[str, str]]]:
    """Ports as the engine takes them: of `[address:]port:port`, the only form there is here."""
    found = {}
    for port in service.get("ports") or []:
        *before, inside = str(port).split(":")
        address = ":".join(before[:-1]) or "0.0.0.0"  # what Compose takes
        found[f"{inside}/tcp"] = [{"HostIp": address, "HostPort": before[-1] if before else ""}]
    return found


def own_labels(about: Any) -> dict[str, str]:
    """Return labels of a service, network or volume, given as a mapping or a list."""
    own = (about or {}).get("labels") or {}
    if isinstance(own, list):
        own = dict(str(entry).partition("=")[::2] for entry in own)
    return {str(key): str(value) for key, value in own.items()}
