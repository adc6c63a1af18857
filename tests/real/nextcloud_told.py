"""A real drive says what it is, and every door's check goes by what it says now."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.life.person import Workspace
from workspace_sandbox.patience import PATIENCE_S
from workspace_sandbox.real.nextcloud import Inside

Findings = list[dict[str, Any]]


def over_rest(workspace: Workspace) -> Findings:
    found: Findings = workspace.api.post("/systems/identity_provider/check").json()["findings"]
    return found


def on_the_command_line(workspace: Workspace) -> Findings:
    command = [sys.executable, "-m", "workspace_manager.cli", "check", "identity_provider"]
    told = subprocess.run(
        [*command, "--json"],
        env={**os.environ, **workspace.told["environment"]},
        capture_output=True,
        timeout=PATIENCE_S,
        check=False,
    )
    found: Findings = json.loads(told.stdout)["items"]
    return found


@pytest.fixture
def renamed(inside: Inside) -> Iterator[Callable[[str], None]]:
    """Call the drive's provider otherwise, as when it is deleted and made again."""
    name = inside.ask("SELECT identifier FROM oc_user_oidc_providers")[0][0]

    def rename(new: str) -> None:
        inside.ask(f"UPDATE oc_user_oidc_providers SET identifier='{new or name}'")

    yield rename
    rename("")


@pytest.mark.parametrize("door", [over_rest, on_the_command_line])
def test_a_provider_of_another_name_is_said_at_once_and_forgotten_when_it_is_put_back(
    workspace: Workspace,
    renamed: Callable[[str], None],
    door: Callable[[Workspace], Findings],
) -> None:
    """A sign-out at the identity provider does not end the drive's session meanwhile: the address
    that it is told at ends with the provider's name.
    """

    def lacking() -> list[str]:
        return [one["text"] for one in door(workspace) if "backchannel" in one["text"]]

    assert lacking() == []
    renamed("another")
    assert len(lacking()) == 1
    renamed("")
    assert lacking() == []
