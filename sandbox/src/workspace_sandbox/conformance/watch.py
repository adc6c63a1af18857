"""Watch what a connector says: it holds no secret and survives JSON, whatever the check is
about.

A `Watched` connector is handed changes that went through JSON, and what it answers is put through
JSON and compared.
"""

import base64
import functools
import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import ParamSpec, TypeVar
from urllib.parse import quote

from workspace_manager.contract.connector import (
    CallPolicy,
    Change,
    Connector,
    Evidence,
    Facts,
    Finding,
    FrozenModel,
    Outcome,
    System,
    Target,
)
from workspace_manager.contract.errors import ConnectorError

V = TypeVar("V", bound=FrozenModel)
P = ParamSpec("P")
R = TypeVar("R")


def through_json(value: V) -> V:
    """Write a value as JSON and read it again, as the journal does."""
    return type(value).model_validate_json(value.model_dump_json())


class Listener(logging.Handler):
    """A handler that keeps every logged line, with arguments and tracebacks."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.lines: list[str] = []
        self.crashes: list[str] = []
        """What a stand-in or door did not foresee: it has to answer as the real one, not to fall
        over.
        """
        self._format = logging.Formatter("%(name)s %(message)s")

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self._format.format(record))
        if record.levelno >= logging.ERROR and record.name.startswith(("aiohttp", "asyncio")):
            self.crashes.append(self.lines[-1])


@dataclass
class Watch:
    """The output of one check."""

    values: list[FrozenModel] = field(default_factory=list)
    errors: list[ConnectorError] = field(default_factory=list)
    said: list[str] = field(default_factory=list)

    def value(self, value: V) -> V:
        """Note a value; it must be equal after JSON."""
        again = through_json(value)
        assert again == value, f"{value!r} does not survive JSON"
        self.values.append(value)
        self.said += [value.model_dump_json(), repr(value)]
        return again

    def error(self, error: ConnectorError) -> None:
        """Note an error with its whole chain, and hold it to what every error has to say."""
        self.errors.append(error)
        self.said += [error.advice, *_shown(error)]
        assert error.detail, f"{error!r} does not say what happened"
        assert error.doing, f"{error!r} does not say which call failed"
        assert error.advice, f"{error} does not say what to do"

    def holds(self, canaries: Sequence[str], *more: str) -> list[str]:
        """Return every place that contains a secret, in clear or in an encoded form."""
        said = [*self.said, *more]
        heap = "\n".join(said)
        found = [form for text in canaries for form in _forms(text) if form in heap]
        return [text for text in said if any(form in text for form in found)]


def _shown(error: BaseException | None) -> Iterator[str]:
    """Return what a traceback shows of an error and of those behind it, besides lines of source."""
    while error is not None:
        yield f"{error!r} {error} {getattr(error, '__notes__', '')}"
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


@functools.cache
def _forms(text: str) -> frozenset[str]:
    """A secret as it is, quoted for a URL or in JSON, and inside Basic at each of its three
    alignments.
    """
    found = {text, quote(text, safe=""), text.encode("unicode_escape").decode()}
    for lead in range(3):
        whole = base64.b64encode(b"x" * lead + text.encode()).decode()
        # The first and last group also hold what stands before and behind it.
        found.add(whole[4 if lead else 0 : -4])
    return frozenset(found)


class Watched:
    """A connector whose output is watched."""

    def __init__(self, inner: Connector, watch: Watch) -> None:
        self._inner = inner
        self._watch = watch
        self.kind: str = inner.kind
        self.calls: CallPolicy = inner.calls

    def plan(self, target: Target, want: Facts | None) -> Change:
        return self._watch.value(self._heard(self._inner.plan, target, want))

    def apply(self, change: Change) -> Outcome:
        return self._watch.value(self._heard(self._inner.apply, through_json(change)))

    def remove(self, change: Change) -> Outcome:
        return self._watch.value(self._heard(self._inner.remove, through_json(change)))

    def verify(self, change: Change) -> Evidence | None:
        found = self._heard(self._inner.verify, through_json(change))
        return None if found is None else self._watch.value(found)

    def prove_rights(self, system: System) -> Evidence:
        return self._watch.value(self._heard(system.prove_rights))

    def prove_credential(self, system: System) -> None:
        self._heard(system.prove_credential)

    def check(self, system: System) -> list[Finding]:
        return [self._watch.value(one) for one in self._heard(system.check)]

    def _heard(self, call: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return call(*args, **kwargs)
        except ConnectorError as error:
            self._watch.error(error)
            raise
