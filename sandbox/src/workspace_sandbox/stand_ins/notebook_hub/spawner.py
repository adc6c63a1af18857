"""The hub's spawner: one container per person through the container manager's API, named as
DockerSpawner names it.
"""

import re
from typing import Any
from urllib.parse import quote

import aiohttp

IMAGE = "sandbox/notebook"


class SpawnFailed(Exception):
    """The container manager did not do what was asked; the text says which call and status."""


class Spawner:
    """Create, start, look at and stop containers. `url`: Portainer's, or `docker://` and `unix://`
    for an engine itself.
    """

    def __init__(self, url: str, api_key: str, environment_id: int) -> None:
        self._socket = url.removeprefix("unix://") if url.startswith("unix://") else ""
        direct = bool(self._socket) or url.startswith("docker://")
        base = "http://docker" if self._socket else re.sub(r"^docker:", "http:", url).rstrip("/")
        self._base = base if direct else f"{base}/api/endpoints/{environment_id}/docker"
        self._headers = {} if direct else {"X-API-Key": api_key}
        self._http: aiohttp.ClientSession | None = None

    async def open(self) -> None:
        self._http = aiohttp.ClientSession(
            connector=aiohttp.UnixConnector(self._socket) if self._socket else None,
            cookie_jar=aiohttp.DummyCookieJar(),
            headers=self._headers,
            timeout=aiohttp.ClientTimeout(total=60),
        )

    async def close(self) -> None:
        if self._http is not None:
            await self._http.close()
            self._http = None

    async def spawn(self, name: str, user: str, environment: dict[str, str]) -> None:
        """Have the container run; one that is there is started again as it is, with its old
        environment.
        """
        if await self._look(name) is None:
            body = {
                "Image": IMAGE,
                "Env": [f"{key}={value}" for key, value in environment.items()],
                "Labels": {"hub.user": user},
                "HostConfig": {"NetworkMode": "none"},
            }
            await self._ask("POST", f"/containers/create?name={quote(name, safe='')}", body)
        await self._ask("POST", f"/containers/{quote(name, safe='')}/start", also=(304,))

    async def runs(self, name: str) -> bool:
        found = await self._look(name)
        return found is not None and bool((found.get("State") or {}).get("Running"))

    async def stop(self, name: str) -> None:
        """Stop it within ten seconds; one that is not there is stopped."""
        await self._ask("POST", f"/containers/{quote(name, safe='')}/stop?t=10", also=(304, 404))

    async def _look(self, name: str) -> dict[str, Any] | None:
        found = await self._ask("GET", f"/containers/{quote(name, safe='')}/json", also=(404,))
        return found if found.get("Name") == f"/{name}" else None

    async def _ask(
        self, method: str, path: str, body: Any = None, *, also: tuple[int, ...] = ()
    ) -> dict[str, Any]:
        assert self._http is not None
        what = f"{method} {path.partition('?')[0]}"
        try:
            async with self._http.request(method, self._base + path, json=body) as answer:
                if answer.status >= 300 and answer.status not in also:
                    raise SpawnFailed(f"{what} answered HTTP {answer.status}")
                text = await answer.text()
                if answer.status == 404 and "no such container" not in text.lower():
                    raise SpawnFailed(f"{what} answered a 404 that is not about a container")
                found = await answer.json(content_type=None) if text else {}
                return found if isinstance(found, dict) else {}
        except (aiohttp.ClientError, TimeoutError, ValueError) as broken:
            raise SpawnFailed(f"{what} failed ({type(broken).__name__})") from broken
