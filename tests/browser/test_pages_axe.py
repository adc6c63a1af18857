"""axe finds nothing on the main pages: wide and on a phone, light and dark, in English
and German.
"""

from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.utils import timezone
from playwright.sync_api import Page

from tests.browser.conftest import Window
from tests.sample import first_of
from tests.web.pages import scenes
from workspace_manager.access import tokens
from workspace_manager.engine import pause as pausing
from workspace_manager.letters import mail_outbox
from workspace_manager.people import roles
from workspace_manager.records.models import (
    Component,
    Mail,
    Person,
    Registration,
    Tombstone,
    UnapprovedSignIn,
    WebhookDelivery,
    WebhookEndpoint,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

RULES = {
    "runOnly": {
        "type": "tag",
        "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    },
    # Of what is as it should be, nobody reads where on the page it is.
    "resultTypes": ["violations"],
}
LOOKS: list[dict[str, Any]] = [
    {"viewport": {"width": 1280, "height": 860}, "color_scheme": "light"},
    {"viewport": {"width": 320, "height": 700}, "color_scheme": "dark"},
]


def look_at(window: Window, paths: Iterable[str], person: Person | None) -> None:
    """Open the pages in both looks; nothing may be found, stick out, or be complained about."""
    first, *others = paths
    page = window.open(first, person)
    wrong = list(found_on(page, first))
    for path in others:
        page.goto(window.address + path)
        wrong += found_on(page, path)
    assert not wrong, "\n".join(wrong)
    assert not window.complaints


def found_on(page: Page, path: str) -> Iterator[str]:
    """A page is loaded once, and looked at in a window of either size and colour."""
    for look in LOOKS:
        page.set_viewport_size(look["viewport"])
        page.emulate_media(color_scheme=look["color_scheme"])
        found = Axe().run(page, options=RULES)
        for violation in found.response["violations"]:
            nodes = [node["html"][:150] for node in violation["nodes"][:3]]
            yield (
                f"{path} ({look['color_scheme']}): {violation['id']}: {violation['help']}: {nodes}"
            )
        width = page.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )
        if width > 0:
            yield f"{path} is {width} px wider than a window of {look['viewport']['width']}"


def test_for_visitors(window: Window) -> None:
    look_at(window, ["/", "/help", "/register", "/register/received"], None)


def test_german_words_fit(window: Window) -> None:
    """They are longer: neither the head of a phone's page nor a number of three digits in the
    navigation sticks out.
    """
    page = window.open("/", viewport={"width": 390, "height": 844}, locale="de-DE")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    ada = scenes.person("ada", administrator=True, locale="de")
    for number in range(200):
        Registration.objects.create(username=f"u{number}", email=f"u{number}@example.org")
    page = window.open("/manage/registrations", ada, viewport={"width": 1280, "height": 860})
    assert page.locator(".rail [data-count='registrations']").text_content() == "200"
    assert (
        page.evaluate(
            "(([rail]) => rail.scrollWidth - "
            "rail.clientWidth)(document.querySelectorAll('.rail > div'))"
        )
        <= 0
    )


@pytest.mark.parametrize("state", ["empty", "full"])
def test_for_members(window: Window, state: str) -> None:
    anna = scenes.person("anna", "Anna Beispiel", locale="de" if state == "full" else "en")
    paths = [
        "/",
        "/inbox",
        "/start",
        "/components",
        "/components/new",
        "/components/from-file",
        "/snapshots",
        "/projects",
        "/projects/new",
        "/service-keys",
        "/settings",
        "/help",
    ]
    if state == "full":
        scenes.set_up_systems()
        scenes.set_up_work(anna, scenes.person("bela"))
        anna.projects.get().requests.create(person=scenes.person("carl"))
        busy = scenes.database(anna, scenes.LONG, state=Component.State.CREATING)
        paths += [
            f"/components/{component.id}"
            for component in (anna.components.first(), busy)
            if component
        ]
        paths += [f"/projects/{anna.projects.get().id}", f"/user/{anna.id}/connected-accounts"]
        paths += [f"/snapshots/{scenes.snapshot(busy).id}"]
    look_at(window, paths, anna)


@pytest.mark.parametrize("language", first_of(["en", "de"]))
def test_for_administrators(window: Window, language: str) -> None:
    scenes.set_up_systems()
    ada = scenes.person("ada", "Ada Kraft", administrator=True, locale=language)
    bela = scenes.person("bela", "Béla Horváth")
    removals = []
    for name in ("anna", "carl", "dora"):
        leaver = scenes.person(name)
        scenes.set_up_work(leaver, bela)
        removals.append(scenes.removal(leaver, ada))
    scenes.stuck(scenes.started(removals[1], ada))
    scenes.finished(scenes.started(removals[2], ada))
    scenes.registration(
        "fay",
        scenes.LONG,
        age=timedelta(days=26),
        duplicate_of="anna",
        reason="identity_provider.user: creating: no answer",
    )
    scenes.findings(
        "drive",
        ("administrator", "failing", "No administrator is set.", "Set one."),
        ("reachable", "ok", "It answers.", ""),
    )
    pausing.pause("triplestore", actor="ada", reason="moving house")
    for name in ("anna", "zoe"):
        UnapprovedSignIn.objects.create(sub=f"new-{name}", username=name, why="another sub")
    UnapprovedSignIn.objects.create(sub="carl", username="carl", why="tombstone")
    UnapprovedSignIn.objects.create(
        sub="erin", username="erin", email=bela.email, email_confirmed=True, why="same e-mail"
    )
    account = {"system": "sql_server", "kind": "sql_server.user", "name": "emil"}
    Tombstone.objects.create(
        username="emil", accounts=[account], expires_at=timezone.now() + timedelta(days=9)
    )
    roles.make_administrator("nina", actor="ada")
    Mail.objects.create(
        to="x@example.org", subject="s", attempts=2, trouble=mail_outbox.MailFailure.UNREACHABLE
    )
    tokens.create(ada, name="Night import", actor="ada")
    hook = WebhookEndpoint.objects.create(
        label="Tools", origin="https://tools.example.org", events=["*"]
    )
    WebhookDelivery.objects.create(endpoint=hook, type="registration.approved", body="{}")
    paths = [
        "/inbox",
        "/manage/registrations",
        "/manage",
        "/manage/people",
        "/manage/people?state=former",
        "/manage/people/anna",
        "/manage/people/anna/letters",
        "/manage/people/emil",
        "/manage/plans",
        "/manage/systems",
        "/manage/strangers",
        "/manage/strangers/list",
        "/manage/tombstones",
        "/manage/reconcile",
        "/manage/take-over",
        "/manage/administrators",
        "/manage/audit?verify=1",
        "/manage/letters",
        "/manage/webhooks",
        f"/manage/webhooks/{hook.id}",
        "/manage/letters/rejected",
        "/tokens",
        "/help",
    ]
    look_at(window, [*paths, *(f"/manage/plans/{plan.id}" for plan in removals)], ada)
