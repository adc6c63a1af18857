"""Pages about a system that is away, slow or well again: states in words for everybody, why
and since when for administrators.
"""

import re
from collections.abc import Iterator
from datetime import timedelta
from xml.etree.ElementTree import fromstring

import httpx
import pytest
from django.test import Client

from tests.web.pages import scenes
from tests.web.pages.healthy import healthy
from workspace_manager.contract.connector import Finding, Severity
from workspace_manager.contract.secret import Secret
from workspace_manager.core.clock import database_now
from workspace_manager.operations import health, health_strip
from workspace_manager.records.models import (
    Health,
    HealthFinding,
    Person,
    StoredSetting,
    SystemStatus,
)
from workspace_manager.wiring import connected_systems
from workspace_sandbox.server import running
from workspace_sandbox.stand_ins.drive import DriveStandIn

FAULT = {"path": ".*", "fault": "status", "status": 503, "times": 1000}


@pytest.fixture
def drive() -> Iterator[DriveStandIn]:
    made = DriveStandIn(
        issuer_url="http://127.0.0.1:1",
        client_id="workspace",
        client_secret="s",
        admin_password="canary-of-the-drive",
        admin_app_password="canary-app-password",
    )
    with running(made):
        scenes.set_up_systems()
        StoredSetting.objects.filter(system="drive", name="base_url").update(value=made.url)
        password = Secret("canary-of-the-drive", name="admin_password")
        StoredSetting.objects.filter(system="drive", name="admin_password").update(secret=password)
        yield made


def look() -> str:
    Health.objects.update(look_at=None)
    health.look("drive", connected_systems())
    return Health.objects.get(system="drive").state


def break_it(drive: DriveStandIn) -> None:
    httpx.post(f"{drive.control_url}/faults", json=FAULT).raise_for_status()


def mend(drive: DriveStandIn) -> None:
    httpx.delete(f"{drive.control_url}/faults").raise_for_status()


def tile(page: str) -> str:
    return page.partition("Your files, shared folders")[2].partition("</li>")[0]


def card(page: str, name: str = "drive") -> str:
    return page.partition(f'id="{name}"')[2].partition("</li>\n<li")[0].partition("Settings")[0]


def test_a_drive_that_answers_503_is_shown_as_what_it_is(
    as_anna: Client, as_ada: Client, drive: DriveStandIn
) -> None:
    break_it(drive)
    assert look() == "down"
    dashboard = tile(as_anna.get("/").content.decode())
    assert "not available" in dashboard
    assert "does not answer" not in dashboard
    assert "ready" not in dashboard
    assert "HTTP 503" not in dashboard, "people see the state, administrators why"
    page = card(as_ada.get("/manage/systems").content.decode())
    assert "in use" not in page
    assert "It answers HTTP 503" in page
    assert "not available at the moment" in page
    assert "does not answer" not in page, "it does: with 503"


def test_a_drive_that_is_well_again_fails_for_nobody(
    as_anna: Client, as_ada: Client, drive: DriveStandIn
) -> None:
    break_it(drive)
    as_ada.post("/manage/systems/drive/check")
    look()
    assert HealthFinding.objects.filter(closed_at=None, severity="failing").exists()
    assert "failing" in card(as_ada.get("/manage/systems").content.decode())
    mend(drive)
    look()
    reached = [one for one in HealthFinding.objects.all() if "503" in one.finding["text"]]
    assert reached
    assert all(one.closed_at for one in reached), "it closed by itself"
    assert "503" not in card(as_ada.get("/manage/systems").content.decode())
    assert "not available" not in tile(as_anna.get("/").content.decode())


@pytest.mark.parametrize(
    ("state", "word"),
    [("up", "ready"), ("degraded", "degraded"), ("down", "not available")],
)
def test_a_tile_has_the_word_of_its_state(
    as_anna: Client, anna: Person, state: str, word: str
) -> None:
    scenes.set_up_systems()
    healthy("drive", state, "canary: why it is so")
    shown = tile(as_anna.get("/").content.decode())
    assert word in shown
    assert "canary" not in shown


def test_nothing_is_claimed_of_what_nobody_looked_at(as_anna: Client, as_ada: Client) -> None:
    scenes.set_up_systems()
    assert "not checked" in tile(as_anna.get("/").content.decode())
    assert (
        "Its availability has not been recorded yet"
        in as_ada.get("/manage/systems").content.decode()
    )


def test_the_strip_is_a_picture_and_a_text(as_ada: Client) -> None:
    scenes.set_up_systems()
    healthy("drive", "up")
    now = database_now()
    health_strip.count("drive", "down", now - timedelta(seconds=90), now - timedelta(seconds=30))
    page = card(as_ada.get("/manage/systems").content.decode())
    drawn = re.search(r'<svg class="strip".*?</svg>', page, re.DOTALL)
    assert drawn
    picture = fromstring(drawn[0])
    days = [one for one in picture if one.tag == "g"]
    assert len(days) == 90
    assert any("strip-down" in part.get("class", "") for part in days[-1])
    assert all("strip-gap" in part.get("class", "") for part in days[0] if part.tag == "rect")
    assert picture.get("aria-labelledby")
    assert "1 of the last 90 days" in page
    assert "style=" not in page, "the policy of the pages allows no style in an element"


def test_findings_say_since_when(as_ada: Client) -> None:
    scenes.set_up_systems()
    found = Finding(system="drive", name="prefix", severity=Severity.FAILING, text="wrong prefix")
    # At noon it is that day wherever the page is read.
    at = (database_now() - timedelta(days=3)).replace(hour=12)
    HealthFinding.objects.create(
        system="drive",
        key="prefix|wrong prefix",
        severity="failing",
        finding=found.model_dump(mode="json"),
        first_seen=at,
        last_seen=at,
    )
    SystemStatus.objects.create(system="drive", findings=[found.model_dump(mode="json")])
    healthy("drive", "degraded", "prefix: wrong prefix")
    page = card(as_ada.get("/manage/systems").content.decode())
    assert "wrong prefix" in page
    assert at.strftime("%Y-%m-%dT") in page


def test_it_is_said_in_german(as_ada: Client, ada: Person) -> None:
    Person.objects.filter(id=ada.id).update(locale="de")
    scenes.set_up_systems()
    healthy("drive", "down", "gone")
    page = as_ada.get("/manage/systems").content.decode()
    assert "nicht verfügbar" in page
    assert "not available" not in page
