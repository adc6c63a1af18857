"""A snapshot as a download of any size, sent while it is read."""

import re
from dataclasses import dataclass
from datetime import UTC
from typing import Final

from django.http import StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.text import slugify

from workspace_manager.records.models import Snapshot
from workspace_manager.snapshots.download import measure_download, read_download
from workspace_manager.snapshots.stack_content import is_of_stack
from workspace_manager.snapshots.store.snapshot_reader import SnapshotReader
from workspace_manager.snapshots.store_access import open_reader

TYPE: Final = "application/zstd"
ARCHIVE: Final = "application/x-tar"
"""Of a stack: its parts are the files of an archive."""
RANGE: Final = re.compile(r"bytes=(\d*)-(\d*)")


@dataclass(frozen=True)
class Download:
    """The requested bytes of a snapshot’s content: from `start` to before `stop` of `size`. `start`
    is `stop` for a range outside it.
    """

    reader: SnapshotReader
    start: int
    stop: int
    size: int
    is_range: bool

    def answer(self, snapshot: Snapshot) -> HttpResponseBase:
        """Return the bytes, sent while they are read."""
        name = file_name(snapshot, self.reader)
        headers = {
            "Accept-Ranges": "bytes",
            "Cache-Control": "no-store",
            "Content-Disposition": f'attachment; filename="{name}"',
            "Content-Length": str(self.stop - self.start),
        }
        if self.is_range:
            headers["Content-Range"] = f"bytes {self.start}-{self.stop - 1}/{self.size}"
        return StreamingHttpResponse(
            read_download(self.reader, self.start, self.stop),
            status=206 if self.is_range else 200,
            content_type=ARCHIVE if is_of_stack(self.reader.manifest) else TYPE,
            headers=headers,
        )


def open_download(snapshot: Snapshot, asked: str) -> Download:
    """Return the whole content or the requested range. Raises the five errors."""
    reader = open_reader(snapshot)
    size = measure_download(reader)
    found = RANGE.fullmatch(asked.strip())
    if found is None or not (found[1] or found[2]):
        # An invalid range, or several, get the whole content.
        return Download(reader, 0, size, size, is_range=False)
    if found[1]:
        start, stop = int(found[1]), min(size, int(found[2]) + 1) if found[2] else size
    else:
        start, stop = max(0, size - int(found[2])), size
    return Download(reader, start, max(start, stop), size, is_range=True)


def file_name(snapshot: Snapshot, reader: SnapshotReader) -> str:
    """Return the file name: label, day, and the extension of its format."""
    day = snapshot.created_at.astimezone(UTC).date().isoformat()
    name = f"{slugify(snapshot.label) or 'snapshot'}-{day}"
    if is_of_stack(reader.manifest):
        return f"{name}.tar"
    first = next(iter(reader.manifest.parts), None)
    ending = first.name.rpartition(".")[2] if first else "content"
    return f"{name}.{ending}.zst"
