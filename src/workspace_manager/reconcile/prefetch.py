"""Read the next page while one is compared: a comparison takes hardly longer than reading alone.

Two pages are held at most.
"""

from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from types import TracebackType

from django.db import connection

from workspace_manager.contract.connector import System
from workspace_manager.contract.inventory import Inventory, Page


class PagePrefetch:
    """The pages of one system, in order; from wherever somebody goes on."""

    def __init__(self, lister: Inventory, system: System) -> None:
        self.lister, self.system = lister, system
        self.thread = ThreadPoolExecutor(1, thread_name_prefix="reconcile")
        self.next: tuple[str, Future[Page]] | None = None

    def __enter__(self) -> "PagePrefetch":
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _where: TracebackType | None,
    ) -> None:
        self.thread.shutdown(wait=True, cancel_futures=True)

    def page(self, cursor: str) -> Page:
        """The page that begins there. Raises what reading it raised."""
        if self.next is not None and self.next[0] == cursor:
            page = self.next[1].result()
        else:
            page = self.lister(self.system, cursor)
        self.next = None
        if page.next and page.next != cursor:
            # With the deadline and the place of whoever waits for it.
            asked = copy_context().run
            self.next = (page.next, self.thread.submit(asked, self._read, page.next))
        return page

    def _read(self, cursor: str) -> Page:
        try:
            return self.lister(self.system, cursor)
        finally:
            # Of this thread; a lister that asks the database has opened it.
            connection.close()
