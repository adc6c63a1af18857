"""The running parts of a sandbox, and the settings that the manager gets of them."""

import asyncio
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from workspace_manager.contract.secret import Secret
from workspace_manager.systems import registry
from workspace_sandbox import pins
from workspace_sandbox.real import podman
from workspace_sandbox.server import StandIn


@dataclass
class SandboxParts:
    """The values of one sandbox, what runs, and what the manager's environment must be."""

    data_dir: Path
    manager_url: str
    real: bool = False
    only: frozenset[str] = frozenset()
    """The only real parts to run; all of them if empty."""
    values: dict[str, str] = field(default_factory=dict)
    stand_ins: list[StandIn] = field(default_factory=list)
    parts: list[Any] = field(default_factory=list)
    systems: dict[str, dict[str, Any]] = field(default_factory=dict)
    environment: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def _engine(self) -> str:
        """Return the address of the container engine that runs for real; "" without one."""
        return next((str(p.url) for p in self.parts if isinstance(p, podman.Podman)), "")

    def _issuer(self) -> str:
        idp = self.systems["identity_provider"]
        return f"{idp['url']}/realms/{idp['realm']}"

    def _port(self, name: str) -> int:
        return int(self.values[f"{name}.port"])

    def _client(self, name: str) -> Secret:
        return Secret(self.values[f"client.{name}"])

    def _kept(self, name: str) -> Path:
        return self.data_dir / name

    def _wanted(self, name: str) -> bool:
        return self.real and (not self.only or name in self.only)

    def _can(self, name: str, why_not: str | None) -> bool:
        if not self._wanted(name):
            return False
        if why_not:
            self.notes.append(f"{name} could not be started, its stand-in is used: {why_not}")
        return why_not is None

    async def _can_run(
        self, name: str, why_not: Callable[[], str | None], prepare: Callable[[], object]
    ) -> bool:
        """Like `_can` of a real part, which is also fetched where that was not done yet."""
        reason = why_not() if self._wanted(name) else None
        if self._wanted(name) and reason is None:
            try:
                await asyncio.to_thread(prepare)
            except RuntimeError as failed:
                reason = str(failed)
        return self._can(name, reason)

    def _made(self, name: str, **how: Any) -> Any:
        """Return the stand-in that a system names."""
        return pkgutil.resolve_name(registry().specs[name].sandbox)(data_dir=self.data_dir, **how)

    async def _run(self, stand_in: StandIn, name: str) -> str:
        self.stand_ins.append(stand_in)
        return await stand_in.start(port=self._port(name))

    def _tell(self, system: str, part: str, stand_in: StandIn | None = None, **values: Any) -> None:
        for name, value in values.items():
            self._pin(system, name, str(value))
        self.systems[system] = {**values, "part": part}
        if stand_in:
            self.systems[system]["control_url"] = stand_in.control_url

    def _pin(self, system: str, name: str, value: str) -> None:
        self.environment[pins.variable(system, name)] = value
