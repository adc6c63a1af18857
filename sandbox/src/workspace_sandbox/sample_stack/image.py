"""The image of the sample stack, made on the spot of what this machine has: its Python, the
libraries that needs, the drivers for the SQL server and the web part. No registry, no build.
"""

import importlib.util
import io
import os
import shutil
import ssl
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, Final
from urllib.parse import urlsplit

import httpx
import pymysql

from workspace_sandbox.patience import START_S

NAME: Final = "sandbox/knowledge-stack"
TAG: Final = "latest"
PLACES: Final = (f"docker.io/{NAME}", f"localhost/{NAME}")
"""Where an engine looks a bare name up, and what podman calls what was made here."""
PORT: Final = 8080

_PACKAGE: Final = "workspace_sandbox"
_LEFT_OUT: Final = frozenset(
    {"ensurepip", "idlelib", "lib2to3", "pydoc_data", "site-packages", "test", "tests", "tkinter"}
    | {"turtledemo"}
)
_POSTGRESQL: Final = ("psycopg", "psycopg_binary", "typing_extensions")
_NOT_NEEDED: Final = ("_test", "_tkinter", "_xx", "xxlimited", "_curses", "readline", "nis")
_FILES: Final = {
    "etc/passwd": "root:x:0:0:root:/root:/sbin/nologin\nnobody:x:65534:65534::/:/sbin/nologin\n",
    "etc/group": "root:x:0:\nnogroup:x:65534:\n",
    "etc/hosts": "127.0.0.1 localhost\n",
    f"app/{_PACKAGE}/__init__.py": "",
}


class ImageFailed(RuntimeError):
    """The image could not be made; the text says why."""


def why_not() -> str | None:
    """Return why no image can be made of this machine's Python; None if it can."""
    if not sys.platform.startswith("linux"):
        return "containers here are those of Linux"
    return None if shutil.which("ldd") else "ldd is not installed, which tells what Python needs"


def make(engine: str) -> str:
    """Make the image on an engine (`docker://host:port`, `unix:///path`). Return its name. An
    existing one is replaced. Raises ImageFailed.
    """
    if reason := why_not():
        raise ImageFailed(reason)
    with tempfile.TemporaryFile() as tree, _api(engine) as api:
        write_tree(tree)
        tree.seek(0)
        query: list[tuple[str, str | int | float | bool | None]] = [
            ("fromSrc", "-"),
            ("repo", PLACES[0]),
            ("tag", TAG),
            *(("changes", change) for change in _changes()),
        ]
        headers = {"Content-Type": "application/x-tar"}
        made = api.post("/images/create", params=query, content=_chunks(tree), headers=headers)
        _refuse(made, 200)
        for place in PLACES[1:]:
            tagged = api.post(f"/images/{PLACES[0]}:{TAG}/tag", params={"repo": place, "tag": TAG})
            _refuse(tagged, 201)
    return f"{NAME}:{TAG}"


def write_tree(file: IO[bytes]) -> None:
    """Write everything that is in the image as a tar archive."""
    with tarfile.open(fileobj=file, mode="w") as tree:
        for folder, mode in (("app", 0o755), ("data", 0o755), ("tmp", 0o1777)):
            entry = tarfile.TarInfo(folder)
            entry.type, entry.mode = tarfile.DIRTYPE, mode
            tree.addfile(entry)
        for name, text in _FILES.items():
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode = len(text), 0o644
            tree.addfile(entry, io.BytesIO(text.encode()))
        own = Path(__file__).parent
        for place, inside in _ours(own):
            tree.add(place, inside, recursive=False, filter=_as_root)
        for place in _machines():
            # Under its own name, whatever it is a link to: that is where it is looked for.
            tree.add(place.resolve(), str(place).lstrip("/"), recursive=False, filter=_as_root)


def _ours(own: Path) -> Iterator[tuple[Path, str]]:
    yield own / "__init__.py", f"app/{_PACKAGE}/{own.name}/__init__.py"
    for file in sorted((own / "inside").glob("*.py")):
        yield file, f"app/{_PACKAGE}/{own.name}/inside/{file.name}"
    for package in _drivers():
        for file in sorted(package.rglob("*") if package.is_dir() else [package]):
            if file.suffix in {".py", ".so"} or ".so." in file.name:
                yield file, f"app/{file.relative_to(package.parent)}"


def _drivers() -> Iterator[Path]:
    """Yield the drivers for the SQL server: MariaDB's, and PostgreSQL's if this machine has it with
    the library that it needs.
    """
    yield Path(pymysql.__file__).parent
    found = [importlib.util.find_spec(name) for name in _POSTGRESQL]
    places = [Path(one.origin) for one in found if one is not None and one.origin]
    if len(places) < len(_POSTGRESQL):
        return
    for place in places:
        yield place.parent if place.stem == "__init__" else place
    libraries = places[1].parent.with_name(f"{_POSTGRESQL[1]}.libs")
    if libraries.is_dir():
        yield libraries


def _machines() -> Iterator[Path]:
    """Yield the files of this machine that its Python needs."""
    program, library = _python(), Path(os.__file__).parent
    modules = [
        file
        for file in (library / "lib-dynload").glob("*.so")
        if not file.name.startswith(_NOT_NEEDED)
    ]
    packages = list(_drivers())
    compiled = [file for one in packages if one.is_dir() for file in one.rglob("*.so")]
    # What a driver brings itself stands beside it, and is found there.
    brought = {one.parent.resolve() for one in packages}
    libraries = [
        one
        for one in _libraries([program, *modules, *compiled])
        if not brought & set(one.resolve().parents)
    ]
    yield from (program, *libraries, *modules)
    for folder, inner, names in os.walk(library):
        inner[:] = sorted(set(inner) - _LEFT_OUT - {"lib-dynload"})
        inner[:] = [name for name in inner if not name.startswith("config-")]
        yield from (Path(folder) / name for name in sorted(names) if _is_code(name))
    certificates = ssl.get_default_verify_paths().cafile
    if certificates and Path(certificates).exists():
        yield Path(certificates)


def _is_code(name: str) -> bool:
    return name.endswith(".py") or (name.endswith(".pyc") and ".opt-" not in name)


def _python() -> Path:
    """Return the interpreter itself, not the link to it that a virtual environment has."""
    return Path(getattr(sys, "_base_executable", sys.executable)).resolve()


def _libraries(programs: list[Path]) -> list[Path]:
    """Return the libraries that the loader loads for these programs, and the loader itself."""
    told = subprocess.run(
        ["ldd", *map(str, programs)],
        capture_output=True,
        text=True,
        check=False,
        timeout=START_S,
        env={"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C"},
    )
    found = set()
    for line in told.stdout.splitlines():
        _, arrow, after = line.partition("=>")
        path = (after if arrow else line).split("(")[0].strip()
        if path.startswith("/") and "(0x" in line:
            found.add(Path(path))
    if not found:
        raise ImageFailed(f"ldd told nothing of {programs[0]}")
    return sorted(found)


def _as_root(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = "root"
    entry.mode = 0o755 if entry.mode & 0o111 else 0o644
    return entry


def _changes() -> Iterator[str]:
    yield f"ENV PYTHONPATH=/app PYTHONHOME={sys.base_prefix} PYTHONDONTWRITEBYTECODE=1"
    yield "WORKDIR /app"
    yield f"EXPOSE {PORT}"
    yield f'CMD ["{_python()}", "-m", "{_PACKAGE}.{Path(__file__).parent.name}.inside"]'


def _chunks(file: IO[bytes]) -> Iterator[bytes]:
    while part := file.read(1 << 20):
        yield part


def _api(engine: str) -> httpx.Client:
    """Return a client of an engine's Docker API, also podman's."""
    parts = urlsplit(engine)
    known: dict[str, Any] = {"timeout": START_S, "trust_env": False}
    if parts.scheme == "unix":
        known["transport"] = httpx.HTTPTransport(uds=parts.path)
        return httpx.Client(base_url="http://engine/v1.41", **known)
    if parts.scheme not in {"docker", "tcp", "http"} or not parts.netloc:
        raise ImageFailed(f"{parts.scheme or 'this'} is no address of an engine")
    return httpx.Client(base_url=f"http://{parts.netloc}/v1.41", **known)


def _refuse(answer: httpx.Response, wanted: int) -> None:
    """Raise ImageFailed for another status, and for a failure that is told inside a success."""
    if answer.status_code != wanted or '"error"' in answer.text:
        raise ImageFailed(f"the engine answered {answer.status_code}: {answer.text[-300:]}")
