"""The folder that somebody runs the whole workspace from."""

import shutil
import subprocess
from pathlib import Path

import pytest

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy with its secrets made, as the how-to says."""
    place = tmp_path_factory.mktemp("compose") / "deploy"
    shutil.copytree(DEPLOY, place)
    subprocess.run(["./make-secrets.sh"], cwd=place, check=True, capture_output=True)
    return place
