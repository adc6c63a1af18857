"""`python -m benchmarks.check [--stand-ins]`: how long a check of every system takes, and how many
calls it makes, beside the time that these calls take by themselves.

The check runs in this process, on the database of a demo and before the real parts that this
machine can start. Sessions of SQL servers are no HTTP calls: they are in the whole time alone.
"""

import argparse
import importlib
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import django

from workspace_manager.contract.http import HttpClient
from workspace_sandbox.demo import Demo


@dataclass
class Wire:
    """The HTTP calls of one check, and the seconds that they took, one after the other."""

    calls: int = 0
    seconds: float = 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stand-ins", action="store_true", help="without real parts")
    chosen = parser.parse_args()
    demo = Demo(port=0, real=not chosen.stand_ins)
    try:
        settings = {"DJANGO_SETTINGS_MODULE": "workspace_manager.settings"}
        os.environ |= {**demo.start()["environment"], **settings}
        django.setup()
        print("\n".join(_table()))
    finally:
        demo.stop()


def _table() -> Iterator[str]:
    # What needs Django set up is imported when it is.
    wiring: Any = importlib.import_module("workspace_manager.wiring")
    checks: Any = importlib.import_module("workspace_manager.operations.checks")
    systems = wiring.connected_systems()
    yield f"{'system':<20}{'seconds':>9}{'calls':>7}{'in calls':>10}{'ratio':>7}  not well"
    whole, all_calls = 0.0, Wire()
    for name in (one.name for one, _ in systems.specs() if systems.configured(one.name)):
        with _counted() as wire:
            begun = time.perf_counter()
            found = checks.findings(name, systems)
            seconds = time.perf_counter() - begun
        whole += seconds
        all_calls.calls += wire.calls
        all_calls.seconds += wire.seconds
        wrong = [f"{one.name} ({one.severity})" for one in found if one.severity != "ok"]
        yield f"{_line(name, seconds, wire)}  {', '.join(wrong) or 'nothing'}"
    yield _line("all, in turn", whole, all_calls)


@contextmanager
def _counted() -> Iterator[Wire]:
    """Count what is sent while the block lasts."""
    wire, send = Wire(), HttpClient.send

    def counting(*args: Any, **kwargs: Any) -> Any:
        begun = time.perf_counter()
        try:
            return send(*args, **kwargs)
        finally:
            wire.calls += 1
            wire.seconds += time.perf_counter() - begun

    replaced: Callable[..., Any] = counting
    HttpClient.send = replaced  # type: ignore[method-assign]
    try:
        yield wire
    finally:
        HttpClient.send = send  # type: ignore[method-assign]


def _line(name: str, seconds: float, wire: Wire) -> str:
    ratio = f"{seconds / wire.seconds:.1f}" if wire.seconds else "-"
    return f"{name:<20}{seconds:>9.2f}{wire.calls:>7}{wire.seconds:>10.2f}{ratio:>7}"


if __name__ == "__main__":
    main()
