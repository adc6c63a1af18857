"""The output of the command line: where a program reads it, nothing but what was promised."""

import json
from datetime import datetime

import pytest
from click.testing import CliRunner, Result
from django.utils import timezone

from tests.clock import noon
from tests.fake_world.people import make_person
from workspace_manager.access import tokens
from workspace_manager.cli.__main__ import main
from workspace_manager.cli.local_time import ZONE


@pytest.mark.django_db(transaction=True)
def test_every_time_of_a_token_is_written_the_same_way() -> None:
    token, _ = tokens.create(make_person("alice", sub="a"), name="notebook", actor="alice")
    token.last_used_at = timezone.now()
    token.save()
    said = CliRunner().invoke(main, ["tokens", "list", "--json"])
    item = json.loads(said.stdout)["items"][0]
    assert len(item["last_used_at"]) == len(item["created_at"])
    assert "T" in item["last_used_at"]
    assert len(item["expires_at"]) == len(item["created_at"])


@pytest.mark.django_db(transaction=True)
def test_a_token_of_the_server_has_the_scope_and_the_end_that_were_said() -> None:
    make_person("ada", role="administrator")
    make_person("alice")
    assert _made("ada")["scope"] == "operation"
    assert _made("alice")["scope"] == "own"
    end = noon(9).replace(hour=0, tzinfo=ZONE)
    made = _made("ada", "--scope", "read", "--until", f"{end:%Y-%m-%d}")
    expires_at = datetime.fromisoformat(made["expires_at"])
    assert (made["scope"], expires_at) == ("read", end), "it begins where the terminal is"
    refused = _tokens("create", "--person", "alice", "--name", "x", "--scope", "administration")
    assert refused.exit_code == 2
    assert "Only a token of an administrator" in refused.stderr
    listed = json.loads(_tokens("list", "--person", "alice", "--json").stdout)
    assert [one["person"] for one in listed["items"]] == ["alice"]


def _tokens(*words: str) -> Result:
    return CliRunner().invoke(main, ["tokens", *words])


def _made(name: str, *more: str) -> dict[str, str]:
    said = _tokens("create", "--person", name, "--name", "x", *more, "--json")
    made: dict[str, str] = json.loads(said.stdout)
    assert made["token"].startswith("wsm_")
    return made


@pytest.mark.django_db(transaction=True)
def test_a_port_that_cannot_be_is_refused() -> None:
    said = CliRunner().invoke(main, ["settings", "set", "sql_server", "port", "99999"])
    assert said.exit_code == 2
    assert "port: must be at most 65535" in said.stderr
