"""A host name that is not ours, requests that break off early, what the templates and files
themselves hold (ASVS V3, V4, V13).
"""

import re
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.test import Client

import workspace_manager
from tests.access import headers
from tests.visitors import Visitor
from workspace_manager.records.models import Mail

WEB = Path(workspace_manager.__file__).parent / "web"
FOREIGN = "attacker.example"
PLACES = [
    "/",
    "/register",
    "/api/v1/me",
    "/api/v1/registrations",
    "/health/live",
    "/sign-in",
    "/no",
]
TEMPLATES = sorted(
    path for path in (WEB / "templates").rglob("*.html") if "letters" not in path.parts
)


@pytest.fixture(autouse=True)
def hosts(settings: LazySettings) -> None:
    settings.ALLOWED_HOSTS = ["testserver"]


@pytest.mark.django_db
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(
    "host", [FOREIGN, f"testserver.{FOREIGN}", f"testserver@{FOREIGN}", "", " "]
)
def test_another_host_name_is_refused(place: str, host: str) -> None:
    response = Client(raise_request_exception=False).get(place, HTTP_HOST=host)
    if not host.strip():
        # Without a name the server's own counts.
        assert response.status_code != 500
        return
    assert response.status_code == 400
    assert FOREIGN not in response.content.decode()
    assert headers.wrong(response) == []
    kind = "application/problem+json" if place.startswith("/api/") else "text/html; charset=utf-8"
    assert response.headers["Content-Type"] == kind


@pytest.mark.django_db
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("name", ["X-Forwarded-Host", "X-Host", "Forwarded", "X-Original-URL"])
def test_no_header_gives_us_another_name(place: str, name: str) -> None:
    plain = Visitor().get(place)
    value = f"host={FOREIGN}" if name == "Forwarded" else FOREIGN
    response = Visitor().get(place, headers={name: value})
    assert response.status_code == plain.status_code
    assert FOREIGN not in str(response.headers) + response.content.decode()


@pytest.mark.django_db
def test_letters_lead_to_the_configured_address_whoever_asked(settings: LazySettings) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    person = {
        "username": "dora",
        "email": "dora@example.org",
        "first_name": "Dora",
        "last_name": "Beispiel",
        "password": "correct horse battery staple",
    }
    answer = Visitor().ask("POST", "/registrations", person, HTTP_HOST=FOREIGN)
    assert answer.status_code == 202
    texts = [text for letter in Mail.objects.all() for text in (letter.text, letter.html)]
    assert texts
    assert all(settings.BASE_URL in text and FOREIGN not in text for text in texts)


@pytest.mark.django_db
def test_a_mistake_of_ours_is_a_document_for_programs_and_a_page_for_people(
    monkeypatch: pytest.MonkeyPatch, as_alice: Visitor
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("the secret cause")

    monkeypatch.setattr("workspace_manager.web.sign_in.middleware.zone_of", broken)
    as_alice.raise_request_exception = False
    for place, kind in (
        ("/api/v1/me", "application/problem+json"),
        ("/", "text/html; charset=utf-8"),
    ):
        response = as_alice.get(place)
        assert response.status_code == 500
        assert response.headers["Content-Type"] == kind
        assert "secret cause" not in response.content.decode()
        assert "Traceback" not in response.content.decode()
        assert headers.wrong(response) == []


@pytest.mark.django_db
def test_files_of_ours_may_be_kept_and_carry_the_policy_too() -> None:
    for name in ("workspace.css", "dark.css", "workspace.js", "mark.svg"):
        response = Visitor().get(f"/static/{name}")
        assert response.status_code == 200
        assert "no-store" not in response.headers["Cache-Control"]
        assert response.headers["X-Content-Type-Options"] == "nosniff"
        assert headers.policy(response.headers["Content-Security-Policy"])["script-src"] == {
            "'self'"
        }


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.relative_to(WEB).as_posix())
def test_no_template_holds_script_or_style(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert headers.inline(text) == []
    assert "hx-on" not in text
    assert "|safe" not in text
    assert not re.search(r"autoescape off", text)
    assert not re.search(r"(?:src|href)=\"(?:https?:)?//", text), "loads from another host"


def test_the_script_makes_no_script() -> None:
    text = (WEB / "static" / "workspace.js").read_text(encoding="utf-8")
    forbidden = (
        r"\beval\(|new Function|innerHTML|outerHTML|document\.write|insertAdjacentHTML|localStorage"
    )
    assert not re.search(forbidden, text)


@pytest.mark.parametrize(
    "text",
    [
        '<p onclick="x()">',
        '<div style="a:b">',
        "<script>x</script>",
        "<style>",
        '<a href="javascript:x">',
    ],
)
def test_what_is_inline_would_be_found(text: str) -> None:
    assert headers.inline(text)
