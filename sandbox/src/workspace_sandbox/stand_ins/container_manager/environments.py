"""Portainer's environments: list, read, add, remove, take a snapshot (facts 1.2, 0.2)."""

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urlsplit

from workspace_sandbox.stand_ins.container_manager.gate import Gate, Request, Row, Stop
from workspace_sandbox.stand_ins.container_manager.link import SOCKET, Link
from workspace_sandbox.stand_ins.container_manager.payload import Payload, form, number
from workspace_sandbox.stand_ins.container_manager.proxy import Proxy
from workspace_sandbox.stand_ins.container_manager.wire import (
    PORTAINER,
    Call,
    EngineGone,
    Reply,
    portainer_error,
    portainer_json,
)

_REGULAR = (
    *("BindMounts", "PrivilegedMode", "HostNamespace", "DeviceMapping", "StackManagement"),
    *("ContainerCapabilities", "SysctlSetting"),
)
_FALSE = (
    *("UseLoadBalancer", "UseServerMetrics", "RestrictDefaultNamespace"),
    *("IngressAvailabilityPerNamespace", "AllowNoneIngressClass"),
)
_DETECTED = ("ServerMetrics", "ServerIngressClass", "ServerStorage")
_FIXED: dict[str, Any] = {
    "Type": 1,
    "ContainerEngine": "",
    "GroupId": 1,
    "PublicURL": "",
    "Gpus": [],
    "TLSConfig": {"TLS": False, "TLSSkipVerify": False},
    "AzureCredentials": {"ApplicationID": "", "TenantID": "", "AuthenticationKey": ""},
    "TagIds": [],
    "TeamAccessPolicies": {},
    "EdgeKey": "",
    "EdgeCheckinInterval": 0,
    "Kubernetes": {
        "Snapshots": [],
        "Configuration": {
            **dict.fromkeys(_FALSE, False),
            "EnableResourceOverCommit": True,
            "ResourceOverCommitPercentage": 0,
            "StorageClasses": [],
            "IngressClasses": [],
        },
        "Flags": {f"Is{what}Detected": False for what in _DETECTED},
    },
    "ComposeSyntaxMaxVersion": "3.9",
    "SecuritySettings": {
        **{f"allow{what}ForRegularUsers": True for what in _REGULAR},
        "allowVolumeBrowserForRegularUsers": False,
        "enableHostManagementFeatures": False,
    },
    "LastCheckInDate": 0,
    "QueryDate": 0,
    "Heartbeat": False,
    "PostInitMigrations": {"MigrateIngresses": False, "MigrateGPUs": False},
    "Edge": {
        "AsyncMode": False,
        "PingInterval": 0,
        "SnapshotInterval": 0,
        "CommandInterval": 0,
    },
    "Agent": {"Version": ""},
    "AuthorizedUsers": None,
    "AuthorizedTeams": None,
    "Tags": None,
}


def row(number_: int, name: str, url: str) -> Row:
    """An environment as it is stored."""
    return {"Id": number_, "Name": name, "URL": url, "Status": 1, "users": {}}


class Environments:
    """The environments, all of which lead to one engine."""

    def __init__(self, gate: Gate, link: Link, proxy: Proxy, changed: Callable[[], None]) -> None:
        self._gate = gate
        self._link = link
        self._proxy = proxy
        self._changed = changed

    @property
    def rows(self) -> dict[str, Row]:
        found: dict[str, Row] = self._gate.state["environments"]
        return found

    def allowed(self, request: Request, text: str) -> Row:
        """The environment of a route, if the request may use it. Raises Stop with 400, 404 or 403."""
        which = number(text, "Invalid environment identifier route variable")
        found = self.rows.get(str(which))
        if found is None:
            raise Stop(unknown(which))
        if not self._may(request, found):
            raise Stop(
                portainer_error(
                    403, "Permission denied to access environment", "Access denied to environment"
                )
            )
        return found

    async def docker(self, request: Request, parts: Sequence[str]) -> Reply:
        return await self._proxy.call(request, self.allowed(request, parts[0]), "/" + parts[1])

    async def list_all(self, request: Request, _parts: Sequence[str]) -> Reply:
        seen = [row for row in self.rows.values() if self._may(request, row)]
        given = request.parameters
        wanted = [
            row
            for row in seen
            if given.get("name", row["Name"]) == row["Name"]
            and given.get("search", "").lower() in row["Name"].lower()
        ]
        bare = given.get("excludeSnapshots") == "true"
        shown = [await self._shown(request, row, bare=bare) for row in wanted]
        for item in shown:
            item["EdgeCheckinInterval"] = 5
        reply = portainer_json(shown)
        reply.headers["X-Total-Count"] = str(len(wanted))
        reply.headers["X-Total-Available"] = str(len(seen))
        return reply

    async def get(self, request: Request, parts: Sequence[str]) -> Reply:
        bare = request.parameters.get("excludeSnapshot") == "true"
        return portainer_json(
            await self._shown(request, self.allowed(request, parts[0]), bare=bare)
        )

    async def add(self, request: Request, _parts: Sequence[str]) -> Reply:
        given = form(request.body, request.headers.get("Content-Type", ""))
        name, url = given.get("Name", ""), given.get("URL", "") or SOCKET
        if not name:
            return portainer_error(400, "Invalid request payload", "Invalid environment name")
        if any(known["Name"] == name for known in self.rows.values()):
            return portainer_error(409, "Name is not unique")
        if not await self._answers(url):
            return portainer_error(
                500,
                "Unable to initiate communications with environment",
                f"Cannot connect to the Docker daemon at {url}. Is the docker daemon running?",
            )
        self._gate.state["last"]["environment"] += 1
        added = row(self._gate.state["last"]["environment"], name, url)
        self.rows[str(added["Id"])] = added
        self._changed()
        shown = await self._shown(request, added, bare=True)
        return portainer_json({**shown, "ComposeSyntaxMaxVersion": ""})

    async def change(self, request: Request, parts: Sequence[str]) -> Reply:
        found = self.allowed(request, parts[0])
        policies = Payload(request.body).get("UserAccessPolicies")
        if isinstance(policies, dict):
            found["users"] = policies
        self._changed()
        return portainer_json(await self._shown(request, found, bare=True))

    async def remove(self, _request: Request, parts: Sequence[str]) -> Reply:
        which = number(parts[0], "Invalid environment identifier route variable")
        if str(which) not in self.rows:
            return unknown(which)
        del self.rows[str(which)]
        controls = self._gate.state["controls"]
        for key in [key for key in controls if key.startswith(f"{which}_")]:
            del controls[key]
        self._changed()
        return Reply(204, headers=dict(PORTAINER))

    async def snapshot(self, request: Request, parts: Sequence[str]) -> Reply:
        """Look at the engine and note whether it is up: 204 in either case."""
        found = self.allowed(request, parts[0])
        found["Status"] = 1 if await self._answers(found["URL"]) else 2
        self._changed()
        return Reply(204, headers=dict(PORTAINER))

    def _may(self, request: Request, found: Row) -> bool:
        return request.administrator or (
            request.user is not None and str(request.user["Id"]) in found["users"]
        )

    async def _answers(self, url: str) -> bool:
        """Whether an engine listens: the one behind us, and the port itself where the address names one."""
        try:
            await self._link.call(Call("GET", "/_ping"))
        except EngineGone:
            return False
        parts = urlsplit(url)
        if parts.scheme != "tcp" or not parts.port:
            return True
        try:
            _, writer = await asyncio.open_connection(parts.hostname, parts.port)
        except OSError:
            return bool(url in {known["URL"] for known in self.rows.values()})
        writer.close()
        return True

    async def _shown(self, request: Request, found: Row, *, bare: bool) -> dict[str, Any]:
        return {
            **_FIXED,
            **{key: found[key] for key in ("Id", "Name", "URL", "Status")},
            "Snapshots": [] if bare else await self._snapshots(),
            "UserAccessPolicies": found["users"] if request.administrator else None,
        }

    async def _snapshots(self) -> list[dict[str, Any]]:
        counts = ("Running", "Stopped", "Healthy", "Unhealthy")
        others = ("VolumeCount", "ImageCount", "ServiceCount", "StackCount")
        return [
            {
                "Time": int(time.time()),
                "DockerVersion": "4.3.1",
                "Swarm": False,
                "TotalCPU": 2,
                "TotalMemory": 4_000_000_000,
                "ContainerCount": 0,
                **{f"{count}ContainerCount": 0 for count in counts},
                **dict.fromkeys(others, 0),
                "DockerSnapshotRaw": {},
            }
        ]


def unknown(which: int) -> Reply:
    message = "Unable to find an environment with the specified identifier inside the database"
    details = f"Object not found inside the database (bucket=endpoints, key={which})"
    return portainer_error(404, message, details)
