"""Portainer's compose for a stack: check the file, make network, volumes and containers,
take them down again.
"""

import hashlib
import json
import re
from typing import Any

from workspace_sandbox.stand_ins.container_manager.compose_file import (
    ComposeFailed,
    Project,
    environment,
    mounted,
    networks,
    own_labels,
    published,
    read,
)
from workspace_sandbox.stand_ins.container_manager.link import Link
from workspace_sandbox.stand_ins.container_manager.rules import PROJECT
from workspace_sandbox.stand_ins.container_manager.wire import Call, Reply

VERSION = "2.29.2"
_COMPOSE = "com.docker.compose."
"""The beginning of the labels that Compose gives a container."""


class Compose:
    """`up` and `down` through the Docker API, so that they work on any engine."""

    def __init__(self, link: Link) -> None:
        self._link = link

    async def containers(self, project: str) -> list[dict[str, Any]]:
        """Return the project's containers, running or not: those with its name that Compose
        made.
        """
        found = await self._ask("GET", "/containers/json", {"all": "1", **_label(project)})
        listed = found.json() if found.status == 200 else None
        every = listed if isinstance(listed, list) else []
        return [one for one in every if f"{_COMPOSE}config-hash" in (one.get("Labels") or {})]

    async def up(self, project: Project) -> None:
        """Make it as the file says. Raises ComposeFailed; what is there then is the caller's to
        take down.
        """
        document = read(project)
        services = document["services"]
        existing = {name for c in await self.containers(project.name) for name in c["Names"]}
        await self._volumes(project, document)
        if not existing:
            await self._networks(project, document)
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
        """Remove containers and networks; volumes stay. Raises ComposeFailed where a container
        cannot be stopped, as podman cannot a paused one.
        """
        for container in await self.containers(project):
            path = f"/containers/{container['Id']}"
            stopped = await self._ask("POST", f"{path}/stop", {"t": "10"})
            if stopped.status >= 400:
                raise ComposeFailed(f"Error response from daemon: {_why(stopped)}")
            await self._ask("DELETE", path, {"force": "1"})
        listed = await self._ask("GET", "/networks", _label(project))
        found = listed.json() if listed.status == 200 else None
        for network in found if isinstance(found, list) else []:
            await self._ask("DELETE", f"/networks/{network['Id']}")

    async def _networks(self, project: Project, document: dict[str, Any]) -> None:
        """Those that services are in; one of that name which is not the project's is a collision
        that Compose notices.
        """
        services = document["services"].values()
        for key in sorted({name for one in services for name in networks(one)}):
            name = f"{project.name}_{key}"
            labels = own_labels((document.get("networks") or {}).get(key))
            labels |= {PROJECT: project.name, f"{_COMPOSE}network": key}
            project.progress.append(f" Network {name}  Creating")
            made = await self._post("/networks/create", {"Name": name, "Labels": labels})
            if made.status >= 400:
                listed = await self._ask("GET", "/networks", _label(project.name))
                ours = [one["Name"] for one in listed.json() or []]
                if name not in ours:
                    wrong = f'incorrect label {_COMPOSE}network set to ""'
                    raise ComposeFailed(f"network {name} was found but has {wrong}")
            project.progress.append(f" Network {name}  Created")

    async def _volumes(self, project: Project, document: dict[str, Any]) -> None:
        services = document["services"].values()
        names = {mounted(volume)[0] for one in services for volume in one.get("volumes") or []}
        for name in sorted(name for name in names if name and name[0] not in "./~"):
            labels = {
                **own_labels((document.get("volumes") or {}).get(name)),
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
        binds = [":".join(mounted(volume)) for volume in wanted.get("volumes") or []]
        ports = published(wanted)
        inside = networks(wanted)
        network = f"{project.name}_{inside[0]}" if inside else str(wanted["network_mode"])
        ends = {network: {"Aliases": [name, service]}} if inside else {}
        body: dict[str, Any] = {
            "Image": str(wanted.get("image", "")),
            "Cmd": command if isinstance(command, list) else None,
            "Env": environment(wanted.get("environment")),
            "Labels": _labels(project, service, wanted),
            "ExposedPorts": {port: {} for port in ports},
            "HostConfig": {
                "Binds": [b if b[0] in "./~" else f"{project.name}_{b}" for b in binds if b],
                "PortBindings": ports,
                "RestartPolicy": {"Name": str(wanted.get("restart") or "")},
                "NetworkMode": network,
            },
            "NetworkingConfig": {"EndpointsConfig": ends},
        }
        made = await self._post(f"/containers/create?name={name}", body)
        if made.status >= 400:
            self._fail(project, made)
        return str(made.json()["Id"])

    def _fail(self, project: Project, reply: Reply) -> None:
        said = f"Error response from daemon: {_why(reply)}"
        raise ComposeFailed("\n".join([*project.progress, said]))

    async def _post(self, path: str, body: dict[str, Any]) -> Reply:
        path, _, query = path.partition("?")
        headers = {"Content-Type": "application/json"}
        return await self._link.call(Call("POST", path, query, json.dumps(body).encode(), headers))

    async def _ask(self, method: str, path: str, query: dict[str, str] | None = None) -> Reply:
        joined = "&".join(f"{key}={value}" for key, value in (query or {}).items())
        return await self._link.call(Call(method, path, joined))


def _labels(project: Project, service: str, wanted: dict[str, Any]) -> dict[str, str]:
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
        **own_labels(wanted),
        PROJECT: project.name,
        **{f"{_COMPOSE}{key}": value for key, value in compose.items()},
    }


def _label(project: str) -> dict[str, str]:
    wanted = json.dumps({"label": [f"{PROJECT}={project}"]}, separators=(",", ":"))
    return {"filters": re.sub(r'[{}":,\[\]= ]', lambda m: f"%{ord(m[0]):02X}", wanted)}


def _why(reply: Reply) -> str:
    said = reply.json()
    return str(said.get("message", "unknown error")) if isinstance(said, dict) else "unknown error"
