"""What Portainer's compose does with a stack: check the file, make network, volumes and containers,
take them down again.
"""

import hashlib
import json
import re
from dataclasses import dataclass, field
from typing import Any

import yaml

from workspace_sandbox.stand_ins.container_manager.link import Link
from workspace_sandbox.stand_ins.container_manager.rules import PROJECT
from workspace_sandbox.stand_ins.container_manager.wire import Call, Reply

VERSION = "2.29.2"
_COMPOSE = "com.docker.compose."
"""What the labels begin with that Compose gives a container."""
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
}


class ComposeFailed(Exception):
    """Compose ended with an error; `text` is what it printed."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text + "\n"


@dataclass
class Project:
    """One stack as compose sees it."""

    name: str
    file: str
    env: list[dict[str, str]]
    directory: str
    progress: list[str] = field(default_factory=list)


class Compose:
    """`up` and `down` through the Docker API, so that they work on any engine."""

    def __init__(self, link: Link) -> None:
        self._link = link

    async def containers(self, project: str) -> list[dict[str, Any]]:
        """The project's containers, running or not: what bears its name and was made by Compose."""
        found = await self._ask("GET", "/containers/json", {"all": "1", **_label(project)})
        listed = found.json() if found.status == 200 else None
        every = listed if isinstance(listed, list) else []
        return [one for one in every if f"{_COMPOSE}config-hash" in (one.get("Labels") or {})]

    async def up(self, project: Project) -> None:
        """Make it as the file says. Raises ComposeFailed; what is there then is the caller's to
        take down.
        """
        services = _services(project)
        existing = {name for c in await self.containers(project.name) for name in c["Names"]}
        await self._volumes(project, services)
        if not existing:
            project.progress.append(f" Network {project.name}_default  Creating")
            await self._post(
                "/networks/create",
                {"Name": f"{project.name}_default", "Labels": {PROJECT: project.name}},
            )
            project.progress.append(f" Network {project.name}_default  Created")
        made = []
        for service, wanted in services.items():
            name = f"{project.name}-{service}-1"
            words = ("Recreate", "Recreated") if f"/{name}" in existing else ("Creating", "Created")
            if f"/{name}" in existing:
                await self._ask("DELETE", f"/containers/{name}", {"force": "1"})
            project.progress.append(f" Container {name}  {words[0]}")
            made.append((name, await self._create(project, service, name, wanted)))
            project.progress.append(f" Container {name}  {words[1]}")
        for name, number in made:
            project.progress.append(f" Container {name}  Starting")
            started = await self._ask("POST", f"/containers/{number}/start")
            if started.status >= 400:
                self._fail(project, started)
            project.progress.append(f" Container {name}  Started")

    async def down(self, project: str) -> None:
        """Remove containers and network; volumes stay."""
        for container in await self.containers(project):
            await self._ask("POST", f"/containers/{container['Id']}/stop", {"t": "10"})
            await self._ask("DELETE", f"/containers/{container['Id']}", {"force": "1"})
        await self._ask("DELETE", f"/networks/{project}_default")

    async def _volumes(self, project: Project, services: dict[str, dict[str, Any]]) -> None:
        names = {
            str(volume).partition(":")[0]
            for wanted in services.values()
            for volume in wanted.get("volumes") or []
        }
        for name in sorted(name for name in names if name and name[0] not in "./~"):
            labels = {
                PROJECT: project.name,
                "com.docker.compose.version": VERSION,
                "com.docker.compose.volume": name,
            }
            await self._post(
                "/volumes/create", {"Name": f"{project.name}_{name}", "Labels": labels}
            )

    async def _create(
        self, project: Project, service: str, name: str, wanted: dict[str, Any]
    ) -> str:
        command = wanted.get("command")
        binds = [str(volume) for volume in wanted.get("volumes") or []]
        network = f"{project.name}_default"
        body = {
            "Image": str(wanted.get("image", "")),
            "Cmd": command if isinstance(command, list) else None,
            "Env": _environment(wanted.get("environment")),
            "Labels": _labels(project, service, wanted),
            "HostConfig": {
                "Binds": [b if b[0] in "./~" else f"{project.name}_{b}" for b in binds],
                "RestartPolicy": {"Name": str(wanted.get("restart") or "")},
                "NetworkMode": network,
            },
            "NetworkingConfig": {"EndpointsConfig": {network: {"Aliases": [name, service]}}},
        }
        made = await self._post(f"/containers/create?name={name}", body)
        if made.status >= 400:
            self._fail(project, made)
        return str(made.json()["Id"])

    def _fail(self, project: Project, reply: Reply) -> None:
        why = str((reply.json() or {}).get("message", "unknown error"))
        raise ComposeFailed("\n".join([*project.progress, f"Error response from daemon: {why}"]))

    async def _post(self, path: str, body: dict[str, Any]) -> Reply:
        path, _, query = path.partition("?")
        headers = {"Content-Type": "application/json"}
        return await self._link.call(Call("POST", path, query, json.dumps(body).encode(), headers))

    async def _ask(self, method: str, path: str, query: dict[str, str] | None = None) -> Reply:
        joined = "&".join(f"{key}={value}" for key, value in (query or {}).items())
        return await self._link.call(Call(method, path, joined))


def check_name(name: str) -> None:
    """Raises ComposeFailed for a name compose refuses; an empty one is taken for
    the directory's.
    """
    if name and not _PROJECT_NAME.fullmatch(name):
        raise ComposeFailed(
            f'invalid project name "{name}": must consist only of lowercase alphanumeric '
            f"characters, hyphens, and "
            "underscores as well as start with a letter or number"
        )


def _services(project: Project) -> dict[str, dict[str, Any]]:
    check_name(project.name)
    try:
        found = yaml.safe_load(project.file)
    except yaml.YAMLError as wrong:
        mark = getattr(wrong, "problem_mark", None)
        problem = str(getattr(wrong, "problem", "") or "did not find expected node content")
        line = max(1, mark.line - 1) if mark else 1
        raise ComposeFailed(f"yaml: line {line}: {_as_go(problem)}") from wrong
    values = {pair["name"]: _from_env_file(pair["value"]) for pair in project.env}
    services = _interpolated(found, values).get("services") if isinstance(found, dict) else None
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
    return services


def _as_go(problem: str) -> str:
    """libyaml's words where PyYAML says more."""
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
    """What is left of a value after Portainer wrote it into an env file: it is not
    taken literally.
    """
    line = value.split("\n", maxsplit=1)[0].split(" #", maxsplit=1)[0]
    return re.sub(r"\$\$|\$\w+", lambda m: "$" if m[0] == "$$" else "", line).rstrip()


def _environment(given: Any) -> list[str]:
    if isinstance(given, dict):
        return [f"{key}={'' if value is None else value}" for key, value in given.items()]
    return [str(entry) for entry in given or []]


def _labels(project: Project, service: str, wanted: dict[str, Any]) -> dict[str, str]:
    own = wanted.get("labels") or {}
    if isinstance(own, list):
        own = dict(str(entry).partition("=")[::2] for entry in own)
    compose = {
        "config-hash": hashlib.sha256(json.dumps(wanted, sort_keys=True).encode()).hexdigest(),
        "container-number": "1",
        "depends_on": "",
        "image": "",
        "oneoff": "False",
        "project.config_files": f"{project.directory}/docker-compose.yml",
        "project.working_dir": project.directory,
        "service": service,
        "version": VERSION,
    }
    if project.env:
        compose["project.environment_file"] = f"{project.directory}/stack.env"
    return {
        **{str(key): str(value) for key, value in own.items()},
        PROJECT: project.name,
        **{f"{_COMPOSE}{key}": value for key, value in compose.items()},
    }


def _label(project: str) -> dict[str, str]:
    wanted = json.dumps({"label": [f"{PROJECT}={project}"]}, separators=(",", ":"))
    return {"filters": re.sub(r'[{}":,\[\]= ]', lambda m: f"%{ord(m[0]):02X}", wanted)}
