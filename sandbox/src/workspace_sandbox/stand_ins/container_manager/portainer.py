"""Portainer's routes: which there are, who may use them, and in which order a request is
looked at.
"""

import re
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeAlias
from urllib.parse import unquote

from workspace_sandbox.routes import called
from workspace_sandbox.stand_ins.container_manager.accounts import Accounts
from workspace_sandbox.stand_ins.container_manager.compose import Compose
from workspace_sandbox.stand_ins.container_manager.environments import Environments
from workspace_sandbox.stand_ins.container_manager.gate import Gate, Request, Stop
from workspace_sandbox.stand_ins.container_manager.link import Link
from workspace_sandbox.stand_ins.container_manager.proxy import Proxy
from workspace_sandbox.stand_ins.container_manager.rules import Rules
from workspace_sandbox.stand_ins.container_manager.stack_life import StackLife
from workspace_sandbox.stand_ins.container_manager.stacks import Stacks
from workspace_sandbox.stand_ins.container_manager.wire import (
    Reply,
    clean_path,
    no_route,
    portainer_error,
    redirect,
)

Action: TypeAlias = Callable[[Request, Sequence[str]], Awaitable[Reply]]
PUBLIC, USER, ADMIN = "public", "user", "admin"
_WORD = "([^/]+)"


class Portainer:
    """Answer requests to Portainer. `engine_id` is in the ids of volumes' resource controls."""

    def __init__(
        self,
        gate: Gate,
        link: Link,
        engine_id: Callable[[], str],
        changed: Callable[[], None],
    ) -> None:
        self._gate = gate
        rules = Rules(gate, engine_id, changed)
        env = Environments(gate, link, Proxy(link, rules), changed)
        of_stacks = (gate, env, rules, Compose(link), changed)
        self._routes = self._all_routes(
            Accounts(gate, changed), env, Stacks(*of_stacks), StackLife(*of_stacks)
        )

    async def answer(self, request: Request) -> Reply:
        """Check, route and answer one request; never raises Stop."""
        try:
            self._gate.before_routing(request)
            tidy = clean_path(request.path)
            if tidy is not None and request.path.startswith("/api"):
                base = "/api/endpoints" if request.path.startswith("/api/endpoints/") else "/api"
                query = f"?{request.query}" if request.query else ""
                return redirect(tidy.removeprefix(base) + query)
            return await self._routed(request)
        except Stop as stop:
            return stop.reply

    async def _routed(self, request: Request) -> Reply:
        for method, pattern, access, action in self._routes:
            found = re.fullmatch(pattern, request.path)
            if not found or method not in {"*", request.method}:
                continue
            if access != PUBLIC:
                self._gate.identify(request)
            if access == ADMIN and not request.administrator:
                return portainer_error(403, "Access denied", "Unauthorized")
            parts = found.groups()
            return await action(request, parts if method == "*" else [unquote(p) for p in parts])
        return no_route()

    def _all_routes(
        self, accounts: Accounts, env: Environments, stacks: Stacks, life: StackLife
    ) -> list[tuple[str, str, str, Action]]:
        one, stack = f"/api/endpoints/{_WORD}", f"/api/stacks/{_WORD}"
        return [
            ("GET", "/api/status", PUBLIC, accounts.status),
            ("POST", "/api/auth", PUBLIC, accounts.sign_in),
            ("GET", "/api/users/me", USER, accounts.me),
            ("POST", "/api/users", ADMIN, accounts.create_user),
            ("POST", f"/api/users/{_WORD}/tokens", USER, accounts.create_key),
            ("GET", one, USER, env.get),
            ("PUT", one, ADMIN, env.change),
            ("*", f"{one}/docker/(.*)", USER, env.docker),
            ("GET", "/api/stacks", USER, stacks.list_all),
            ("POST", "/api/stacks/create/standalone/string", USER, stacks.create),
            ("GET", stack, USER, stacks.get),
            ("GET", f"{stack}/file", USER, stacks.file),
            ("DELETE", stack, USER, life.delete),
        ]


_CLIENT = "workspace_manager.systems.container_manager.client.containers:Client"
_LOOK = "workspace_manager.systems.container_manager.client.look:look"
_STACKS = "workspace_manager.systems.container_manager.client.stacks:Stacks"
_TRIAL = "tests.conformance.containers:PortainerPlace._regular_user"
_ONE = "/api/stacks/{stack}"
ROUTES = (
    *called(f"{_CLIENT}.status", _LOOK, routes=["GET /api/status"]),
    *called(f"{_CLIENT}.me", routes=["GET /api/users/me"]),
    *called(f"{_CLIENT}.environment", routes=["GET /api/endpoints/{environment}"]),
    *called(
        _TRIAL,
        routes=[
            "POST /api/auth",
            "POST /api/users",
            "POST /api/users/{user}/tokens",
            "PUT /api/endpoints/{environment}",
        ],
    ),
    *called(f"{_STACKS}.list_stacks", routes=["GET /api/stacks"]),
    *called(f"{_STACKS}.get_stack", routes=[f"GET {_ONE}"]),
    *called(f"{_STACKS}.stack_file", routes=[f"GET {_ONE}/file"]),
    *called(f"{_STACKS}.create_stack", routes=["POST /api/stacks/create/standalone/string"]),
    *called(f"{_STACKS}.delete_stack", routes=[f"DELETE {_ONE}"]),
)
