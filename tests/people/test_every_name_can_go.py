"""A person of any name can be let in, suspended, let back in and removed, and can come again.

A system that cannot hold a name has no account of it; whoever asks for a thing there is told so, in
words, before anything is stored.
"""

import uuid
from html import unescape
from urllib.parse import quote

import pytest
from click.testing import CliRunner
from django.db import models
from django.urls import reverse
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tests.fake_world.identities import WorldWithIdentities
from tests.fake_world.work import work
from tests.visitors import BACKEND, Visitor
from tests.web.api.documents import problem
from tests.web.pages import scenes
from workspace_manager.cli.__main__ import main
from workspace_manager.contract.message import Message, in_words
from workspace_manager.core.refusal import Refused
from workspace_manager.knowledge_stacks.stack_choice import PARTS
from workspace_manager.people import admit, suspend, tombstones
from workspace_manager.people.admit import Claims, NotAdmitted
from workspace_manager.records import models as tables
from workspace_manager.records.models import Account, Component, Person, Plan, ServiceKey
from workspace_manager.removal.approve import approve_removal
from workspace_manager.removal.draft import draft_removal
from workspace_manager.systems.identity_provider.names import SHAPE, is_usable
from workspace_manager.work import components, projects

pytestmark = pytest.mark.django_db(transaction=True)

ROOT = "root-of-all"
TABLES = [one for one in vars(tables).values() if isinstance(one, type)]
ROWS: list[type[models.Model]] = [one for one in TABLES if issubclass(one, models.Model)]

registered = st.from_regex(SHAPE, fullmatch=True)
addresses = st.emails().map(str.lower)
anything = st.text(
    st.characters(min_codepoint=32, exclude_categories=["C", "Zl", "Zp"]), min_size=1, max_size=255
)
names = st.one_of(registered, addresses, anything).filter(is_usable)
"""Every name that the identity provider can vouch for and a page can have in its address."""


def empty() -> None:
    """Nobody is here, and nobody ever was."""
    first = (ServiceKey, Component, tables.Project, Plan)
    for table in (*first, Person, tables.Tombstone, Account, tables.Registration):
        table.objects.all().delete()
    Person.objects.create_user(ROOT, role=Person.Role.ADMINISTRATOR)


def let_in(name: str, world: WorldWithIdentities) -> Person:
    """As the sign-in page does it where nobody needs an approval."""
    sub = str(uuid.uuid4())
    claims = Claims(sub=sub, username=name)
    world.things[f"identity_provider.user:{sub}"] = {
        "enabled": True, "sessions": 1, "username": name, "sub": sub,
    }  # fmt: skip
    try:
        admit.admit(claims, admit_unregistered=True)
    except NotAdmitted:
        assume(False)  # it is one of those that a system uses for itself
    verdict = admit._enter(claims, world.systems(), admit_unregistered=True)
    assert isinstance(verdict, Person)
    work(world)
    return verdict


def ask_for_one_of_each(person: Person, world: WorldWithIdentities) -> None:
    """A component of each kind of account, or a sentence that says why not and leaves nothing."""
    told: dict[str, Message] = {}
    for kind in PARTS:
        try:
            components.create(person, kind=kind, label="One", project=None, systems=world.systems())
        except Refused as refused:
            told[kind] = refused.message
    assert told == components.impossible_kinds(person, world.systems())
    for wanted, why in told.items():
        assert person.username in why.english
        assert in_words(why, "de") != why.english
        assert not Component.objects.filter(owner=person, kind=wanted).exists()
        assert not Account.objects.filter(person=person, kind__startswith=wanted[:3]).exists()
    project = projects.make(person, world.systems(), label="Two")
    assert project
    work(world)


def all_done() -> None:
    for plan in Plan.objects.filter(belongs_to=None).exclude(state=Plan.State.SUPERSEDED):
        said = [(step.name, step.state, str(step.reason)) for step in plan.steps.all()]
        assert plan.state == Plan.State.DONE, (plan.kind, said)


def everything_fits_its_column() -> None:
    """SQLite keeps what is too long for its column; PostgreSQL refuses it."""
    for table in ROWS:
        for row in table.objects.all():  # type: ignore[attr-defined]
            for field in table._meta.concrete_fields:
                text = getattr(row, field.attname)
                if isinstance(field, models.CharField) and isinstance(text, str):
                    assert len(text) <= (field.max_length or 0), f"{table.__name__}.{field.name}"


ODD = (
    "a-rather-long-name.of-somebody@department.university.example.org",
    "日本人の名前は長いです" * 3,
    "a:b\\c%2Fd?e#f'g\"h i ",
    "a" * 64 + "@" + "b" * 180 + ".example",
    "日本人" * 85,
    "😀" * 255,
    "-rf",
    "x;id $(id)",
    "..a",
)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", ODD)
def test_whoever_was_let_in_can_go_and_come_again(name: str) -> None:
    goes_and_comes_again(name)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("drawn", [2, 8])
def test_whatever_the_name_is(drawn: int) -> None:
    @settings(max_examples=drawn, deadline=None, suppress_health_check=list(HealthCheck))
    @given(name=names)
    def test(name: str) -> None:
        goes_and_comes_again(name)

    test()


def goes_and_comes_again(name: str) -> None:
    empty()
    world = WorldWithIdentities()
    person = let_in(name, world)
    ask_for_one_of_each(person, world)
    all_done()
    before = dict(world.things)
    suspend.suspend(name, actor=ROOT, systems=world.systems())
    work(world)
    suspend.resume(name, actor=ROOT, systems=world.systems())
    work(world)
    all_done()
    assert world.things.keys() == before.keys()
    plan = draft_removal(name, actor=ROOT, systems=world.systems())
    work(world)
    plan.refresh_from_db()
    approve_removal(plan.id, digest=plan.digest, actor=ROOT, systems=world.systems())
    work(world, late_looks=True)
    all_done()
    everything_fits_its_column()
    assert not Person.objects.filter(username=name).exists()
    assert not ServiceKey.objects.exists()
    tombstones.release(name, actor=ROOT)
    let_in(name, world)
    everything_fits_its_column()


LONG = "a-rather-long-name.of-somebody@department.university.example.org"


def test_who_cannot_have_a_thing_is_told_before(db: None) -> None:
    """On the page before anything is typed, and wherever it is asked for all the same."""
    scenes.set_up_systems()
    person = Person.objects.create_user(LONG)
    visitor = Visitor(person)
    visitor.force_login(person, backend=BACKEND)
    why = "cannot have an account at the SQL server"
    assert why in visitor.get("/components/new").content.decode()
    asked = {"kind": "sql_database", "label": "Letters"}
    page = visitor.post("/components/new", asked)
    assert (page.status_code, why in page.content.decode()) == (409, True)
    assert why in problem(visitor.ask("POST", "/components", asked), 409)["reason"]
    assert not Component.objects.exists()
    assert not Account.objects.exists()


AT_DOORS = (
    "-rf",
    "日本人",
    "a b",
    " a",
    "x:y%2Fz?#;",
    "o'brien\"",
    "a\\b",
    "..a",
    "😀" * 60,
    "+",
    LONG,
)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", AT_DOORS)
def test_every_door_leads_to_a_person_of_every_name(name: str, as_administrator: Visitor) -> None:
    """Pages, interface and command line: shown, suspended, let back in, drafted, removed."""
    scenes.set_up_systems()
    Person.objects.create_user(name)
    where = f"/people/{quote(name, safe='')}"
    assert as_administrator.ask("GET", where).json()["username"] == name
    assert as_administrator.ask("POST", f"{where}/suspend").status_code == 202
    assert as_administrator.ask("POST", f"{where}/resume").status_code == 202
    assert as_administrator.ask("POST", f"{where}/removal").status_code == 201
    page = reverse("person", args=[name])
    assert name in unescape(as_administrator.get(page).content.decode())
    assert f'"{page}"' in unescape(as_administrator.get("/manage/people").content.decode())
    plan = as_administrator.post(f"{page}/removal")
    assert plan.status_code == 302
    assert as_administrator.get(plan.headers["Location"]).status_code == 200
    shell = CliRunner()
    assert name in shell.invoke(main, ["people", "show", "--", name]).output
    removed = shell.invoke(main, ["people", "remove", "--yes", "--", name])
    assert removed.exit_code == 0, removed.output
    assert Person.objects.get(username=name).state == Person.State.LEAVING
