"""A bucket on loopback that fails as it is told to; it speaks as much of S3 as a store needs, and
compares no signature. What a bucket that works does, a real server shows
(tests/real/test_snapshots_s3.py).
"""

import contextlib
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit
from xml.sax.saxutils import escape

from workspace_manager.snapshots_settings import SnapshotsLocation

ACCESS, SECRET = "an access key of tests", "the secret of tests"
NAME = "kept"


@dataclass
class Bucket:
    """What is in it, what was asked of it, and how it fails: `status` answers every request of one
    of `methods`, `pause_s` comes before each answer. Of what lies in `locked` nothing is deleted.
    """

    objects: dict[str, bytes] = field(default_factory=dict)
    asked: list[tuple[str, str]] = field(default_factory=list)
    status: int = 0
    code: str = "InternalError"
    methods: tuple[str, ...] = ("GET", "PUT", "HEAD", "DELETE")
    pause_s: float = 0
    locked: str = ""
    port: int = 0

    @property
    def location(self) -> SnapshotsLocation:
        return SnapshotsLocation(
            bucket=NAME,
            prefix="ours",
            endpoint=f"http://127.0.0.1:{self.port}",
            access_key=ACCESS,
            secret_key=SECRET,
        )

    @contextlib.contextmanager
    def running(self) -> Iterator["Bucket"]:
        bucket = self

        class Handler(_Handler):
            of = bucket

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        self.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        try:
            yield self
        finally:
            server.shutdown()
            server.server_close()
            thread.join()


class _Handler(BaseHTTPRequestHandler):
    of: Bucket
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1

    def log_message(self, *_: object) -> None:
        return None

    def do_GET(self) -> None:
        key = self._begin()
        if key is None:
            return
        if not key:
            self._list()
        elif key not in self.of.objects:
            self._fail(404, "NoSuchKey")
        else:
            self._answer(200, self.of.objects[key])

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_PUT(self) -> None:
        key = self._begin()
        if key is None:
            return
        self.of.objects[key] = self.body
        self._answer(200)

    def do_DELETE(self) -> None:
        key = self._begin()
        if key is None:
            return
        if self.of.locked and self.of.locked in key:
            self._fail(403, "AccessDenied")
            return
        self.of.objects.pop(key, None)
        self._answer(204)

    def _begin(self) -> str | None:
        """The key that is asked for; None when the answer was given already."""
        self.body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        path = urlsplit(self.path).path
        self.of.asked.append((self.command, path))
        if self.of.pause_s:
            time.sleep(self.of.pause_s)
        if self.of.status and self.command in self.of.methods:
            self._fail(self.of.status, self.of.code)
            return None
        return path.removeprefix(f"/{NAME}").lstrip("/")

    def _list(self) -> None:
        prefix = dict(parse_qsl(urlsplit(self.path).query)).get("prefix", "")
        found = "".join(
            f"<Contents><Key>{escape(key)}</Key><Size>{len(content)}</Size>"
            "<LastModified>2026-01-01T00:00:00.000Z</LastModified><ETag>&quot;1&quot;</ETag>"
            "</Contents>"
            for key, content in sorted(self.of.objects.items())
            if key.startswith(prefix)
        )
        said = f"<ListBucketResult><IsTruncated>false</IsTruncated>{found}</ListBucketResult>"
        self._answer(200, said.encode())

    def _fail(self, status: int, code: str) -> None:
        said = f"<Error><Code>{code}</Code><Message>{ACCESS}</Message></Error>"
        self._answer(status, said.encode())

    def _answer(self, status: int, content: bytes = b"") -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("ETag", '"1"')
        self.send_header("Last-Modified", "Thu, 01 Jan 2026 00:00:00 GMT")
        self.end_headers()
        if self.command != "HEAD":
            with contextlib.suppress(OSError):
                self.wfile.write(content)
