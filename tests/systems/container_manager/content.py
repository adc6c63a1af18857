"""The content of volumes of the stand-in."""

import tarfile
from typing import Any

from workspace_sandbox.stand_ins.container_manager import archives


def entry(name: str, data: bytes = b"", **more: Any) -> archives.Entry:
    about = tarfile.TarInfo(name)
    about.size = len(data)
    for member, value in more.items():
        setattr(about, member, value)
    return about, data


CONTENT = [
    entry(".", type=tarfile.DIRTYPE, mode=0o700, uid=999, gid=999),
    entry("./pages", b"rows", mode=0o600, uid=999, gid=998),
    entry("./again", type=tarfile.LNKTYPE, linkname="./pages"),
    entry("./sub", type=tarfile.DIRTYPE, mode=0o2750, uid=1234, gid=1235),
    entry("./sub/there", type=tarfile.SYMTYPE, linkname="../pages"),
]

OTHER = [CONTENT[0], entry("./stray", b"spoiled", mode=0o644)]
