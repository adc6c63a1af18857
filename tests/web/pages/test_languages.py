"""German is complete, and so is what stories and settings can say; what is not known is marked as English."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from django.template import Context, Template
from django.test import Client
from django.utils import translation

import workspace_manager
from tests.web.pages import scenes
from workspace_manager.records.models import Person
from workspace_manager.systems import registry
from workspace_manager.systems.identity_provider import names
from workspace_manager.web.pages.known_sentences import SENTENCES
from workspace_manager.web.pages.sentences import said, translated_sentence

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
}
NOT_SHOWN = {"kind", "doing", "plan"}
FOR_PROGRAMS = {"the secret is not kept any more", "there is no place * for secrets", "long"}


def skeleton(text: str) -> str:
    """A sentence with its holes unnamed."""
    return re.sub(r"%\(\w+\)s|\{\w+\}", "*", text)


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


KNOWN = {skeleton(sentence) for sentence in SENTENCES}
STORIES = sorted(
    path
    for room in ("core", "engine", "work", "drive_credentials", "operations", "removal", "people")
    for path in (PACKAGE / room).rglob("*.py")
)


@pytest.mark.parametrize("path", STORIES, ids=lambda p: p.relative_to(PACKAGE).as_posix())
def test_what_a_story_can_say_is_known(path: Path) -> None:
    missing = set(sentences_in(path)) - KNOWN - FOR_PROGRAMS
    assert not missing, "add them to web/pages/known_sentences.py and translate them"


@pytest.mark.parametrize("system", registry().specs)
def test_what_a_setting_says_is_known(system: str) -> None:
    texts = {
        text
        for spec in registry().specs[system].settings.specs()
        for text in (spec.label, spec.help)
        if text
    }
    assert not texts - set(SENTENCES), "add them to web/pages/known_settings.py and translate them"


def test_what_a_user_name_can_be_told_is_known() -> None:
    assert {str(one) for one in names.SENTENCES} <= set(SENTENCES)


def test_german_is_complete() -> None:
    catalogue = read_po(GERMAN.open("rb"), locale="de")
    missing = [
        m.id
        for m in catalogue
        if m.id
        and (m.fuzzy or not all([m.string] if isinstance(m.string, str) else m.string or [""]))
    ]
    assert not missing


def test_every_known_sentence_is_german() -> None:
    with translation.override("de"):
        missing = [s for s in SENTENCES if translation.gettext(s) == s and " " in s]
    assert not missing


@pytest.mark.parametrize(
    ("english", "german"),
    [
        ("Enter a name.", "Geben Sie einen Namen ein."),
        ("anna is being removed already.", "anna wird schon entfernt."),
        (
            "The SQL server is not configured. An administrator can set it up under Systems.",
            "SQL-Server: nicht eingerichtet. Die Administration kann das unter „Systeme“ tun.",
        ),
        (
            "This plan is stale. Make a new one.",
            "Dieser Plan ist überholt. Erstellen Sie einen neuen.",
        ),
        (
            "Waits for step 5 (SQL server), 6 (triplestore).",
            "Wartet auf Schritt 5 (SQL-Server), 6 (Triplestore).",
        ),
    ],
)
def test_sentences_are_recognised(english: str, german: str) -> None:
    with translation.override("de"):
        assert translated_sentence(english) == german
    with translation.override("en"):
        assert said(english) == english


def test_what_is_not_known_is_marked_as_english() -> None:
    with translation.override("de"):
        assert said("The drive <sulks>.") == '<span lang="en">The drive &lt;sulks&gt;.</span>'
        page = Template('{% load marks %}{{ clause|sentence }}|{{ "weil es so ist (ada)"|told }}')
        assert (
            page.render(Context({"clause": "the drive sulks"}))
            == '<span lang="en">The drive sulks.</span>|weil es so ist (ada)'
        )


def test_pages_are_german_for_whoever_speaks_it(
    as_anna: Client, as_ada: Client, anna: Person, ada: Person
) -> None:
    scenes.set_up_systems()
    scenes.settled(anna)
    Person.objects.update(locale="de-AT")
    assert "Meine Anwendungen" in as_anna.get("/").content.decode()
    plan = scenes.removal(anna, ada)
    page = as_ada.get(f"/manage/plans/{plan.id}").content.decode()
    for text in (
        "Noch ist nichts geschehen.",
        "Löschen:",
        "anna entfernen",
        "Notebook-Container und -Speicher von anna bleiben",
        "Konten",
    ):
        assert text in page
    systems = as_ada.get("/manage/systems").content.decode()
    assert "Präfix vor der Kennung der Person" in systems
    assert 'lang="en"' not in systems
