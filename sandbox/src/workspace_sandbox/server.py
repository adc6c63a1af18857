"""The base of stand-ins: control routes, the ledger of calls, injected faults, state in one JSON
file.

A stand-in is an implementation beside the real one: it passes the same conformance tests, answers
what somebody here calls and says of everything else that it is a stand-in. Loopback only.
"""

import asyncio
import contextlib
import copy
import json
import os
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, ClassVar, TypeAlias

from aiohttp import web

from workspace_sandbox.fault_injection import Fault, FaultInjection, Faults
from workspace_sandbox.patience import PATIENCE_S
from workspace_sandbox.routes import Route, not_served

CONTROL = "/_stand_in"
Handler: TypeAlias = Callable[[web.Request], Awaitable[web.StreamResponse]]
_effects: ContextVar[list[int] | None] = ContextVar("effects", default=None)
"""What the call under way changed: others may be under way at the same time."""

LOGIN_PAGE = (
    "<!doctype html><html><head><title>Sign in</title></head>"
    "<body><form>Please sign in</form></body></html>"
)


@dataclass(frozen=True)
class SignInClient:
    """The identity provider of a sandbox, and the client as which a stand-in asks there."""

    issuer: str
    client_id: str
    client_secret: str = field(repr=False)


@dataclass
class Ledger:
    """Every received call, without bodies; tests count effects with it."""

    items: list[dict[str, Any]] = field(default_factory=list)

    def note(self, *, method: str, path: str, status: int, effect: bool) -> None:
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        self.items.append(
            {
                "n": len(self.items) + 1,
                "method": method,
                "path": path,
                "status": status,
                "at": at,
                "effect": effect,
            }
        )


class StandIn:
    """Answer as one real system does. Subclasses give `name`, `product`, `seed()` and
    `add_routes()`.

    State is one JSON document in `self.state`; a handler that changes it calls `self.changed()`,
    which keeps it in `<data_dir>/<name>.json` and marks the call in the ledger as having had an
    effect.
    """

    name: ClassVar[str]
    product: ClassVar[str]
    routes: ClassVar[Sequence[Route]] = ()
    """What is answered; everything else gets 501. None declared: whatever `add_routes` adds."""

    def __init__(self, *, data_dir: Path | None = None) -> None:
        self.file = data_dir / f"{self.name}.json" if data_dir else None
        self.faults = Faults()
        self.ledger = Ledger()
        self.version = 0
        self.url = ""
        self.sign_in_client: SignInClient | None = None
        """Set by a sandbox once it runs, where its system wants a client of the realm
        (`SystemSpec.realm_client`).
        """
        self._runner: web.AppRunner | None = None
        stored = self.file and self.file.exists()
        self.state: dict[str, Any] = (
            json.loads(self.file.read_text()) if self.file and stored else self.seed()
        )

    # --- what a subclass gives --------------------------------------------------------------------

    def seed(self) -> dict[str, Any]:
        """Return the state after a reset; called again on every reset."""
        raise NotImplementedError

    def add_routes(self, app: web.Application) -> None:
        raise NotImplementedError

    def serves(self, method: str, path: str) -> bool:
        """Return whether a known caller uses this; `path` as on the wire, with or without its
        query.
        """
        bare = path.partition("?")[0]
        forms = {bare, bare.removesuffix("/")}
        return not self.routes or any(r.takes(method, form) for r in self.routes for form in forms)

    def what_exists(self) -> dict[str, Any]:
        """Return the answer of `GET <control>/state`: what exists now, for tests. Secrets of people
        are left out.
        """
        return copy.deepcopy(self.state)

    def manager_settings(self) -> Mapping[str, str]:
        """Return the settings with which the manager reaches it. A sandbox asks the stand-ins of
        other distributions once they run.
        """
        return {"url": self.url}

    def add_control_routes(self, app: web.Application) -> None:
        """Add further control routes of one stand-in, under CONTROL."""

    # --- for subclasses ---------------------------------------------------------------------------

    def changed(self) -> None:
        """Note that the state changed, and keep it, so that a killed stand-in comes back
        unchanged.
        """
        self.version += 1
        if (effects := _effects.get()) is not None:
            effects.append(self.version)
        self.keep()

    def keep(self) -> None:
        """Write the state down without counting an effect: a sign-in or a token changes nothing
        anybody asked for.
        """
        if self.file:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            draft = self.file.with_suffix(".new")
            draft.write_text(json.dumps(self.state))
            os.replace(draft, self.file)

    @property
    def control_url(self) -> str:
        return self.url + CONTROL

    # --- running ----------------------------------------------------------------------------------

    async def start(self, *, host: str = "127.0.0.1", port: int = 0) -> str:
        """Listen. Return the address. Port 0 takes a free one."""
        app = web.Application(middlewares=[self._around], client_max_size=200_000_000)
        app.router.add_get(f"{CONTROL}/state", self._state)
        app.router.add_post(f"{CONTROL}/reset", self._reset)
        app.router.add_get(f"{CONTROL}/calls", self._calls)
        app.router.add_get(f"{CONTROL}/faults", self._waiting_faults)
        app.router.add_post(f"{CONTROL}/faults", self._add_fault)
        app.router.add_delete(f"{CONTROL}/faults", self._clear_faults)
        app.router.add_get(f"{CONTROL}/weather", self._injection)
        app.router.add_post(f"{CONTROL}/weather", self._inject)
        self.add_control_routes(app)
        self.add_routes(app)
        self._runner = web.AppRunner(app, access_log=None, handler_cancellation=False)
        await self._runner.setup()
        site = web.TCPSite(self._runner, host, port, shutdown_timeout=0.2)
        await site.start()
        server = site._server
        assert isinstance(server, asyncio.Server)
        self.url = f"http://{host}:{server.sockets[0].getsockname()[1]}"
        await self.started()
        return self.url

    async def started(self) -> None:
        """Called once the address is known; a stand-in that speaks another protocol too opens its
        port here.
        """

    async def stop(self) -> None:
        if self._runner:
            await self._runner.cleanup()

    @web.middleware
    async def _around(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        if request.path.startswith(CONTROL):
            return await handler(request)
        fault = self.faults.take(method=request.method, path=request.raw_path)
        effects: list[int] = []
        outer = _effects.set(effects)
        status = 0
        try:
            response = await self._answer(request, handler, fault)
            status = response.status
            return response
        except ConnectionResetError:
            # Whoever asked hung up before the question was read: there is nobody to answer.
            return self._cut(request)
        finally:
            _effects.reset(outer)
            self.ledger.note(
                method=request.method, path=request.raw_path, status=status, effect=bool(effects)
            )

    async def _answer(
        self, request: web.Request, handler: Handler, fault: Fault | None
    ) -> web.StreamResponse:
        if fault is None:
            return await self._served(request, handler)
        if fault.fault == "delay":
            # Read first: a question that was sent is answered by real systems whoever hangs up.
            await request.read()
            await asyncio.sleep(fault.seconds)
            return await self._served(request, handler)
        if fault.fault == "timeout_after_effect":
            await request.read()
            await self._served(request, handler)
            await asyncio.sleep(fault.seconds)
            return self._cut(request)
        if fault.fault == "reset":
            return self._cut(request)
        if fault.fault == "garbage":
            return web.Response(
                body=b"\x00\xff}{ not what you asked for", content_type="application/json"
            )
        if fault.fault == "other_shape":
            return web.Response(text=fault.body, content_type="application/json")
        if fault.fault == "html":
            return web.Response(text=LOGIN_PAGE, content_type="text/html")
        if fault.fault == "redirect":
            return web.Response(status=302, headers={"Location": "/login"})
        if fault.fault == "truncated":
            return await self._truncate(request)
        headers = {"Retry-After": fault.retry_after} if fault.retry_after else {}
        return web.Response(status=fault.status, text="injected fault", headers=headers)

    async def _served(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        if self.serves(request.method, request.raw_path):
            return await handler(request)
        await request.read()
        path = request.raw_path.partition("?")[0]
        return not_served(request.method, path, self.product)

    def _cut(self, request: web.Request) -> web.StreamResponse:
        if request.transport:
            request.transport.abort()
        return web.Response(status=500)

    async def _truncate(self, request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(
            headers={"Content-Type": "application/json", "Content-Length": "1000"}
        )
        await response.prepare(request)
        await response.write(b'{"truncat')
        self._cut(request)
        return response

    # --- control routes ---------------------------------------------------------------------------

    async def _state(self, _request: web.Request) -> web.Response:
        return web.json_response(self.what_exists())

    async def _reset(self, _request: web.Request) -> web.Response:
        self.state = self.seed()
        self.faults = Faults()
        self.ledger = Ledger()
        self.changed()
        return web.json_response({})

    async def _calls(self, request: web.Request) -> web.Response:
        since = request.query.get("since", "0")
        start = int(since) if since.isdigit() else 0
        items = self.ledger.items[start:]
        return web.json_response({"items": items, "next": len(self.ledger.items)})

    async def _waiting_faults(self, _request: web.Request) -> web.Response:
        """Return the waiting faults, each with how often it will still hit."""
        return web.json_response({"items": [vars(one) for one in self.faults.waiting]})

    async def _add_fault(self, request: web.Request) -> web.Response:
        try:
            self.faults.add(await request.json())
        except ValueError as wrong:
            return web.json_response({"message": str(wrong)}, status=400)
        return web.json_response({}, status=201)

    async def _injection(self, _request: web.Request) -> web.Response:
        drawn = self.faults.drawn
        return web.json_response(drawn.shown() if drawn else {"calls": 0, "faults": {}})

    async def _inject(self, request: web.Request) -> web.Response:
        """`{"seed": n, "rate": 0.1, "longest_s": 0.5}`: from now on every call may be hit.

        A rate of 0 ends it; its figures stay.
        """
        given = await request.json()
        if given["rate"] == 0 and self.faults.drawn:
            self.faults.drawn.rate = 0
        else:
            self.faults.drawn = FaultInjection(name=self.name, **given)
        return web.json_response({})

    async def _clear_faults(self, _request: web.Request) -> web.Response:
        self.faults.waiting.clear()
        self.faults.drawn = None
        return web.json_response({})

    def front_page(self) -> web.Response:
        """Return the page at `/`, which says that this is a stand-in."""
        return web.Response(
            content_type="text/html",
            text=f"<!doctype html><html lang=en><title>{self.product} "
            f"(stand-in)</title><h1>{self.product}</h1>"
            f"<p>This is a stand-in of the workspace manager's sandbox, not the real "
            f"product. Nothing here is kept safe.</p>",
        )


@contextlib.contextmanager
def running(*stand_ins: StandIn) -> Iterator[None]:
    """Run stand-ins on free loopback ports in a thread, for tests; their `url` is set on entry."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        for stand_in in stand_ins:
            asyncio.run_coroutine_threadsafe(stand_in.start(), loop).result(PATIENCE_S)
        yield
    finally:
        for stand_in in stand_ins:
            asyncio.run_coroutine_threadsafe(stand_in.stop(), loop).result(PATIENCE_S)
        asyncio.run_coroutine_threadsafe(_end_calls(), loop).result(PATIENCE_S)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(PATIENCE_S)
        loop.close()


async def _end_calls() -> None:
    """End the calls that still wait, as a fault has them do: left to the garbage collector they
    would end in the middle of whatever runs then.
    """
    calls = asyncio.all_tasks() - {asyncio.current_task()}
    for call in calls:
        call.cancel()
    await asyncio.gather(*calls, return_exceptions=True)


def now_ms() -> int:
    """Return milliseconds since 1970, as several of the imitated systems count."""
    return int(time.time() * 1000)
