"""One request and its answer, for use in threads: nothing here waits for the visitor."""

from collections.abc import Callable, Iterable, Iterator
from contextvars import Context, copy_context
from typing import Any, Final, TypeAlias

from workspace_manager.web.environ import Environ

Application: TypeAlias = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]
Headers: TypeAlias = list[tuple[bytes, bytes]]

WHOLE: Final = 1_000_000
"""Bytes of an answer that is made at once. A longer answer, or one without a length, is made in
pieces.
"""
PIECE: Final = 65_536


class Exchange:
    """A call of the application, and its answer in pieces. Each piece may be made by another
    thread; the reader's language and time zone hold for all of them.
    """

    def __init__(self, application: Application, environ: Environ) -> None:
        self._application, self._environ = application, environ
        self.context: Context = copy_context()
        """The context in which each of the three methods runs."""
        self._pieces: Iterator[bytes] = iter(())
        self.close: Callable[[], object] = lambda: None
        """Tells the application that the answer is over, whether complete or not."""
        self.status, self.headers = 500, Headers()
        self.is_whole = False
        """Whether `begin` returned the whole answer."""

    def begin(self) -> bytes:
        """Call the application. Return the whole answer if its size is moderate."""
        answer = self._application(self._environ, self._start)
        self.close = getattr(answer, "close", self.close)
        try:
            self._pieces = iter(answer)
            if self._environ["REQUEST_METHOD"] == "HEAD":
                self._pieces = iter(())
                self.is_whole = True
            size = dict(self.headers).get(b"content-length", b"")
            self.is_whole |= isinstance(answer, list) or (size.isdigit() and int(size) <= WHOLE)
            whole = b"".join(self._pieces) if self.is_whole else b""
        except BaseException:
            self.close()
            raise
        if self.is_whole:
            self.close()
        return whole

    def make_piece(self) -> bytes:
        """Return the next piece; it is empty at the end."""
        made = bytearray()
        while len(made) < PIECE and (more := next(self._pieces, None)) is not None:
            made += more
        return bytes(made)

    def _start(self, status: str, headers: list[tuple[str, str]], _wrong: object = None) -> None:
        self.status = int(status.partition(" ")[0])
        self.headers = [
            (n.lower().encode("latin-1"), v.strip().encode("latin-1")) for n, v in headers
        ]
