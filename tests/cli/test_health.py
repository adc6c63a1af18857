"""`health` says how the systems stand, and calls none."""

import json

import pytest
from click.testing import CliRunner

from tests.web.pages.healthy import healthy
from workspace_manager.cli.health import health
from workspace_manager.systems import registry

pytestmark = pytest.mark.django_db


def test_every_system_is_listed() -> None:
    healthy("drive", "degraded", "it is in maintenance")
    done = CliRunner().invoke(health, ["--json"])
    assert done.exit_code == 0, done.output
    rows = {row["name"]: row for row in json.loads(done.output)["items"]}
    assert set(rows) == set(registry().names())
    assert rows["drive"]["state"] == "degraded"
    assert rows["drive"]["reason"] == "it is in maintenance"
    assert rows["triplestore"]["state"] == "not_asked"


def test_one_system_in_words() -> None:
    healthy("drive", "down", "nothing answers")
    said = CliRunner().invoke(health, ["drive"]).output
    assert "nothing answers" in said
    assert "triplestore" not in said
