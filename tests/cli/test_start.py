"""The start of the command line: what it lists without loading it, what others add, and what it
says of what is not here.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from workspace_manager import __version__, cli
from workspace_manager.cli import __main__ as start
from workspace_manager.cli.__main__ import GROUP, OF_THE_SANDBOX, OURS, Cli, main

HELPERS = {
    "reconcile_repairs",
    *("list_options", "example", "ids", "system_argument", "layout", "local_time", "output"),
    *(
        "people_end_date",
        "people_export",
        "people_import",
        "people_list",
        "people_timeline",
    ),
    "permissions",
    "strangers_relink_list",
}

LISTED = """
import json, sys
from workspace_manager.cli.__main__ import main
try:
    main(sys.argv[1:], prog_name="workspace-manager")
except SystemExit as end:
    sys.stderr.write(json.dumps({"code": end.code, "modules": sorted(sys.modules)}))
"""


def run(
    program: str, *arguments: str, path: Path | None = None, more: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    folders = [str(path)] if path else []
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([*folders, *sys.path]),
        **(more or {}),
    }
    return subprocess.run(
        [sys.executable, "-c", program, *arguments],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("arguments", "environment"),
    [
        (("--help",), {}),
        ((), {}),
        (("--version",), {}),
        (("no-such-command",), {}),
        (
            (),
            {
                "_WORKSPACE_MANAGER_COMPLETE": "bash_complete",
                "COMP_WORDS": "workspace-manager p",
                "COMP_CWORD": "1",
            },
        ),
    ],
    ids=["help", "nothing", "version", "unknown", "completion"],
)
def test_listing_commands_loads_none(
    arguments: tuple[str, ...], environment: dict[str, str]
) -> None:
    """Counted in modules: CPU time depends on who else uses the machine."""
    answer = run(LISTED, *arguments, more=environment)
    loaded = json.loads(answer.stderr[answer.stderr.rindex('{"code"') :])["modules"]
    ours = {name for name in loaded if name.startswith(("workspace_manager", "workspace_sandbox"))}
    assert ours == {"workspace_manager", "workspace_manager.cli", "workspace_manager.cli.__main__"}
    assert not {name.split(".")[0] for name in loaded} & {"django", "pydantic", "rich", "environs"}
    assert len(loaded) < 400


def test_help_tells_every_command() -> None:
    said = CliRunner().invoke(main, ["--help"]).stdout
    for name, (_, line) in OURS.items():
        assert f"  {name} " in said
        assert line in said


def test_the_version_is_told() -> None:
    assert CliRunner().invoke(main, ["--version"]).stdout == f"workspace-manager {__version__}\n"


@pytest.mark.parametrize("name", OURS)
def test_every_command_is_where_it_is_said_to_be(name: str) -> None:
    command = main.starts[name].load()
    assert isinstance(command, click.Command)
    assert command.name == name
    assert CliRunner().invoke(main, [name, "--help"]).exit_code == 0


def test_every_file_of_commands_is_listed() -> None:
    files = {file.stem for file in Path(cli.__file__).parent.glob("*.py")}
    files -= {"__init__", "__main__", "messages", "ready"} | HELPERS
    assert files == {place.split(":")[0] for place, _ in OURS.values()}


@pytest.mark.parametrize("name", OF_THE_SANDBOX)
def test_what_the_sandbox_brings_is_known_by_name(name: str) -> None:
    plain = Cli(starts=())
    answer = CliRunner().invoke(plain, [name, "--json"])
    assert answer.exit_code == 2
    assert answer.stdout == ""
    assert answer.stderr.count("\n") == 1
    assert f"`{name}` belongs to the distribution workspace-manager-sandbox" in answer.stderr
    assert f"pip install workspace-manager-sandbox=={__version__}" in answer.stderr
    assert name not in CliRunner().invoke(plain, ["--help"]).stdout


def test_shell_completion_goes_into_a_command() -> None:
    words = {
        "_WORKSPACE_MANAGER_COMPLETE": "bash_complete",
        "COMP_WORDS": "workspace-manager people sus",
        "COMP_CWORD": "2",
    }
    assert run(LISTED, more=words).stdout == "plain,suspend\n"


BASH = """
eval "$(_WORKSPACE_MANAGER_COMPLETE=bash_source workspace-manager)"
COMP_WORDS=({words}) COMP_CWORD={at}
_workspace_manager_completion workspace-manager
echo "${{COMPREPLY[@]}}"
"""


@pytest.mark.skipif(not shutil.which("bash"), reason="no bash here")
@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("tombstones re", "release"),
        ("systems pause dr", "drive"),
        ("people list --state su", "suspended"),
    ],
)
@pytest.mark.one_in(3)
def test_bash_offers_what_may_follow(words: str, offered: str) -> None:
    """With the line of docs/reference/command-line.md, in a real shell."""
    typed = ["workspace-manager", *words.split()]
    script = BASH.format(words=" ".join(typed), at=len(typed) - 1)
    bin_first = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    said = subprocess.run(
        ["bash", "--norc", "-c", script],
        env={**os.environ, "PATH": bin_first, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert said.stdout == f"{offered}\n", said.stderr


@pytest.fixture
def others(tmp_path: Path) -> Path:
    """A distribution that adds `greet`, and would like to be `check`."""
    metadata = tmp_path / "greeter-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: greeter\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(
        f"[{GROUP}]\ngreet = greeter:greet\ncheck = greeter:greet\n"
    )
    (tmp_path / "greeter.py").write_text(
        "import click\n\n\n@click.command()\ndef greet():\n    click.echo('hello')\n"
    )
    return tmp_path


def test_another_distribution_adds_a_command_that_is_listed_unloaded(others: Path) -> None:
    listed = run(LISTED, "--help", path=others)
    assert "greet                       A command of greeter." in listed.stdout
    assert OURS["check"][1] in listed.stdout
    assert '"greeter"' not in listed.stderr
    assert run(LISTED, "greet", path=others).stdout == "hello\n"
    place = run(
        f"from {start.__name__} import main; print(main.starts['check'].value)", path=others
    )
    assert place.stdout == "workspace_manager.cli.check:check\n"


@pytest.mark.parametrize(
    "wrong",
    [{"WORKSPACE_DATABASE_URL": "nonsense"}, {"WORKSPACE_TOMBSTONE_DAYS": "soon"}],
    ids=["address", "number"],
)
def test_a_wrong_configuration_is_one_sentence(wrong: dict[str, str]) -> None:
    answer = run(f"from {start.__name__} import main; main()", "migrate", more=wrong)
    assert answer.returncode == 1
    assert answer.stderr.startswith("✗ ")
    assert answer.stderr.count("\n") == 1
    assert next(iter(wrong)) in answer.stderr
