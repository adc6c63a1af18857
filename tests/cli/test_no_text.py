"""Input of a terminal that is no text is refused before any command sees it; and what no command
can use is wrong usage.
"""

import io
import json
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from tests.fake_world.people import make_person
from workspace_manager.cli.__main__ import OURS, main
from workspace_manager.records.models import AuditEntry, SystemStatus

NO_TEXT = "caf\udce9 moves"


def commands(group: click.Group, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    for name, command in group.commands.items():
        yield from of_command(command, (*path, name))


def of_command(command: click.Command, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Each way to give it text: every argument, and every option that takes a value."""
    if isinstance(command, click.Group):
        yield (*path, NO_TEXT)
        yield from commands(command, path)
    for parameter in command.params:
        if isinstance(parameter, click.Argument):
            yield (*path, NO_TEXT)
        elif isinstance(parameter, click.Option) and not parameter.is_flag:
            yield (*path, parameter.opts[0], NO_TEXT)


EVERY = [
    (NO_TEXT,),
    (f"--{NO_TEXT}",),
    *(typed for name in OURS for typed in of_command(main.starts[name].load(), (name,))),
]


@pytest.mark.parametrize("typed", EVERY, ids=lambda typed: " ".join(typed[:-1]))
def test_no_command_takes_what_is_no_text(typed: tuple[str, ...]) -> None:
    answer = CliRunner().invoke(main, typed)
    assert answer.exit_code == 2
    assert answer.stdout == ""
    assert answer.stderr.startswith("✗ “")
    assert r"caf\udce9 moves” is no text" in answer.stderr
    assert answer.stderr.count("\n") == 1


@pytest.mark.django_db
def test_nothing_was_stored() -> None:
    CliRunner().invoke(main, ["systems", "pause", "drive", "--reason", NO_TEXT])
    assert not SystemStatus.objects.exists()
    assert not AuditEntry.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize("errors", ["strict", "surrogateescape"])
def test_a_secret_that_is_no_text_is_wrong_usage(
    errors: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By its locale Python reads such bytes, or refuses them."""
    stdin = io.TextIOWrapper(io.BytesIO(b"caf\xe9\n"), encoding="utf-8", errors=errors)
    runner = CliRunner()
    with runner.isolation():
        monkeypatch.setattr("sys.stdin", stdin)
        with pytest.raises(SystemExit) as end:
            main(["settings", "set", "drive", "admin_password"])
    assert end.value.code == 2


@pytest.mark.django_db
def test_a_template_with_half_a_character_is_none(tmp_path: Path) -> None:
    file = tmp_path / "herbarium.json"
    file.write_text(json.dumps({"name": "herbarium", "label": "\ud800"}))
    answer = CliRunner().invoke(main, ["templates", "add", str(file)])
    assert answer.exit_code == 2
    assert "is no template: it has characters that no text has" in answer.stderr


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("people suspend anna --until garbage", "until:"),
        ("people end-date anna garbage", "until:"),
        ("tokens create --person anna --name x --until 9999-12-31T23:59-01:00", "expires_at:"),
        ("people permissions anna --give approve_registrations --until garbage", "until:"),
        ("reconcile ignore 1 --reason x --until garbage", "“garbage” is no date and no moment"),
    ],
)
def test_what_cannot_be_used_is_wrong_usage(typed: str, said: str) -> None:
    make_person("anna")
    answer = CliRunner().invoke(main, typed.split())
    assert (answer.exit_code, answer.stdout) == (2, "")
    assert answer.stderr.startswith("✗ ")
    assert said in answer.stderr
