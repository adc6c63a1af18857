"""German is complete, and stories say things by code; another system's own words are marked as
English.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from django.template import Context, Template
from django.test import Client
from django.utils import translation

import workspace_manager
from tests.web.pages import scenes
from workspace_manager.contract.message import Message, quote_words
from workspace_manager.core.connected_systems import label_of
from workspace_manager.core.messages import message as core
from workspace_manager.core.states import state_of
from workspace_manager.people.messages import message as people
from workspace_manager.records.models import Person
from workspace_manager.web.pages.translate import as_text, translate

PACKAGE = Path(workspace_manager.__file__).parent
GERMAN = PACKAGE / "web" / "locale" / "de" / "LC_MESSAGES" / "django.po"
SPEAKERS = {
    "Refused",
    "Forbidden",
    "BadInput",
    "Unavailable",
    "Denied",
    "NotFound",
    "Conflict",
    "Invalid",
    "Paused",
    "WrongAccount",
    "Trouble",
}
NOT_SHOWN = {"kind", "doing", "plan"}
FOR_PROGRAMS = {"long"}


def sentences_in(path: Path) -> Iterator[str]:
    """What the stories of one file can say: the literal texts they raise."""
    for node in ast.walk(ast.parse(path.read_text())):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in SPEAKERS
        ):
            given = [*node.args, *(k.value for k in node.keywords if k.arg not in NOT_SHOWN)]
            for argument in given:
                values = argument.values if isinstance(argument, ast.Dict) else [argument]
                yield from filter(None, (literal(value) for value in values))


def literal(node: ast.expr) -> str:
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(
                literal(part) if isinstance(part, ast.Constant) else "*" for part in parts
            )
    return ""


STORIES = sorted(
    path
    for room in (
        "core",
        "engine",
        "work",
        "drive_credentials",
        "operations",
        "removal",
        "people",
        "web",
    )
    for path in (PACKAGE / room).rglob("*.py")
)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("path", STORIES, ids=lambda p: p.relative_to(PACKAGE).as_posix())
def test_what_is_refused_is_said_by_code(path: Path) -> None:
    assert not set(sentences_in(path)) - FOR_PROGRAMS, "put them into the messages.py of the room"


def test_german_is_complete() -> None:
    catalogue = read_po(GERMAN.open("rb"), locale="de")
    missing = [
        m.id
        for m in catalogue
        if m.id
        and (m.fuzzy or not all([m.string] if isinstance(m.string, str) else m.string or [""]))
    ]
    assert not missing


@pytest.mark.parametrize(
    ("said", "english", "german"),
    [
        (people("name"), "Enter a name.", "Geben Sie einen Namen ein."),
        (
            core("not_configured", system=label_of("sql_server")),
            "The SQL server is not configured. An administrator can set it up under Systems.",
            "SQL-Server: nicht eingerichtet. Die Administration kann das unter „Systeme“ tun.",
        ),
        (
            people("not_active", name="anna", state=state_of("suspended")),
            "anna is suspended, not active.",
            "anna: gesperrt, nicht aktiv.",
        ),
    ],
)
def test_what_is_said_is_said_in_the_readers_language(
    said: Message, english: str, german: str
) -> None:
    with translation.override("de"):
        assert as_text(said) == translate(said) == german
    with translation.override("en"):
        assert as_text(said) == translate(said) == english


def test_another_systems_words_are_marked_within_a_sentence() -> None:
    said = people("no_administrator", name=quote_words("<drive>"))
    with translation.override("de"):
        marked = '<span lang="en">&lt;drive&gt;</span> hat keine Administratorrolle.'
        assert translate(said) == marked
    with translation.override("en"):
        assert translate(said) == "&lt;drive&gt; is not an administrator."


def test_what_is_not_known_is_marked_as_english() -> None:
    with translation.override("de"):
        assert translate("The drive <sulks>.") == '<span lang="en">The drive &lt;sulks&gt;.</span>'
        page = Template(
            '{% load badges %}{{ clause|sentence }}|{{ "weil es so ist (ada)"|message_text }}'
        )
        assert (
            page.render(Context({"clause": "the drive sulks"}))
            == '<span lang="en">The drive sulks.</span>|weil es so ist (ada)'
        )


def test_pages_are_german_for_whoever_speaks_it(
    as_anna: Client, as_ada: Client, anna: Person, ada: Person
) -> None:
    scenes.set_up_systems()
    scenes.set_up_work(anna)
    Person.objects.update(locale="de-AT")
    assert "Meine Anwendungen" in as_anna.get("/").content.decode()
    plan = scenes.removal(anna, ada)
    page = as_ada.get(f"/manage/plans/{plan.id}").content.decode()
    for text in (
        "Noch ist nichts geschehen.",
        "Löschen:",
        "anna entfernen",
        "Was der Notebook-Hub zu anna speichert, wird nicht gelöscht:",
        "Konten",
    ):
        assert text in page
    systems = as_ada.get("/manage/systems").content.decode()
    assert "Präfix vor der Kennung der Person" in systems
    assert 'lang="en"' not in systems
