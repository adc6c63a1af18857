"""Resource controls: what Portainer adds to the engine's answers, and what a regular user may
touch.
"""

from collections.abc import Callable
from typing import Any

from workspace_sandbox.stand_ins.container_manager.gate import Gate, Request, Row

PROJECT = "com.docker.compose.project"
CONTAINER, VOLUME, NETWORK, STACK = 1, 3, 4, 6


class Rules:
    """The table of resource controls, by resource id."""

    def __init__(
        self, gate: Gate, engine_id: Callable[[], str], changed: Callable[[], None]
    ) -> None:
        self._gate = gate
        self._engine_id = engine_id
        self._changed = changed

    @property
    def controls(self) -> dict[str, Row]:
        found: dict[str, Row] = self._gate.state["controls"]
        return found

    def volume_id(self, name: str) -> str:
        return f"{name}_{self._engine_id()}"

    def add(self, resource: str, kind: int, request: Request) -> Row:
        """Give the resource to who made it; an administrator's stack belongs to administrators."""
        assert request.user is not None
        state = self._gate.state
        state["last"]["control"] += 1
        for_all = kind == STACK and request.administrator
        control = {
            "Id": state["last"]["control"],
            "ResourceId": resource,
            "SubResourceIds": [],
            "Type": kind,
            "UserAccesses": [] if for_all else [{"UserId": request.user["Id"], "AccessLevel": 1}],
            "TeamAccesses": [],
            "Public": False,
            "AdministratorsOnly": for_all,
            "System": False,
        }
        self.controls.setdefault(resource, control)
        self._changed()
        return control

    def drop(self, resource: str) -> None:
        if self.controls.pop(resource, None) is not None:
            self._changed()

    def of_container(self, shown: dict[str, Any], environment: int) -> Row | None:
        """The control of a container as listed or inspected: its own, or its stack's."""
        labels = shown.get("Labels") or (shown.get("Config") or {}).get("Labels") or {}
        own = self.controls.get(str(shown.get("Id", "")))
        return own or self.controls.get(f"{environment}_{labels.get(PROJECT, '')}")

    def of_volume(self, shown: dict[str, Any], environment: int) -> Row | None:
        labels = shown.get("Labels") or {}
        own = self.controls.get(self.volume_id(str(shown.get("Name", ""))))
        return own or self.controls.get(f"{environment}_{labels.get(PROJECT, '')}")

    def of_network(self, shown: dict[str, Any], environment: int) -> Row | None:
        labels = shown.get("Labels") or {}
        if shown.get("Name") in {"bridge", "host", "none"}:
            return {
                "Id": 0,
                "ResourceId": shown.get("Id"),
                "SubResourceIds": [],
                "Type": NETWORK,
                "UserAccesses": [],
                "TeamAccesses": [],
                "Public": True,
                "AdministratorsOnly": False,
                "System": True,
            }
        own = self.controls.get(str(shown.get("Id", "")))
        return own or self.controls.get(f"{environment}_{labels.get(PROJECT, '')}")


def allows(control: Row | None, request: Request) -> bool:
    """Return whether somebody may see and touch the thing of this control."""
    if request.administrator:
        return True
    if control is None or request.user is None:
        return False
    users = {access["UserId"] for access in control["UserAccesses"]}
    return bool(control["Public"]) or request.user["Id"] in users


def decorated(shown: dict[str, Any], control: Row | None) -> dict[str, Any]:
    if control is None:
        return shown
    return {**shown, "Portainer": {"ResourceControl": control}}
