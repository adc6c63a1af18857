"""The manager's own container image: built from `Containerfile` and started with a real podman, as
far as this machine allows.

No image can be pulled here, so its base is this machine itself: an image of busybox into which the
machine's Python and libraries are mounted, read-only, while it is built and while it runs. What the
Containerfile says is done to the letter all the same.
"""

import ast
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from tests.real_parts import Part
from workspace_sandbox import children
from workspace_sandbox.patience import START_S
from workspace_sandbox.real import podman

pytestmark = pytest.mark.real

ROOT = Path(__file__).resolve().parents[2]
IMAGE, BASE = "localhost/workspace-manager:test", "localhost/machine:test"
KEY = "canary-secret-key-in-a-file-of-its-own"
MACHINE = ("/usr", "/lib", "/lib64", "/etc/ssl", "/etc/ld.so.cache")


def mounts(*more: Path) -> list[str]:
    """The machine's own Python and libraries, read-only."""
    places = [*map(Path, MACHINE), Path(sys.base_prefix), *more]
    return [
        option for place in places if place.exists() for option in ("-v", f"{place}:{place}:ro")
    ]


def pip_configuration(file: Path) -> list[Path]:
    """Write this machine's configuration of pip into a file; gives local folders it names."""
    told = subprocess.run(
        [sys.executable, "-m", "pip", "config", "list"], capture_output=True, text=True, check=False
    ).stdout
    given: dict[str, str] = {}
    for line in told.splitlines():
        name, _, value = line.partition("=")
        given[name.rpartition(".")[2]] = str(ast.literal_eval(value))
    file.write_text("[global]\n" + "".join(f"{name} = {value}\n" for name, value in given.items()))
    links = given.get("find-links", "").removeprefix("file://").split()
    return [Path(link) for link in links if link.startswith("/")]


@dataclass
class Image:
    """The built image, and how it is run."""

    engine: podman.Podman
    folder: Path
    port: int

    def run(self, *command: str, detached: bool = False) -> str:
        """Run it as a host would: as its own user, its data in a volume, its key in a file."""
        return self.engine.command(
            "run", *(["--detach"] if detached else ["--rm"]), "--network", "host", *mounts(),
            "-v", f"{self.folder / 'data'}:/var/lib/workspace-manager",
            "-v", f"{self.folder / 'key'}:/run/secrets/key:ro",
            "-e", f"WORKSPACE_BASE_URL=http://127.0.0.1:{self.port}",
            "-e", "WORKSPACE_SECRET_KEYS_FILE=/run/secrets/key",
            IMAGE, *command,
        )  # fmt: skip


@pytest.fixture(scope="module")
def image(
    real_part: Callable[..., Part], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Image]:
    real_part("podman", version=podman.version(), why_not=podman.why_not())
    folder = tmp_path_factory.mktemp("image")
    engine = podman.Podman()
    engine.start()
    try:
        build(engine, folder)
        yield Image(engine, folder, children.free_port())
    finally:
        engine.stop()


def build(engine: podman.Podman, folder: Path) -> None:
    path = f"{sys.base_prefix}/bin:/usr/bin:/usr/sbin:/bin"
    (folder / "Base").write_text(f"FROM {podman.IMAGE_TAGS[1]}\nENV PATH={path}\n")
    common = ("build", "--isolation", "chroot", "--network", "host")
    engine.command(*common, "-t", BASE, "-f", str(folder / "Base"), str(folder))
    links = pip_configuration(folder / "pip.conf")
    engine.command(
        *common, "--layers=false", "--format", "docker", "--build-arg", f"BASE={BASE}",
        *mounts(*links),
        "-v", f"{folder / 'pip.conf'}:/etc/pip.conf:ro", "-t", IMAGE, "-f",
        str(ROOT / "Containerfile"), str(ROOT),
        limit_s=START_S,
    )  # fmt: skip
    (folder / "data").mkdir()
    shutil.chown(folder / "data", 10001, 10001)
    (folder / "key").write_text(f"{KEY}\n")
    (folder / "key").chmod(0o444)


def test_it_migrates_serves_and_is_healthy(image: Image) -> None:
    assert "is not the one this version needs" in read_error(image, "serve")
    assert "up to date" in image.run("migrate")
    container = image.run("serve", "--port", str(image.port), detached=True).strip()
    base = f"http://127.0.0.1:{image.port}"
    answer = until_it_answers(f"{base}/health/ready")
    assert answer.json() == {"status": "ready"}
    page = httpx.get(base, trust_env=False)
    assert page.status_code == 200
    sheet = page.text.split('rel="stylesheet" href="')[1].split('"')[0]
    assert httpx.get(base + sheet, trust_env=False).status_code == 200
    german = httpx.get(base, headers={"Accept-Language": "de"}, trust_env=False).text
    assert 'lang="de"' in german
    assert "Anmelden" in german, "the translations were compiled"
    image.engine.command(
        "exec", container, "python", "/opt/workspace-manager/health.py", str(image.port)
    )
    assert image.engine.command("exec", container, "id", "-u").strip() == "10001"
    told = image.engine.command("inspect", container)
    assert KEY not in told, "a secret that is in a file is not in the container's settings"
    image.engine.command("rm", "--force", "--time", "5", container)


def read_error(image: Image, *command: str) -> str:
    """What it says when it ends with an error."""
    with pytest.raises(podman.PodmanFailed) as caught:
        image.run(*command)
    return " ".join(str(caught.value).split())


def until_it_answers(url: str) -> httpx.Response:
    deadline = time.monotonic() + START_S
    while True:
        try:
            return httpx.get(url, trust_env=False)
        except httpx.TransportError:
            assert time.monotonic() < deadline, "it does not answer"
            time.sleep(0.2)
