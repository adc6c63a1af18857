"""Log lines carry the ids of their request, plan and step.

The context holds the ids: functions need not pass them on, and lines of a system have them too.
"""

import contextlib
from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from types import MappingProxyType

_ids: ContextVar[Mapping[str, str]] = ContextVar("log_ids", default=MappingProxyType({}))


def current_ids() -> Mapping[str, str]:
    """The ids of this context, the outermost first."""
    return _ids.get()


def bind(**ids: object) -> None:
    """Have every later line of this context carry these ids."""
    _ids.set({**_ids.get(), **{name: str(value) for name, value in ids.items()}})


def unbind(name: str) -> None:
    """Have no later line of this context carry this id."""
    _ids.set({other: value for other, value in _ids.get().items() if other != name})


@contextlib.contextmanager
def binding(**ids: object) -> Iterator[None]:
    """Have every line of this block carry these ids."""
    before = _ids.get()
    bind(**ids)
    try:
        yield
    finally:
        _ids.set(before)
