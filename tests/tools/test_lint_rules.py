"""The linter's settings forbid what this project forbids, and only there."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RUFF = Path(sys.executable).parent / "ruff"


def find_codes(name: str, text: str) -> set[str]:
    """The codes ruff finds in a text, as if it stood in that file."""
    command = [str(RUFF), "check", "--output-format", "json", "--stdin-filename", name, "-"]
    done = subprocess.run(
        command, cwd=ROOT, input=text, capture_output=True, text=True, check=False
    )
    return {finding["code"] for finding in json.loads(done.stdout)}


@pytest.mark.parametrize(
    ("name", "text", "code"),
    [
        ("wiring.py", "x = 1\n", "D100"),
        ("people/__init__.py", "x = 1\n", "D104"),
        ("wiring.py", '"""A."""\n\n\ndef f():\n    import os\n\n    os.abort()\n', "PLC0415"),
        ("wiring.py", "from typing import TYPE_CHECKING\n", "TID251"),
        ("wiring.py", "import typing\n\nif typing.TYPE_CHECKING:\n    ...\n", "TID251"),
        ("wiring.py", "try:\n    ...\nexcept Exception:\n    ...\n", "BLE001"),
        ("wiring.py", "try:\n    ...\nexcept:\n    ...\n", "E722"),
        ("wiring.py", "import importlib\n\nimportlib.import_module('a')\n", "TID251"),
        ("wiring.py", "from importlib import import_module\n", "TID251"),
        ("wiring.py", "from urllib.request import urlopen\n", "TID251"),
        ("people/a.py", "import socket\n", "TID251"),
        ("systems/drive/connector/user.py", "import httpx\n", "TID251"),
        ("systems/drive/client_token.py", "import httpx\n", "TID251"),
        ("systems/drive/names.py", "from psycopg import connect\n", "TID251"),
    ],
)
def test_what_is_forbidden_is_found(name: str, text: str, code: str) -> None:
    assert code in find_codes(f"src/workspace_manager/{name}", text)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("src/workspace_manager/contract/http.py", "import httpx\n"),
        ("src/workspace_manager/systems/drive/client/__init__.py", "import httpx\n"),
        ("src/workspace_manager/systems/drive/client/token.py", "import httpx\n"),
        ("src/workspace_manager/systems/sql_server/client/mariadb/wire.py", "import pymysql\n"),
        ("src/workspace_manager/web/sign_in/adapter.py", "import requests\n"),
        ("src/workspace_manager/wiring.py", "from importlib.metadata import entry_points\n"),
        ("src/workspace_manager/wiring.py", "from urllib.parse import urlsplit\n"),
        ("sandbox/src/workspace_sandbox/server.py", "import aiohttp\n"),
        ("tests/web/test_a.py", "import httpx\n"),
    ],
)
def test_what_has_its_place_there_is_not(name: str, text: str) -> None:
    assert "TID251" not in find_codes(name, text)
