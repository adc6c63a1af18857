"""The number of people who leave a second with one, two and four workers, how much CPU the workers
need for each, and how many connections to PostgreSQL everything takes.
"""

from tests.life.departures import Measured, measure
from workspace_sandbox.real import postgresql

WORKERS = (1, 2, 4)
WEBS = 2
MOST = 60
"""Connections of the server: fewer than a worker's threads."""


def measure_all(people: int) -> list[Measured]:
    """With each number of workers; nothing where there is no PostgreSQL."""
    if postgresql.why_not():
        return []
    return [measure(people, workers=n, webs=WEBS, max_connections=MOST) for n in WORKERS]


def table(measured: list[Measured]) -> list[str]:
    """Lines to print: one for each number of workers."""
    if why_not := postgresql.why_not():
        return [f"DEPARTURES NOT MEASURED on postgresql: {why_not}"]
    head = (
        f"{'workers':<10}{'departures':>12}{'a second':>12}{'CPU ms each':>14}"
        f"{'connections at rest':>22}{'at most':>10}"
    )
    return [head, "-" * len(head), *[_line(one) for one in measured]]


def _line(one: Measured) -> str:
    return (
        f"{one.workers:<10}{one.people:>12}{one.a_second:>12.2f}{one.each_s * 1000:>14.0f}"
        f"{one.connections_at_rest:>22}{one.connections_at_most:>10}"
    )
