"""Settings that lie in files, which `<NAME>_FILE` names: for secrets, which then are in no
environment.
"""

import subprocess
import sys
from pathlib import Path

import pytest

from workspace_manager.operations.system_configuration import read_settings

VARIABLE = "WORKSPACE_DRIVE__ADMIN_PASSWORD"
ONE, TWO = (f"{which} key of these tests and of nothing else" for which in ("one", "another"))


@pytest.mark.django_db
def test_a_system_s_secret_in_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "secret"
    file.write_text("from the file\n")
    monkeypatch.setenv(f"{VARIABLE}_FILE", str(file))
    state = read_settings("drive")
    assert "admin_password" in state.pinned
    assert state.settings.admin_password.reveal() == "from the file"  # type: ignore[attr-defined]
    file.write_text("exchanged")
    assert read_settings("drive").settings.admin_password.reveal() == "exchanged"  # type: ignore[attr-defined]
    monkeypatch.setenv(VARIABLE, "said directly")
    assert read_settings("drive").settings.admin_password.reveal() == "said directly"  # type: ignore[attr-defined]


@pytest.mark.django_db
def test_a_file_that_cannot_be_read_degrades_its_system_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"{VARIABLE}_FILE", str(tmp_path / "none"))
    errors = read_settings("drive").errors
    assert errors == {"admin_password": f"The file that {VARIABLE}_FILE names cannot be read."}
    assert not read_settings("triplestore").errors


@pytest.mark.parametrize("name", ["SECRET_KEYS", "DATABASE_URL", "QUEUE_URL", "EMAIL_URL"])
def test_the_deployment_s_own_in_a_file(tmp_path: Path, name: str) -> None:
    values = {
        "SECRET_KEYS": f"{ONE},{TWO}", "DATABASE_URL": f"sqlite:///{tmp_path}/d",
        "QUEUE_URL": "redis://queue",
        "EMAIL_URL": "submission://u:p@mail.example",
    }  # fmt: skip
    (tmp_path / "value").write_text(f"{values[name]}\n")
    script = (
        "from workspace_manager import settings as s\n"
        "print(s.SECRET_KEYS, s.DATABASES['default']['NAME'], s.QUEUE_URL, s.EMAIL_HOST)"
    )
    environment = {f"WORKSPACE_{name}_FILE": str(tmp_path / "value"), "PATH": ""}
    told = subprocess.run(
        [sys.executable, "-c", script],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    shown = {
        "SECRET_KEYS": f"['{ONE}', '{TWO}']", "DATABASE_URL": f"{tmp_path}/d",
        "QUEUE_URL": "redis://queue",
        "EMAIL_URL": "mail.example",
    }  # fmt: skip
    assert shown[name] in told


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TOMBSTONE_DAYS", "secret-x"),
        ("TOMBSTONE_DAYS", "-3"),
        ("REGISTRATION_RATE", "often"),
        ("LEASE_SECONDS", "0"),
        ("EMERGENCY_SIGN_IN", "maybe"),
        ("BASE_URL", "workspace.example.org"),
        ("TRUSTED_PROXIES", "proxy.example.org"),
        ("DATABASE_URL", ""),
        ("DATABASE_URL", "nosuch://u:secret-x@host/d"),
        ("DATABASE_URL", "postgresql://u:secret-x@host:port/d"),
        ("QUEUE_URL", "bogus://u:secret-x@host"),
        ("EMAIL_URL", "bogus://u:secret-x@host"),
        ("LOG_LEVEL", "loud"),
        ("LOG_FORMAT", "xml"),
    ],
)
@pytest.mark.one_in(4)
def test_one_that_cannot_be_used_is_named_in_one_sentence(
    tmp_path: Path, name: str, value: str
) -> None:
    told = subprocess.run(
        [sys.executable, "-m", "workspace_manager.cli", "people", "list"],
        env={f"WORKSPACE_{name}": value, "PATH": ""},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 1
    assert f"WORKSPACE_{name}" in told.stderr
    assert len(told.stderr.strip().splitlines()) == 1
    assert "secret-x" not in told.stdout + told.stderr
