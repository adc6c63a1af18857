"""Plans and registrations are looked through by words, filters and an order, within their tab."""

import json
import re
from datetime import timedelta

from django.test import Client
from django.utils import timezone

from tests.web.pages import scenes
from workspace_manager.records.models import Plan, Registration

LIVE = {"HX-Request": "true"}


def plans(browser: Client, **asked: str) -> list[str]:
    page = browser.get("/manage/plans", asked).content.decode()
    return re.findall(r'class="line-title"[^>]*>[^<]*: (\w+)<', page)


def test_plans(as_ada: Client) -> None:
    now = timezone.now()
    for n, (name, kind, state) in enumerate(
        [
            ("anna", "removal", "running"),
            ("bela", "suspension", "stuck"),
            ("zora", "removal", "stuck"),
            ("anna", "removal", "done"),
        ]
    ):
        at = now - timedelta(hours=n)
        document = json.dumps({"steps": [], "sub": ""})
        Plan.objects.create(
            kind=kind, person=name, state=state, created_at=at, document_text=document
        )
    assert plans(as_ada) == ["anna", "bela", "zora"]
    assert plans(as_ada, stands="stuck") == ["bela", "zora"]
    assert plans(as_ada, kind="removal", sort="created_at") == ["zora", "anna"]
    assert plans(as_ada, q="anna") == ["anna"]
    assert plans(as_ada, sort="-person", stands="nonsense") == ["zora", "bela", "anna"]
    assert plans(as_ada, state="done", q="anna", stands="stuck") == ["anna"]
    page = as_ada.get("/manage/plans", {"q": "anna", "stands": "stuck"}).content.decode()
    assert "Nothing found." in page
    # What is looked for stays when another tab is looked at.
    assert 'href="?q=anna&amp;state=done"' in page
    part = as_ada.get("/manage/plans", {"kind": "suspension"}, headers=LIVE).content.decode()
    assert "<html" not in part
    assert "bela" in part


def registrations(browser: Client, **asked: str) -> list[str]:
    page = browser.get("/manage/registrations", asked).content.decode()
    return re.findall(r'class="entry-facts"><code>(\w+)</code>', page)


def test_registrations(as_ada: Client) -> None:
    now = timezone.now()
    for n, name in enumerate(("carla", "dora", "emil")):
        scenes.registration(name, f"{name.title()} Rossi", age=timedelta(hours=9 - n))
    Registration.objects.filter(username="dora").update(email_confirmed=True)
    Registration.objects.filter(username="emil").update(email_confirmed=False)
    Registration.objects.filter(username="carla").update(email_confirmed=False)
    assert registrations(as_ada) == ["carla", "dora", "emil"]
    assert registrations(as_ada, email_confirmed="yes") == ["dora"]
    assert registrations(as_ada, sort="-username", email_confirmed="no") == ["emil", "carla"]
    assert registrations(as_ada, q="dora ross") == ["dora"]
    page = as_ada.get("/manage/registrations", {"q": "zzz"}).content.decode()
    assert "Nobody found." in page
    part = as_ada.get("/manage/registrations", {"q": "emil"}, headers=LIVE).content.decode()
    assert "<html" not in part
    assert "carla" not in part
    for name, hours in (("dora", 2), ("emil", 1)):
        at = now - timedelta(hours=hours)
        Registration.objects.filter(username=name).update(status="rejected", decided_at=at)
    assert registrations(as_ada, status="rejected") == ["emil", "dora"]
    assert registrations(as_ada, status="rejected", sort="decided_at") == ["dora", "emil"]
