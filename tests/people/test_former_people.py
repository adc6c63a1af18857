"""Former people are found by REST, on the page and by the command line, by administrators alone."""

import json
import uuid
from datetime import timedelta

import pytest
from click.testing import CliRunner
from django.utils import timezone

from tests.visitors import Visitor
from tests.web.api.documents import problem
from workspace_manager.cli.__main__ import main
from workspace_manager.records.models import Person, Plan, Tombstone
from workspace_manager.removal.kind import REMOVAL

pytestmark = pytest.mark.django_db
SUB = "6c1f7a52-1d0e-4a43-9d0a-7c3f8e1b2a90"


def make_tombstone(
    name: str, days_ago: int, *, sub: str = "", plan: uuid.UUID | None = None
) -> Tombstone:
    now = timezone.now()
    return Tombstone.objects.create(
        username=name,
        sub=sub,
        plan=plan,
        created_at=now - timedelta(days=days_ago),
        expires_at=now - timedelta(days=1),
    )


@pytest.fixture
def removal() -> Plan:
    """Of zora, who left ten days ago; anna left before, bela after. No name is kept any more."""
    plan = Plan.objects.create(kind=REMOVAL.name, person="zora", state=Plan.State.DONE)
    make_tombstone("anna", 20)
    make_tombstone("zora", 10, sub=SUB, plan=plan.id)
    make_tombstone("bela", 1, plan=uuid.uuid4())
    return plan


def names(visitor: Visitor, query: str) -> list[str]:
    answer = visitor.ask("GET", f"/people?former=true{query}")
    assert answer.status_code == 200, answer.text
    return [one["username"] for one in answer.json()["items"]]


def test_who_left_is_listed_with_the_removal(as_administrator: Visitor, removal: Plan) -> None:
    document = as_administrator.ask("GET", "/people?former=true&q=zora").json()
    assert as_administrator.ask("GET", "/people?state=former&q=zora").json() == document
    (zora,) = document["items"]
    assert document["count"] == 1
    assert zora.pop("left_at").endswith("Z")
    assert uuid.UUID(zora.pop("id"))
    known = {"username": "zora", "sub": SUB, "plan": str(removal.id)}
    assert zora == {"former": True, "state": "former", **known, "actions": []}


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", ["bela", "zora", "anna"]),
        ("&sort=left_at", ["anna", "zora", "bela"]),
        ("&sort=-username", ["zora", "bela", "anna"]),
        ("&sort=email", ["bela", "zora", "anna"]),
        ("&limit=1&offset=1", ["zora"]),
        (f"&q={SUB[:8]}", ["zora"]),
        ("&q=nobody", []),
        ("&state=active", []),
        ("&role=user", []),
    ],
)
def test_it_is_looked_through_as_every_list(
    as_administrator: Visitor, removal: Plan, query: str, found: list[str]
) -> None:
    assert names(as_administrator, query) == found


def test_who_is_here_is_not_among_them(as_administrator: Visitor, removal: Plan) -> None:
    here = as_administrator.ask("GET", "/people").json()["items"]
    assert [(one["username"], one["former"]) for one in here] == [("ada", False)]
    assert as_administrator.ask("GET", "/people?former=false").json()["items"] == here


def test_nobody_else_is_told(as_alice: Visitor, as_nobody: Visitor, removal: Plan) -> None:
    problem(as_alice.ask("GET", "/people?former=true"), 403)
    problem(as_nobody.ask("GET", "/people?former=true"), 401)
    assert as_alice.get("/manage/people?former=true").status_code == 403


def test_the_page_shows_them_with_a_link_to_the_removal(
    as_administrator: Visitor, removal: Plan
) -> None:
    assert "/manage/people?state=former" in as_administrator.get("/manage/people").content.decode()
    page = as_administrator.get("/manage/people?former=true").content.decode()
    assert "3 people" in page
    assert f'href="/manage/plans/{removal.id}"' in page
    assert page.count("removal and proof") == 1, "those of anna and bela are not kept"
    found = as_administrator.get("/manage/people?former=true&q=bela").content.decode()
    assert "1 person" in found
    assert "zora" not in found
    live = {"HX-Request": "true"}
    part = as_administrator.get("/manage/people?former=true&q=zora", headers=live).content.decode()
    assert part.lstrip().startswith('<div id="found">')
    assert "zora" in part


def run(*words: str) -> list[dict[str, str]]:
    done = CliRunner().invoke(main, [*words, "--json"])
    assert done.exit_code == 0, done.output
    found: list[dict[str, str]] = json.loads(done.stdout)["items"]
    return found


def test_the_command_line_lists_them(removal: Plan) -> None:
    assert [one["username"] for one in run("people", "list", "--former")] == [
        "bela", "zora", "anna",
    ]  # fmt: skip
    (zora,) = run("people", "list", "--former", "--q", SUB[:8])
    assert zora["plan"] == str(removal.id)
    wrong = CliRunner().invoke(main, ["people", "list", "--former", "--state", "active"])
    assert wrong.exit_code == 2


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (("people", "list", "--q", "ann"), ["anna"]),
        (("people", "list", "--q", "example", "--state", "suspended"), ["bela"]),
        (("people", "list", "--q", "nobody"), []),
        (("administrators", "list", "--q", "ANN"), ["anna"]),
        (("administrators", "list", "--q", "bela"), []),
    ],
)
def test_lists_of_the_command_line_take_words(words: tuple[str, ...], found: list[str]) -> None:
    Person.objects.create_user(
        "anna", email="a@example.org", role=Person.Role.ADMINISTRATOR
    )  # fmt: skip
    Person.objects.create_user("bela", email="b@example.org", state=Person.State.SUSPENDED)
    assert [one["username"] for one in run(*words)] == found


@pytest.mark.parametrize(
    "listed", ["registrations", "plans", "strangers", "tombstones", "tokens", "administrators"]
)
def test_every_list_takes_them(listed: str, removal: Plan) -> None:
    Tombstone.objects.update(expires_at=timezone.now() + timedelta(days=1))
    assert run(listed, "list", "--q", "words-of-nobody") == []
    every = run(listed, "list")
    assert [one for one in run(listed, "list", "--q", "zora") if one not in every] == []
    assert len(run(listed, "list", "--q", "zora")) == (listed in {"plans", "tombstones"})
