"""Containers whose programs are this machine's own, lent to them to read: no image is fetched, and
what is installed here runs there too.
"""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import httpx

from workspace_sandbox.patience import START_S
from workspace_sandbox.real import podman


def folders(*more: str) -> dict[str, str]:
    """Folders of this machine a container needs to run its programs and its Python, and where each
    shall be; `more` are lent at the place they have here.
    """
    found = {"/usr": "/usr", sys.base_prefix: sys.base_prefix, **{one: one for one in more}}
    for name in ("/lib", "/lib64"):
        place = Path(name)
        if place.exists():
            found[str(place.resolve())] = name
    return {real: place for real, place in found.items() if not _inside(real, place, found)}


def start(
    docker_url: str,
    name: str,
    *,
    binds: Sequence[str] = (),
    environment: Mapping[str, str] | None = None,
    working_dir: str = "/",
) -> str:
    """Start a container that waits until a command is run in it, and gives its id; one of that name
    that is there already goes first. Raises PodmanFailed.

    `binds`: as the Docker API takes them, besides the machine's programs. It shares the machine's
    loopback, where the other parts are.
    """
    lent = [f"{real}:{place}:ro" for real, place in folders().items()]
    known = [f"{key}={value}" for key, value in (environment or {}).items()]
    body = {
        "Image": podman.IMAGE,
        "Env": known,
        "WorkingDir": working_dir,
        "HostConfig": {"NetworkMode": "host", "Binds": [*lent, *binds]},
    }
    base = f"{docker_url.replace('docker://', 'http://')}/v1.41/containers"
    with httpx.Client(timeout=START_S, trust_env=False) as engine:
        engine.delete(f"{base}/{name}", params={"force": "1"})
        made = engine.post(f"{base}/create", params={"name": name}, json=body)
        if made.status_code == 201:
            number = str(made.json()["Id"])
            made = engine.post(f"{base}/{number}/start")
            if made.status_code == 204:
                return number
    raise podman.PodmanFailed(f"container {name} was not started: {made.text[:500]}")


def _inside(real: str, place: str, lent: Mapping[str, str]) -> bool:
    """Return whether another folder already contains this one at the same place."""
    return real == place and any(
        other != real and other == lent[other] and real.startswith(f"{other}/") for other in lent
    )
