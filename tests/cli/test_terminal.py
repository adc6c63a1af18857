"""The look of the command line: on a wide terminal, a narrow one, in a pipe; for people and for
programs.
"""

import json
import re
import shlex
import uuid
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import click
import pytest
from click.testing import CliRunner, Result
from django.conf import LazySettings
from django.core.exceptions import ObjectDoesNotExist
from django.utils import timezone
from rich.text import Text

from tests.web.pages import scenes
from workspace_manager.access import tokens
from workspace_manager.cli import local_time
from workspace_manager.cli.__main__ import main
from workspace_manager.cli.ids import IdOf
from workspace_manager.cli.layout import cell, laid_out, wrap_hanging
from workspace_manager.cli.output import MISSING
from workspace_manager.records.models import Person, Plan, Snapshot, Tombstone, UnapprovedSignIn

ID = "48a273f3-9702-4276-ab71-d7e0021b069f"


@pytest.fixture(autouse=True)
def the_terminal_is_in_utc(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_time, "ZONE", UTC)


ROWS = [
    {"id": ID, "username": "barbara", "usable": True, "seen_at": "2026-05-05T10:00:00Z",
     "note": "wrote twice and was answered twice, and then once more"},
    {"id": ID[::-1], "username": "d", "usable": False, "seen_at": None, "note": None},
]  # fmt: skip
COLUMNS = ("id", "username", "usable", "seen_at", "note")


def typed(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def lines(width: int | None, columns: tuple[str, ...] = COLUMNS) -> list[str]:
    return [line.plain for line in laid_out(ROWS, columns, width)]


@pytest.mark.parametrize("width", [None, 200, 120, 100, 80, 60, 50])
def test_an_id_is_whole_on_every_terminal(width: int | None) -> None:
    shown = lines(width)
    for row in ROWS:
        assert sum(str(row["id"]) in line for line in shown) == 1
    if width:
        assert all(len(line) <= width for line in shown), shown


def test_a_pipe_has_one_line_for_each() -> None:
    shown = lines(None)
    assert len(shown) == 1 + len(ROWS)
    assert shown[1].endswith("once more")


def test_where_a_table_does_not_fit_the_id_stands_above() -> None:
    assert lines(60, COLUMNS[:4]) == [
        "id",
        "  username  usable  seen at",
        ID,
        "  barbara   yes     2026-05-05 10:00:00 UTC",
        ID[::-1],
        "  d         no",
    ]


def test_where_nothing_fits_there_is_a_block_for_each() -> None:
    assert lines(24, COLUMNS[1:4]) == [
        "username  barbara",
        "usable    yes",
        "seen at   2026-05-05 10:00:00 UTC",
        "",
        "username  d",
        "usable    no",
    ]


def test_a_column_that_nobody_has_takes_no_room_on_a_terminal() -> None:
    rows = [{"username": "barbara", "duplicate_of": None}]
    shown = [line.plain for line in laid_out(rows, ("username", "duplicate_of"), 80)]
    assert shown == ["username", "barbara"]


def test_a_long_text_goes_on_below_itself() -> None:
    first, *rest = (line.plain for line in wrap_hanging(Text("  ✓ "), "words " * 30, 50))
    assert first.startswith("  ✓ words")
    assert rest
    assert all(line.startswith("    words") and len(line) <= 50 for line in rest)


@pytest.mark.parametrize(
    ("column", "value", "said"),
    [
        ("paused", True, "yes"),
        ("paused", False, "no"),
        ("missing", ["url", "realm"], "url, realm"),
        ("missing", [], ""),
        ("last_sign_in", "2026-05-05T10:00:00Z", "2026-05-05 10:00:00 UTC"),
        ("created_at", "2026-05-05T10:00:00+00:00", "2026-05-05 10:00:00 UTC"),
        ("name", "2026-05-05T10:00:00Z", "2026-05-05T10:00:00Z"),
        ("at_identity_provider", {"state": "enabled", "asked_at": None}, "state enabled"),
        ("attempts", 1, "1"),
    ],
)
def test_a_value_as_people_read_it(column: str, value: object, said: str) -> None:
    assert cell(column, value) == said


def test_a_moment_is_told_in_the_zone_of_the_terminal(tmp_path: Path) -> None:
    berlin = ZoneInfo("Europe/Berlin")
    assert local_time.local("2026-07-05T10:00:00Z", berlin) == "2026-07-05 12:00:00 CEST"
    assert local_time.zone_of({"TZ": "Europe/Berlin"}) == berlin
    assert local_time.zone_of({"TZ": ":Europe/Berlin"}) == berlin
    for wrong in ({"TZ": "Nowhere/At all"}, {"TZ": "../../etc/passwd"}, {}):
        assert str(local_time.zone_of(wrong, host=tmp_path / "missing")) == "UTC"
    assert local_time.local("soon") == "soon"
    assert local_time.local(None) == ""


@pytest.fixture
def something_everywhere(db: None, settings: LazySettings) -> None:
    """A row in every list."""
    settings.SECRET_KEYS = ["only-for-these-tests"]
    scenes.set_up_systems()
    ada, anna = scenes.person("ada", administrator=True), scenes.person("anna")
    scenes.finished(scenes.started(scenes.removal(anna, ada), ada))
    scenes.registration("carla", "Carla Rossi", age=timedelta(days=1))
    UnapprovedSignIn.objects.create(sub="s", username="zoe", why="not approved")
    Tombstone.objects.create(username="old", sub="o", expires_at=timezone.now() + timedelta(days=1))
    token, _ = tokens.create(ada, name="notebook", actor="ada")
    token.last_used_at = timezone.now()
    token.save()


def leaves(command: click.Command, *names: str) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Every command that does something, with the words it is called by."""
    if not isinstance(command, click.Group):
        yield names, command
        return
    for name in command.list_commands(click.Context(command)):
        found = main.starts[name].load() if command is main else command.get_command(None, name)  # type: ignore[arg-type]
        assert found is not None
        yield from leaves(found, *names, name)


ALL = dict(leaves(main))
LISTS = sorted(words for words in ALL if words[-1] in {"list", "outbox"})


def test_every_missing_id_is_said_in_words() -> None:
    kinds = [parameter.type for command in ALL.values() for parameter in command.params]
    missing = {vars(kind.model)["DoesNotExist"] for kind in kinds if isinstance(kind, IdOf)}
    assert Snapshot.DoesNotExist in missing
    assert missing - MISSING.keys() == set()


def moments(document: object) -> Iterator[str]:
    if isinstance(document, dict):
        for value in document.values():
            yield from moments(value)
    elif isinstance(document, list):
        for value in document:
            yield from moments(value)
    elif isinstance(document, str) and re.match(r"\d{4}-\d\d-\d\dT\d\d:", document):
        yield document


@pytest.mark.usefixtures("something_everywhere")
def test_every_moment_for_programs_is_written_one_way_and_for_people_another() -> None:
    plan = Plan.objects.get()
    seen = 0
    for command in (*LISTS, ("plans", "show", str(plan.id)), ("people", "show", "ada")):
        for moment in moments(json.loads(typed(*command, "--json").stdout)):
            seen += 1
            assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", moment), command
        told = typed(*command).stdout
        assert not re.search(r"\d\dT\d\d:\d\d", told), told
        assert not re.search(r"\b(True|False|None)\b", told), told
    assert seen > 10


@pytest.mark.parametrize("words", ALL, ids=" ".join)
def test_every_command_has_an_example_that_can_be_typed(words: tuple[str, ...], db: None) -> None:
    command = ALL[words]
    said = click.Context(command, info_name=" ".join(words)).get_help() if command else ""
    below = said.partition("Example:\n")[2]
    assert below, f"{' '.join(words)} has no example"
    for line in below.strip().splitlines():
        program, *rest = _split(line)
        assert program == "workspace-manager"
        assert tuple(rest[: len(words)]) == words
        with suppress(ObjectDoesNotExist):  # the id of an example is nobody's
            command.make_context(" ".join(words), list(rest[len(words) :]))


def _split(line: str) -> list[str]:
    return shlex.split(line.partition(" < ")[0])


@pytest.mark.django_db
def test_people_are_listed_by_state_and_role() -> None:
    scenes.person("ada", administrator=True)
    scenes.person("anna")
    Person.objects.filter(username="anna").update(state=Person.State.SUSPENDED)

    def named(*options: str) -> list[str]:
        items = json.loads(typed("people", "list", "--json", *options).stdout)["items"]
        return [item["username"] for item in items]

    assert named() == ["ada", "anna"]
    assert named("--state", "suspended") == ["anna"]
    assert named("--role", "administrator") == ["ada"]
    assert named("--state", "suspended", "--role", "administrator") == []
    assert "Nobody is here as: leaving." in typed("people", "list", "--state", "leaving").stdout
    assert typed("people", "list", "--state", "asleep").exit_code == 2


@pytest.mark.django_db
def test_the_beginning_of_an_id_is_enough_where_only_one_begins_so() -> None:
    one, other, third = (
        Plan.objects.create(id=uuid.UUID(f"{begin:0<32}"), kind="removal", person=begin)
        for begin in ("abcd1234aaaa", "abcd1234bbbb", "0123ffff")
    )
    for enough in ("0123", "0123f", "0123FFFF-00", str(third.id), third.id.hex):
        assert f"plan {third.id}" in typed("plans", "show", enough).stdout
    assert f"plan {other.id}" in typed("plans", "show", "abcd1234-bb").stdout
    both = typed("plans", "show", "abcd1234")
    assert both.exit_code == 2
    assert str(one.id) in " ".join(both.stderr.split())
    assert str(other.id) in " ".join(both.stderr.split())
    for short in ("012", "", "zzzz", "0123%", "x" * 40):
        assert typed("plans", "show", short).exit_code == 2
    nobody = typed("plans", "show", "9999")
    assert nobody.exit_code == 1
    assert "There is no plan with this id. See: workspace-manager plans list" in nobody.stderr


REFERENCE = Path(__file__).parents[2] / "docs" / "reference" / "command-line.md"


@pytest.mark.parametrize("words", ALL, ids=" ".join)
def test_the_reference_names_every_command(words: tuple[str, ...]) -> None:
    rows = [line for line in REFERENCE.read_text().splitlines() if line.startswith("| `")]
    row = next((row for row in rows if all(re.search(rf"\b{word}\b", row) for word in words)), None)
    assert row, f"{' '.join(words)} does not stand in {REFERENCE.name}"
