"""The content of volumes in memory: what `tar` in a container reads and writes, and the files that
are put into one. A volume is kept as a tar archive of its own.
"""

import base64
import io
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from workspace_sandbox.stand_ins.container_manager.wire import EngineRefusal

Record: TypeAlias = dict[str, Any]
Entry: TypeAlias = tuple[tarfile.TarInfo, bytes]
PROJECT = "com.docker.compose.project"
GREETING = "README.txt"


def put(container: Record, folder: str, archive: bytes) -> None:
    """Unpack an archive into a container's own layer. Raises EngineRefusal for what is none."""
    try:
        entries = [*read(archive)]
    except tarfile.TarError as wrong:
        raise EngineRefusal(500, "archive/tar: invalid tar header", "unpacking: ") from wrong
    files = container.setdefault("files", {})
    for about, data in entries:
        files[f"{folder.rstrip('/')}/{about.name}"] = _kept(data)


def run_tar(
    argv: Sequence[str], container: Record, volumes: Mapping[str, Record]
) -> tuple[bytes, str, int]:
    """Return output, complaints and the exit code of a `tar` of volumes."""
    options = dict(one.removeprefix("--").partition("=")[::2] for one in argv[1:-1])
    folder, key = options.get("directory", ""), argv[-1].removeprefix("./")
    at = {target: source for source, target in container["mounts"]}
    volume = volumes.get(at.get(f"{folder}/{key}", ""))
    if volume is None:
        return b"", f"tar: {argv[-1]}: Cannot stat: No such file or directory\n", 2
    if "create" in options:
        return _pack(container, options.get("file", "-"), _below(key, _entries(volume)))
    packed = container.get("files", {}).get(options.get("file", ""))
    if packed is None:
        return b"", f"tar: {options.get('file')}: Cannot open\n", 2
    try:
        found = [*read(base64.b64decode(packed))]
    except tarfile.TarError:
        return b"", "tar: Unexpected EOF in archive\n", 2
    volume["content"] = _kept(write(_above(key, found)))
    return b"", "", 0


def _pack(container: Record, file: str, entries: Sequence[Entry]) -> tuple[bytes, str, int]:
    """Write an archive to the output, or into a file of the container's own layer."""
    packed = write(entries)
    if file == "-":
        return packed, "", 0
    container.setdefault("files", {})[file] = _kept(packed)
    return b"", "", 0


def run_find(
    argv: Sequence[str], container: Record, volumes: Mapping[str, Record]
) -> tuple[bytes, str, int]:
    """Return output, complaints and the exit code of a `find` that deletes what is in a volume."""
    if "-maxdepth" in argv:
        return b"", "", 0
    at = {target: source for source, target in container["mounts"]}
    volume = volumes.get(at.get(argv[1], ""))
    if volume is None:
        return b"", f"find: ‘{argv[1]}’: No such file or directory\n", 1
    root, *found = _entries(volume)
    volume["content"] = _kept(write([root]))
    names = [f"{argv[1]}/{about.name.removeprefix('./')}\n" for about, _ in reversed(found)]
    return "".join(names).encode(), "", 0


def greet(container: Record, volumes: Mapping[str, Record]) -> None:
    """Have a program of a stack write something into its volumes, where nothing is."""
    data = f"The container {container['name']} was started here first.\n".encode()
    for source, _ in container["mounts"] if PROJECT in container["labels"] else ():
        if source in volumes and "content" not in volumes[source]:
            about = tarfile.TarInfo(f"./{GREETING}")
            about.size, about.uid, about.gid, about.mode = len(data), 999, 999, 0o600
            volumes[source]["content"] = _kept(write([_root(), (about, data)]))


def read(archive: bytes) -> Iterator[Entry]:
    """Yield its entries, each with its content."""
    with tarfile.open(fileobj=io.BytesIO(archive), mode="r:") as opened:
        for about in opened:
            file = opened.extractfile(about) if about.isreg() else None
            yield about, file.read() if file else b""


def write(entries: Sequence[Entry]) -> bytes:
    """Return an archive of entries, as tar writes it."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w", format=tarfile.PAX_FORMAT) as opened:
        for about, data in entries:
            opened.addfile(about, io.BytesIO(data) if about.isreg() else None)
    return made.getvalue()


def _entries(volume: Record) -> list[Entry]:
    content = volume.get("content")
    return [*read(base64.b64decode(content))] if content else [_root()]


def _root() -> Entry:
    about = tarfile.TarInfo(".")
    about.type, about.mode = tarfile.DIRTYPE, 0o755
    return about, b""


def _below(key: str, entries: Sequence[Entry]) -> list[Entry]:
    """Return the entries in the folder of their volume."""
    for about, _ in entries:
        for member in ("name", "linkname"):
            name = getattr(about, member)
            if member == "name" or about.islnk():
                inside = name.removeprefix(".").removeprefix("/")
                setattr(about, member, f"./{key}/{inside}".rstrip("/"))
    return [*entries]


def _above(key: str, entries: Sequence[Entry]) -> list[Entry]:
    """Undo `_below`; what lies elsewhere is none of this volume's."""
    found = []
    for about, data in entries:
        inside = about.name.removeprefix("./")
        if inside != key and not inside.startswith(f"{key}/"):
            continue
        for member in ("name", "linkname"):
            name = getattr(about, member)
            if member == "name" or about.islnk():
                rest = name.removeprefix("./").removeprefix(key)
                setattr(about, member, f".{rest}")
        found.append((about, data))
    return found


def _kept(data: bytes) -> str:
    return base64.b64encode(data).decode()
