"""Two people racing, in seeded interleavings: no wrong end state. `make races` runs a thousand of
each; every day a sample is run.

A failure names its seed: `RACES=1 RACES_FROM=<seed> pytest tests/people_in_motion/test_races.py -k
"<race>"` scenarios that one again.
"""

import os

import pytest
from django.apps import apps
from django.db import connection

from tests.figures import report
from tests.people_in_motion.races import RACES, Race

pytestmark = pytest.mark.django_db(transaction=True)

EVERY_DAY = 6
SEEDS = int(os.environ.get("RACES", str(EVERY_DAY)))
FIRST = int(os.environ.get("RACES_FROM", "0"))


def empty() -> None:
    """Rows of the seed before are gone; flushing everything by the framework would take longer than
    the race.
    """
    tables = [connection.ops.quote_name(model._meta.db_table) for model in apps.get_models()]
    with connection.constraint_checks_disabled(), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(f"TRUNCATE {', '.join(tables)} CASCADE")
            return
        for table in tables:
            cursor.execute(f"DELETE FROM {table}")


@pytest.mark.one_in(2)
@pytest.mark.parametrize("race", RACES, ids=lambda race: race.name)
def test_no_interleaving_ends_wrong(race: Race, request: pytest.FixtureRequest) -> None:
    played: set[tuple[int, ...]] = set()
    for seed in range(FIRST, FIRST + SEEDS):
        empty()
        played.add(race.run(seed))
    report(
        request.node, f"{race.name}: {SEEDS} seeds, {len(played)} interleavings, none ended wrong"
    )
