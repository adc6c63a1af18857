"""Portainer's environments: read one, and who may use it."""

import time
from collections.abc import Callable, Sequence
from typing import Any

from workspace_sandbox.stand_ins.container_manager.gate import Gate, Request, Row, Stop
from workspace_sandbox.stand_ins.container_manager.link import Link
from workspace_sandbox.stand_ins.container_manager.payload import Payload, number
from workspace_sandbox.stand_ins.container_manager.proxy import Proxy
from workspace_sandbox.stand_ins.container_manager.wire import (
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
    """Return an environment in its stored form."""
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

    def allowed(self, request: Request, text: str, *, of: str = "environment") -> Row:
        """The environment of a route, if the request may use it; `of`: what this route calls it.
        Raises Stop with 400, 404 or 403.
        """
        which = number(text, "Invalid environment identifier route variable")
        found = self.rows.get(str(which))
        if found is None:
            raise Stop(unknown(which))
        if not self._may(request, found):
            raise Stop(
                portainer_error(
                    403, f"Permission denied to access {of}", "Access denied to environment"
                )
            )
        return found

    async def docker(self, request: Request, parts: Sequence[str]) -> Reply:
        return await self._proxy.call(request, self.allowed(request, parts[0]), "/" + parts[1])

    async def get(self, request: Request, parts: Sequence[str]) -> Reply:
        bare = request.parameters.get("excludeSnapshot") == "true"
        return portainer_json(
            await self._shown(request, self.allowed(request, parts[0]), bare=bare)
        )

    async def change(self, request: Request, parts: Sequence[str]) -> Reply:
        found = self.allowed(request, parts[0])
        policies = Payload(request.body).get("UserAccessPolicies")
        if isinstance(policies, dict):
            found["users"] = policies
        self._changed()
        return portainer_json(await self._shown(request, found, bare=True))

    def _may(self, request: Request, found: Row) -> bool:
        return request.administrator or (
            request.user is not None and str(request.user["Id"]) in found["users"]
        )

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
