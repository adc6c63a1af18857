"""Run by `test_eighth_system.py` in a process where distributions are installed whose systems do
not fit.
"""

import pytest
from click.testing import CliRunner
from django.test import Client

from tests.visitors import Visitor
from workspace_manager.cli.check import check
from workspace_manager.cli.systems import systems
from workspace_manager.records.models import Person
from workspace_manager.systems import registry
from workspace_manager.wiring import connected_systems

pytestmark = pytest.mark.django_db
WRONG = {
    "anvil": "no SystemSpec",
    "drive": "workspace-double has a system drive too",
    "loom": "Several distributions have a system loom",
    "pottery": "nothing_of_this_name",
    "records": "a name that the manager needs itself",
    "wheel": "it calls itself loom",
}


def test_ours_are_all_there_and_the_others_are_not_used() -> None:
    assert len(registry().specs) == 7
    assert registry().specs["drive"].connect.startswith("workspace_manager.")
    assert {one.system for one in registry().wrong} == {*WRONG}
    assert all(one.message and one.remedy for one in registry().wrong)
    assert {*connected_systems().by_name} == {"records", "snapshots"}


def test_check_says_so_and_looks_at_the_others() -> None:
    found = CliRunner().invoke(check, [])
    assert found.exit_code == 1
    for text in WRONG.values():
        assert text in found.output
    assert "The SQL server is not configured" in found.output.replace("the SQL", "The SQL")
    assert CliRunner().invoke(systems, ["list"]).exit_code == 0
    alone = CliRunner().invoke(check, ["pottery"])
    assert alone.exit_code == 1
    assert "nothing_of_this_name" in alone.output


def test_rest_says_so(as_administrator: Visitor) -> None:
    items = {one["name"]: one for one in as_administrator.ask("GET", "/systems").json()["items"]}
    assert len(items) == 12
    for name, text in WRONG.items():
        (finding,) = items[name]["findings"]
        assert text in finding["text"]
        assert finding["severity"] == "failing"
    assert items["drive"]["settings"]
    assert not items["pottery"]["settings"]
    assert as_administrator.ask("POST", "/systems/pottery/pause").status_code == 404


def test_the_page_says_so(client: Client, ada: Person) -> None:
    client.force_login(ada)
    page = client.get("/manage/systems")
    assert page.status_code == 200
    for text in WRONG.values():
        assert text in page.content.decode()
