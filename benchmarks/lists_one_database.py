"""Measure the lists on one database: run as a file, in a process of its own.

`python benchmarks/lists_one_database.py ROUNDS` takes the database that `WORKSPACE_DATABASE_URL`
names, fills it, and prints one line of JSON.
"""

import importlib
import json
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.db import connection

ROOT = Path(__file__).resolve().parents[1]
COMPONENTS, STACKS, PROJECTS = 1000, 500, 120
ADDRESSES = (
    "/",
    "/components",
    "/components?q=notes+7&kind=sql_database&state=ready&sort=label",
    "/components?whose=shared&page=10",
    "/stacks",
    "/stacks?q=all&whose=mine&page=5",
    "/projects",
    "/api/v1/components?limit=50",
    "/api/v1/components?limit=200&q=notes&mine=true&sort=-label&offset=400",
    "/api/v1/stacks?limit=50&state=ready&sort=owner",
    "/api/v1/projects?limit=50",
)


@dataclass
class Statements:
    """The statements that the database was asked, with their values."""

    sent: list[tuple[str, Any]] = field(default_factory=list)

    def __call__(self, execute: Callable[..., Any], sql: str, values: Any, *rest: Any) -> Any:
        self.sent.append((sql, values))
        return execute(sql, values, *rest)

    def of_rows(self) -> list[tuple[str, Any]]:
        """Those that read something."""
        return [one for one in self.sent if one[0].startswith("SELECT")]


def fill() -> Any:
    """Fill the database, and return who owns half of everything and shares the other half."""
    models = importlib.import_module("workspace_manager.records.models")
    anna, bela = (models.Person.objects.create_user(name) for name in ("anna", "bela"))
    projects = models.Project.objects.bulk_create(
        models.Project(owner=(anna, bela)[n % 2], label=f"Herbarium {n // 3}")
        for n in range(PROJECTS)
    )
    models.Membership.objects.bulk_create(
        models.Membership(project=one, person=anna) for one in projects if one.owner == bela
    )
    kinds, states = list(models.Component.Kind), ["ready", "ready", "ready", "waiting", "failed"]
    for model, count, label in (
        (models.Component, COMPONENTS, "Notes"),
        (models.Stack, STACKS, "All"),
    ):
        extra = [{"kind": kinds[n % 3]} if model is models.Component else {} for n in range(count)]
        model._default_manager.bulk_create(
            model(
                owner=(anna, bela)[n % 2],
                label=f"{label} {n}",
                name=f"{label.lower()}-{n}",
                state=states[n % 5],
                project=projects[n % PROJECTS],
                **extra[n],
            )
            for n in range(count)
        )
    return anna


def figures_of(browser: Any, nobody: Any, address: str, rounds: int) -> dict[str, float]:
    """One list: what its answer costs, the same for somebody who has nothing, and its statements,
    by turns.
    """
    statements = Statements()
    with connection.execute_wrapper(statements):
        answer = browser.get(address)
    if answer.status_code != 200:
        raise SystemExit(f"{address} answered {answer.status_code}")
    sent = statements.of_rows()
    took, cpu, frame, bare = (list[float]() for _ in range(4))
    for _ in range(rounds):
        begin = time.perf_counter()
        cpu.append(_cpu_ms(lambda: browser.get(address)))
        took.append((time.perf_counter() - begin) * 1000)
        frame.append(_cpu_ms(lambda: nobody.get(address)))
        bare.append(_cpu_ms(lambda: _send_bare(sent)))
    turns = list(zip(cpu, frame, bare, strict=True))
    return {
        "cpu_ms": statistics.median(cpu),
        "frame_ms": statistics.median(frame),
        "bare_ms": statistics.median(bare),
        # By turns: what slows the machine down slows down all three of one turn.
        "ratio": statistics.median((all_ - alone) / least for all_, alone, least in turns),
        "whole": statistics.median(all_ / least for all_, _alone, least in turns),
        "p95_ms": statistics.quantiles(took, n=20)[-1],
        "statements": len(statements.sent),
        "bytes": len(answer.content),
    }


def _send_bare(statements: list[tuple[str, Any]]) -> None:
    for sql, values in statements:
        with connection.cursor() as cursor:
            cursor.execute(sql, values)
            cursor.fetchall()


def _cpu_ms(call: Callable[[], Any]) -> float:
    begin = time.process_time()
    call()
    return (time.process_time() - begin) * 1000


def main(rounds: int) -> None:
    sys.path[:0] = [str(ROOT), str(ROOT / "src"), str(ROOT / "sandbox" / "src")]
    importlib.import_module("workspace_manager.bootstrap")
    settings.SECRET_KEYS = ["a key for measurements only"]
    settings.ALLOWED_HOSTS = ["testserver"]
    call_command("migrate", verbosity=0)
    call_command("createcachetable", verbosity=0)
    visitors = importlib.import_module("tests.visitors")
    person = fill()
    models = importlib.import_module("workspace_manager.records.models")
    browser, nobody = (
        _signed_in(visitors, one) for one in (person, models.Person.objects.create_user("nobody"))
    )
    print(json.dumps({one: figures_of(browser, nobody, one, rounds) for one in ADDRESSES}))


def _signed_in(visitors: Any, person: Any) -> Any:
    browser = visitors.Visitor(person)
    browser.force_login(person, backend=visitors.BACKEND)
    browser.get("/components")
    return browser


if __name__ == "__main__":
    main(int(sys.argv[1]))
