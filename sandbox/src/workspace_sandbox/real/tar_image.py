"""The image that copies volumes, made on the spot of this machine's tar and find: what an operator
has from a registry, a real engine in tests has not.
"""

import io
import re
import shutil
import subprocess
import tarfile
from pathlib import Path
from typing import Final

import httpx

from workspace_sandbox.patience import PATIENCE_S

NAME: Final = "localhost/sandbox/tar"
TAG: Final = "latest"
IMAGE: Final = f"{NAME}:{TAG}"
APPLETS: Final = ("sleep", "sh", "ls", "stat", "cat", "test", "mkdir", "chown", "chmod", "dd", "ln")
"""Of busybox; tar and find are GNU's."""
GNU: Final = ("tar", "find")


def why_not() -> str | None:
    """Return why it cannot be made here; None if it can."""
    missing = [one for one in (*GNU, "ldd", "busybox") if not shutil.which(one)]
    return f"not installed: {', '.join(missing)}" if missing else None


def make(engine: str) -> str:
    """Make it on an engine (`docker://host:port`). Return its name."""
    base = engine.replace("docker:", "http:") + "/v1.41"
    query = {"fromSrc": "-", "repo": NAME, "tag": TAG, "changes": "ENV PATH=/bin"}
    with httpx.Client(base_url=base, timeout=PATIENCE_S) as api:
        api.post("/images/create", params=query, content=_tree()).raise_for_status()
    return IMAGE


def _tree() -> bytes:
    programs = {name: path for name in GNU if (path := shutil.which(name))}
    busybox = shutil.which("busybox")
    assert busybox
    assert len(programs) == len(GNU)
    told = subprocess.run(["ldd", *programs.values()], capture_output=True, text=True, check=True)
    libraries = {Path(one) for one in re.findall(r"(/\S+) \(0x", told.stdout)}
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as tree:
        for name, path in programs.items():
            tree.add(Path(path).resolve(), f"bin/{name}")
        tree.add(Path(busybox).resolve(), "bin/busybox")
        for library in sorted(libraries):
            # Under the name by which it is looked for, whatever that is a link to.
            tree.add(library.resolve(), str(library).lstrip("/"))
        for applet in APPLETS:
            entry = tarfile.TarInfo(f"bin/{applet}")
            entry.type, entry.linkname = tarfile.SYMTYPE, "busybox"
            tree.addfile(entry)
    return file.getvalue()
