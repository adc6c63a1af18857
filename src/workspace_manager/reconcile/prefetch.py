"""Read the next page while one is compared, so that a comparison takes hardly longer than reading.

Holds at most two pages.
"""

from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from types import TracebackType

from django.db import connection

from workspace_manager.contract.connector import System
from workspace_manager.contract.inventory import Inventory, Page


class PagePrefetch:
    """The pages of one system in order, from any cursor."""

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
        """Return the page at a cursor. Raises the errors of reading it."""
        if self.next is not None and self.next[0] == cursor:
            page = self.next[1].result()
        else:
            page = self.lister(self.system, cursor)
        self.next = None
        if page.next and page.next != cursor:
            # Carries the caller's deadline and slot.
            asked = copy_context().run
            self.next = (page.next, self.thread.submit(asked, self._read, page.next))
        return page

    def _read(self, cursor: str) -> Page:
        try:
            return self.lister(self.system, cursor)
        finally:
            # A lister that uses the database opened it in this thread.
            connection.close()
