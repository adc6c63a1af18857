"""The image that copies volumes, made on the spot of this machine's tar: what an operator has from
a registry, a real engine in tests has not.
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
"""Of busybox; tar itself is GNU's."""


def why_not() -> str | None:
    """Return why it cannot be made here; None if it can."""
    missing = [one for one in ("tar", "ldd", "busybox") if not shutil.which(one)]
    return f"not installed: {', '.join(missing)}" if missing else None


def make(engine: str) -> str:
    """Make it on an engine (`docker://host:port`). Return its name."""
    base = engine.replace("docker:", "http:") + "/v1.41"
    query = {"fromSrc": "-", "repo": NAME, "tag": TAG, "changes": "ENV PATH=/bin"}
    with httpx.Client(base_url=base, timeout=PATIENCE_S) as api:
        api.post("/images/create", params=query, content=_tree()).raise_for_status()
    return IMAGE


def _tree() -> bytes:
    tar, busybox = shutil.which("tar"), shutil.which("busybox")
    assert tar
    assert busybox
    told = subprocess.run(["ldd", tar], capture_output=True, text=True, check=True).stdout
    libraries = [Path(one) for one in re.findall(r"(/\S+) \(0x", told)]
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as tree:
        tree.add(Path(tar).resolve(), "bin/tar")
        tree.add(Path(busybox).resolve(), "bin/busybox")
        for library in libraries:
            # Under the name by which it is looked for, whatever that is a link to.
            tree.add(library.resolve(), str(library).lstrip("/"))
        for applet in APPLETS:
            entry = tarfile.TarInfo(f"bin/{applet}")
            entry.type, entry.linkname = tarfile.SYMTYPE, "busybox"
            tree.addfile(entry)
    return file.getvalue()
