"""`templates`: listed, added from a file, offered and withdrawn."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from workspace_manager.cli.__main__ import main
from workspace_manager.records.models import StackTemplate

pytestmark = pytest.mark.django_db

TEMPLATE: dict[str, Any] = {
    "name": "herbarium",
    "label": "Herbarium",
    "compose": "services: {web: {image: a, environment: {TITLE: '${TITLE}'}}}",
    "parameters": [{"name": "TITLE"}],
    "web_service": "web",
}


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ("templates", *arguments))


def add(folder: Path, **more: Any) -> Result:
    file = folder / "template.json"
    file.write_text(json.dumps({**TEMPLATE, **more}))
    return run("add", str(file))


def test_a_template_is_added_offered_and_withdrawn(tmp_path: Path) -> None:
    assert "There is no template yet." in run("list").output
    assert "templates offer herbarium" in add(tmp_path).output.replace("\n", " ")
    assert run("offer", "herbarium").exit_code == 0
    (row,) = json.loads(run("list", "--json").output)["items"]
    assert (row["name"], row["state"], row["made"]) == ("herbarium", "offered", 0)
    run("withdraw", "herbarium")
    assert StackTemplate.objects.get().state == "withdrawn"


def test_what_cannot_be_is_said(tmp_path: Path) -> None:
    refused = add(tmp_path, compose="services: {web: {build: .}}")
    assert refused.exit_code == 2
    assert "build" in refused.output
    assert "no template" in add(tmp_path, colour="green").output
    assert run("offer", "herbarium").exit_code == 1
    assert not StackTemplate.objects.exists()
