"""Volumes of the engine in memory, and the networks that compose makes for a stack."""

import secrets
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeAlias

from workspace_sandbox.stand_ins.container_manager import views
from workspace_sandbox.stand_ins.container_manager.engine import NAME, Containers, Record
from workspace_sandbox.stand_ins.container_manager.parameters import (
    NETWORK_FILTERS,
    VOLUME_FILTERS,
    body,
    filters,
    flag,
    labelled,
)
from workspace_sandbox.stand_ins.container_manager.wire import (
    Call,
    EngineRefusal,
    Reply,
    engine_empty,
    engine_json,
)

Action: TypeAlias = Callable[[Call, Sequence[str]], Awaitable[Reply]]
_WORD = "([^/]+)"
_DEFAULT_NETWORK = "2f259bab93aaaaa2542ba43ef33eb990d0999ee1b9924b557b7be53c0b7a1bb9"


class Stores:
    """Volumes and networks beside the containers that use them."""

    def __init__(self, containers: Containers) -> None:
        self._containers = containers

    def routes(self) -> list[tuple[str, str, Action]]:
        return [
            ("GET", "/volumes", self._volumes),
            ("POST", "/volumes/create", self._create_volume),
            ("GET", f"/volumes/{_WORD}", self._volume),
            ("DELETE", f"/volumes/{_WORD}", self._remove_volume),
            ("GET", "/networks", self._networks),
            # Of a stack: compose makes it, inside the stand-in.
            ("POST", "/networks/create", self._create_network),
            ("DELETE", f"/networks/{_WORD}", self._remove_network),
        ]

    # --- volumes ----------------------------------------------------------------------------------

    @property
    def _kept(self) -> dict[str, Record]:
        found: dict[str, Record] = self._containers.state["volumes"]
        return found

    async def _volumes(self, call: Call, _parts: Sequence[str]) -> Reply:
        wanted = filters(call, VOLUME_FILTERS, '"{}" is an invalid volume filter')
        for value in wanted.get("dangling", []):
            if value.lower() not in {"true", "false", "1", "0"}:
                said = (
                    f'"{value}" is not a valid value for the "dangling" filter - must be '
                    f"true or false"
                )
                raise EngineRefusal(500, said)
        found = [views.volume(v) for v in self._kept.values() if self._passes(v, wanted)]
        return engine_json({"Volumes": found, "Warnings": []})

    def _passes(self, volume: Record, wanted: dict[str, list[str]]) -> bool:
        dangling = {value.lower() in {"true", "1"} for value in wanted.get("dangling", [])}
        names = wanted.get("name", [])
        return (
            labelled(volume["labels"], wanted.get("label", []))
            and (not names or any(name in volume["name"] for name in names))
            and (not dangling or (not self._users(volume["name"])) in dangling)
        )

    def _users(self, name: str) -> list[str]:
        """Return ids of the containers that use a volume."""
        every = self._containers.all()
        return [r["id"] for r in every if name in {source for source, _ in r["mounts"]}]

    async def _create_volume(self, call: Call, _parts: Sequence[str]) -> Reply:
        given = body(call)
        name = str(given.get("Name") or secrets.token_hex(32))
        if not NAME.fullmatch(name):
            raise EngineRefusal(
                500,
                "invalid argument",
                "running volume create option: names must match [a-zA-Z0-9][a-zA-Z0-9_.-]*: ",
            )
        driver = str(given.get("Driver") or "local")
        if driver != "local":
            said = (
                f"volume {name} uses volume plugin {driver} but it could not be retrieved: "
                f"no volume plugin with name {driver} available: "
            )
            raise EngineRefusal(500, "required plugin missing", said)
        if name in self._kept:
            return engine_json(views.volume(self._kept[name]), 201)
        labels = {str(k): str(v) for k, v in (given.get("Labels") or {}).items()}
        self._kept[name] = {"name": name, "labels": labels, "created": time.time()}
        self._containers.changed()
        return engine_json(views.volume(self._kept[name], fresh=True), 201)

    async def _volume(self, _call: Call, parts: Sequence[str]) -> Reply:
        if parts[0] not in self._kept:
            raise EngineRefusal(404, "no such volume", f"volume with name {parts[0]} not found: ")
        return engine_json(views.volume(self._kept[parts[0]]))

    async def _remove_volume(self, call: Call, parts: Sequence[str]) -> Reply:
        name, force = parts[0], flag(call, "force", status=500)
        if name not in self._kept:
            if force:
                return engine_empty(204)
            raise EngineRefusal(404, "no such volume", f'no volume with name "{name}" found: ')
        users = self._users(name)
        if users:
            raise EngineRefusal(
                409,
                "volume is being used",
                f"volume {name} is being used by the following container(s): {', '.join(users)}: ",
            )
        del self._kept[name]
        self._containers.changed()
        return engine_empty(204)

    # --- networks ---------------------------------------------------------------------------------

    @property
    def _laid(self) -> dict[str, Record]:
        found: dict[str, Record] = self._containers.state["networks"]
        return found

    async def _networks(self, call: Call, _parts: Sequence[str]) -> Reply:
        wanted = filters(call, NETWORK_FILTERS, 'invalid filter "{}"')
        names = wanted.get("name", [])
        default = {"name": "podman", "id": _DEFAULT_NETWORK, "labels": {}, "created": 0.0}
        found = [
            self._shown(network)
            for network in (default, *self._laid.values())
            if labelled(network["labels"], wanted.get("label", []))
            and (not names or any(name in network["name"] for name in names))
        ]
        return engine_json(found)

    def _shown(self, network: Record) -> dict[str, Any]:
        every = self._containers.all()
        members = {r["id"]: r["name"] for r in every if r["network"] == network["name"]}
        return _network(network, members)

    async def _create_network(self, call: Call, _parts: Sequence[str]) -> Reply:
        given = body(call)
        name = str(given.get("Name") or "")
        if name in self._laid or name in {"podman", "bridge"}:
            raise EngineRefusal(
                500, "network already exists", f"network name {name} already used: "
            )
        driver = str(given.get("Driver") or "bridge")
        if driver not in {"bridge", "macvlan", "ipvlan"}:
            raise EngineRefusal(500, "invalid argument", f"unsupported driver {driver}: ")
        labels = {str(k): str(v) for k, v in (given.get("Labels") or {}).items()}
        number = secrets.token_hex(32)
        self._laid[name] = {"name": name, "id": number, "labels": labels, "created": time.time()}
        self._containers.changed()
        return engine_json({"Id": number, "Warning": ""}, 201)

    async def _remove_network(self, _call: Call, parts: Sequence[str]) -> Reply:
        found = [one for one in self._laid.values() if parts[0] in {one["name"], one["id"]}]
        if not found:
            raise EngineRefusal(404, "network not found")
        del self._laid[found[0]["name"]]
        self._containers.changed()
        return engine_empty(204)


def _network(record: dict[str, Any], members: dict[str, str]) -> dict[str, Any]:
    """One row of `GET networks`; podman's own is called otherwise here. `members`: names of
    containers by id.
    """
    own = record["name"] == "podman"
    subnet = "10.88.0" if own else "10.89.0"
    nothing = {"EndpointID": "", "MacAddress": "", "IPv4Address": "", "IPv6Address": ""}
    return {
        "Name": "bridge" if own else record["name"],
        "Id": record["id"],
        "Created": views.stamp(record["created"]),
        "Scope": "local",
        "Driver": "bridge",
        "EnableIPv6": False,
        "IPAM": {
            "Driver": "default",
            "Options": {"driver": "host-local"},
            "Config": [{"Subnet": f"{subnet}.0/16", "Gateway": f"{subnet}.1"}],
        },
        "Internal": False,
        "Attachable": False,
        "Ingress": False,
        "ConfigFrom": {"Network": ""},
        "ConfigOnly": False,
        "Containers": {number: {"Name": name, **nothing} for number, name in members.items()},
        "Options": {},
        "Labels": record["labels"],
    }
