"""Keys that can be guessed are refused with the command that makes a good one; what signs and what
encrypts are two keys.
"""

import hashlib
import secrets
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from workspace_manager.contract import secret_keys


@pytest.mark.parametrize(
    "key",
    ["", "abc", "secret", "change me", "x" * 64, "abcabc" * 20, "a-key-of-31-characters-0123456"],
)
def test_a_key_that_can_be_guessed_is_weak(key: str) -> None:
    assert secret_keys.is_weak(key)


def test_random_keys_are_not_weak() -> None:
    for _ in range(500):
        for key in (secrets.token_hex(16), secrets.token_hex(32), secrets.token_urlsafe(48)):
            assert not secret_keys.is_weak(key)


def test_the_command_that_is_told_makes_a_good_key() -> None:
    command = [sys.executable, *shlex.split(secret_keys.MAKE_ONE)[1:]]
    made = [subprocess.run(command, capture_output=True, text=True, check=True) for _ in "ab"]
    one, other = (done.stdout.strip() for done in made)
    assert one != other
    assert "," not in one
    assert not secret_keys.is_weak(one)


def test_what_signs_and_what_encrypts_tell_nothing_of_each_other() -> None:
    key = secrets.token_urlsafe(48)
    both = {secret_keys.signing(key), secret_keys.encrypting(key)}
    assert len(both) == 2
    assert not any(key in made or len(made) < 44 for made in both)
    assert secret_keys.signing(key) in both
    assert both.isdisjoint({secret_keys.signing(key + "x"), secret_keys.encrypting(key + "x")})


SCRIPT = """
import workspace_manager.bootstrap
from django.conf import settings
from workspace_manager.contract import secret_keys
one, other = settings.SECRET_KEYS
assert settings.SECRET_KEY == secret_keys.signing(one)
assert settings.SECRET_KEY_FALLBACKS == [secret_keys.signing(other)]
print("derived")
"""


def process(tmp_path: Path, keys: str, *command: str) -> "subprocess.CompletedProcess[str]":
    environment = {"PATH": "", "PYTHONPATH": ":".join(sys.path), "WORKSPACE_SECRET_KEYS": keys}
    return subprocess.run(
        [sys.executable, *command], env=environment, cwd=tmp_path, capture_output=True, text=True
    )


def test_django_signs_with_what_is_derived(tmp_path: Path) -> None:
    keys = ",".join(secrets.token_hex(24) for _ in "ab")
    assert process(tmp_path, keys, "-c", SCRIPT).stdout == "derived\n"


@pytest.mark.parametrize("command", [["serve"], ["worker"], ["migrate"], ["keys", "rotate"]])
@pytest.mark.parametrize("weak", ["abc", f"abc,{hashlib.sha256(b'good').hexdigest()}"])
@pytest.mark.one_in(3)
def test_no_part_starts_with_a_weak_key(command: list[str], weak: str, tmp_path: Path) -> None:
    told = process(tmp_path, weak, "-m", "workspace_manager.cli", *command)
    assert told.returncode == 1
    assert secret_keys.MAKE_ONE in told.stderr
    assert len(told.stderr.strip().splitlines()) == 1
    assert "abc" not in told.stderr.replace("abcd", "")
    assert not list(tmp_path.iterdir())
