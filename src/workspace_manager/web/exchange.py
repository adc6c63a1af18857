"""One request and its answer, as threads see them: nothing here waits for the visitor."""

from collections.abc import Callable, Iterable, Iterator
from contextvars import Context, copy_context
from typing import Any, Final, TypeAlias

from workspace_manager.web.environ import Environ

Application: TypeAlias = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]
Headers: TypeAlias = list[tuple[bytes, bytes]]

WHOLE: Final = 1_000_000
"""Bytes of an answer that is made in one go; one that is longer, or does not say, in pieces."""
PIECE: Final = 65_536


class Exchange:
    """Asks the application, and has its answer piece by piece; each piece may be made by another
    thread. The language and the time zone of the reader hold for all of them.
    """

    def __init__(self, application: Application, environ: Environ) -> None:
        self._application, self._environ = application, environ
        self.context: Context = copy_context()
        """The context in which each of the three methods runs."""
        self._pieces: Iterator[bytes] = iter(())
        self.close: Callable[[], object] = lambda: None
        """Tells the application that the answer is over, be it at its end or before."""
        self.status, self.headers = 500, Headers()
        self.is_whole = False
        """Whether all of it was given by `begin`."""

    def begin(self) -> bytes:
        """Ask; gives all of the answer where it is of a moderate size."""
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
        """The next piece, which is empty when there is none."""
        made = bytearray()
        while len(made) < PIECE and (more := next(self._pieces, None)) is not None:
            made += more
        return bytes(made)

    def _start(self, status: str, headers: list[tuple[str, str]], _wrong: object = None) -> None:
        self.status = int(status.partition(" ")[0])
        self.headers = [
            (n.lower().encode("latin-1"), v.strip().encode("latin-1")) for n, v in headers
        ]
