"""Where an administrator begins: numbers and charts that are there without script and picture."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from workspace_manager.records.models import Person, Plan, Tombstone
from workspace_manager.systems import registry
from workspace_manager.web.pages.charts import HEIGHT, Row, bars
from workspace_manager.web.pages.manage import overview


def test_numbers_and_charts_are_on_the_page(as_ada: Client, anna: Person) -> None:
    now = timezone.now()
    Tombstone.objects.create(username="zora", created_at=now, expires_at=now)
    Plan.objects.create(kind="removal", person="x", state="stuck", approved_at=now)
    page = as_ada.get("/manage").content.decode()
    assert re.search(r"<strong>2</strong> <span>people", page)
    assert "In the last 12 weeks: 2 joined, 1 left." in page
    assert page.count("<desc") == 2
    # What the picture shows stands in a table too.
    monday = (now - timedelta(days=now.weekday())).day
    assert re.search(rf'<th scope="row">{monday} \w+ \d+</th><td>2</td><td>1</td>', page)
    for name in registry().names():
        assert f'id="strip-{name}"' in page


def test_an_empty_workspace_has_an_overview(as_ada: Client) -> None:
    assert "0 plans are open" in as_ada.get("/manage").content.decode()


@pytest.mark.django_db
def test_it_costs_six_statements(as_ada: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    cost = []

    def nothing(request: object, template: str, context: object) -> None:
        cost.append(len(queries))

    monkeypatch.setattr(overview, "render", nothing)
    with CaptureQueriesContext(connection) as queries:
        overview.overview(None)  # type: ignore[arg-type]
    assert cost == [6]


def test_a_bar_hangs_below_the_line_where_there_are_two_series() -> None:
    day = timezone.now().date()
    one = bars("x", "X", "", ("day", "a"), [Row(day, (4,)), Row(day, (0,)), Row(day, (2,))])
    heights = [[float(bar.height) for bar in column.bars] for column in one.columns]
    assert heights == [[HEIGHT - 2], [], [(HEIGHT - 2) / 2]]
    two = bars("x", "X", "", ("day", "a", "b"), [Row(day, (1, 300))])
    up, down = two.columns[0].bars
    assert float(up.y) + float(up.height) == float(down.y) == float(two.base)
    assert float(down.y) + float(down.height) <= HEIGHT
    # What is not nothing can be seen.
    assert float(up.height) >= 1
    assert bars("x", "X", "", ("day", "a"), []).columns == []
