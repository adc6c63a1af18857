"""The compose command of this machine: found by PATH, run with nothing of ours, never shown raw."""

import os
import select
import shutil
import stat
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.systems.container_manager.stacks import STACK
from workspace_manager.contract.errors import Invalid, Unavailable
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.container_manager.client import compose
from workspace_sandbox.patience import PATIENCE_S

SECRET = "canary-91c2.x~"
Program = Callable[[str, str], Path]


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Program:
    """Put a program on an otherwise nearly empty PATH, and temporary folders where we see them."""
    folder, temporary = tmp_path / "bin", tmp_path / "tmp"
    folder.mkdir()
    temporary.mkdir()
    for name in ("sh", "cat", "env", "stat", "sleep", "ls", "yes", "head"):
        (folder / name).symlink_to(str(shutil.which(name)))
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setenv("WORKSPACE_SECRET_KEY_OF_TESTS", SECRET)
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))

    def put(name: str, script: str) -> Path:
        program = folder / name
        program.write_text(f"#!{folder}/sh\n{script}\n")
        program.chmod(0o755)
        return program

    return put


def up(**values: str) -> None:
    secrets = {name: Secret(value) for name, value in values.items()}
    compose.start_project("docker://127.0.0.1:2375", STACK, "services: {}", secrets, most_s=20)


def list_temporary_files() -> list[str]:
    return sorted(one.name for one in Path(tempfile.gettempdir()).iterdir())


def test_whichever_is_there_is_used(programs: Program) -> None:
    assert compose.program() == ()
    programs("podman-compose", "exit 0")
    assert compose.program_name(compose.program()) == "podman-compose"
    programs("docker-compose", "exit 0")
    assert compose.program_name(compose.program()) == "docker-compose"
    docker = programs("docker", "exit 1")
    assert compose.program_name(compose.program()) == "docker-compose"
    docker.write_text(docker.read_text().replace("exit 1", 'test "$*" = "compose version"'))
    assert compose.program_name(compose.program()) == "docker compose"


def test_without_one_it_says_what_to_install(programs: Program) -> None:
    with pytest.raises(Unavailable) as caught:
        up()
    assert "podman-compose" in caught.value.advice


def test_it_gets_file_and_values_and_nothing_of_ours(programs: Program, tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    script = f"(echo $*; env; stat -c '%a %n' . .env docker-compose.yml; cat .env) > {seen}"
    programs("docker-compose", script)
    up(PASSWORD=SECRET)
    said = seen.read_text()
    assert said.startswith(f"-p {STACK} -f docker-compose.yml up -d\n")
    assert "DOCKER_HOST=tcp://127.0.0.1:2375\n" in said
    assert "WORKSPACE" not in said
    assert "700 .\n600 .env\n600 docker-compose.yml\n" in said
    assert said.endswith(f"PASSWORD={SECRET}\n")
    assert list_temporary_files() == []


def test_no_secret_is_given_to_one_that_shows_it(programs: Program, tmp_path: Path) -> None:
    """podman-compose runs `podman create -e PASSWORD=…`, whatever way it was told the value."""
    programs("podman-compose", f"echo $* > {tmp_path}/ran")
    with pytest.raises(Unavailable, match="to everybody") as caught:
        up(PASSWORD=SECRET)
    assert "docker-compose" in caught.value.advice
    assert not (tmp_path / "ran").exists()
    up()
    assert (tmp_path / "ran").exists()
    programs("docker-compose", "exit 0")
    up(PASSWORD=SECRET)


@pytest.mark.parametrize(
    ("printed", "reason"),
    [
        (
            "Error response from daemon: port is already allocated",
            "a port that the stack needs is in use",
        ),
        ("manifest unknown", "an image that the stack needs is not available"),
        ("yaml: line 3: oh", "Compose does not accept its file"),
        ("The container name is already in use", "a name that the stack needs is taken"),
        ("something new", "Compose ended with an error"),
    ],
)
def test_why_it_failed_is_said_in_our_words(programs: Program, printed: str, reason: str) -> None:
    programs("docker-compose", f"cat .env; echo '{printed}' >&2; exit 17")
    with pytest.raises(Unavailable) as caught:
        up(PASSWORD=SECRET)
    assert f"docker-compose ended with 17: {reason}" in str(caught.value)
    assert SECRET not in f"{caught.value!r}{caught.value.advice}{caught.value.message}"
    assert list_temporary_files() == []


def test_however_much_it_prints_only_the_last_is_kept(programs: Program) -> None:
    programs("docker-compose", "yes | head -c 3000000; echo yaml: line 1; exit 1")
    with pytest.raises(Unavailable, match="does not accept its file"):
        up()


def test_at_the_deadline_it_ends_with_everything_it_started(
    programs: Program, tmp_path: Path
) -> None:
    programs("docker-compose", f"sleep 3600 & echo $! > {tmp_path}/child; wait")
    with pytest.raises(Unavailable, match=r"longer than 1 s\b"):
        compose.start_project("unix:///x.sock", STACK, "", {}, most_s=1)
    assert _ends(int((tmp_path / "child").read_text()))
    assert list_temporary_files() == []


def _ends(process: int) -> bool:
    """Whether it ends within moments: on a busy machine what was killed runs a little longer."""
    try:
        handle = os.pidfd_open(process)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([handle], [], [], PATIENCE_S)[0])
    finally:
        os.close(handle)


def test_what_it_left_running_does_not_hold_it_up(programs: Program, tmp_path: Path) -> None:
    programs("docker-compose", f"(sleep {PATIENCE_S}; echo > {tmp_path}/ended) &")
    up()
    assert not (tmp_path / "ended").exists()


def test_what_a_killed_worker_left_behind_goes(programs: Program) -> None:
    programs("docker-compose", "exit 0")
    folder = Path(tempfile.mkdtemp(prefix="workspace-compose-"))
    (folder / "lock").touch()
    (folder / ".env").write_text(f"PASSWORD={SECRET}")
    somebodys = Path(tempfile.mkdtemp(prefix="workspace-compose-"))
    up()
    assert list_temporary_files() == [somebodys.name]


@pytest.mark.parametrize(
    ("project", "name", "value"),
    [
        ("Ws-Ada", "A", "x"),
        ("-p", "A", "x"),
        (STACK, "A B", "x"),
        *((STACK, "A", value) for value in ("", "a b", "a$b", "a\nB=c", "ä", '"', "#x")),
    ],
)
def test_nothing_is_run_with_what_is_not_taken_literally(
    programs: Program, tmp_path: Path, project: str, name: str, value: str
) -> None:
    programs("docker-compose", f"cat .env > {tmp_path}/ran")
    with pytest.raises(Invalid):
        compose.start_project("unix:///x.sock", project, "", {name: Secret(value)}, most_s=5)
    assert not (tmp_path / "ran").exists()


def test_the_folder_is_its_owners_alone(programs: Program) -> None:
    with compose._folder() as folder:
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert folder.stat().st_uid == os.geteuid()
