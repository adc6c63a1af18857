"""What the command line prints: where a program reads it, nothing but what was promised."""

import json

import pytest
from click.testing import CliRunner
from django.utils import timezone

from tests.fake_world.people import make_person
from workspace_manager.cli.__main__ import main
from workspace_manager.people import tokens


@pytest.mark.django_db(transaction=True)
def test_every_time_of_a_token_is_written_the_same_way() -> None:
    token, _ = tokens.create(make_person("alice", sub="a"), name="notebook", actor="alice")
    token.last_used_at = timezone.now()
    token.save()
    said = CliRunner().invoke(main, ["tokens", "list", "--json"])
    item = json.loads(said.stdout)["items"][0]
    assert len(item["last_used_at"]) == len(item["created_at"])
    assert "T" in item["last_used_at"]


@pytest.mark.django_db(transaction=True)
def test_a_port_that_cannot_be_is_refused() -> None:
    said = CliRunner().invoke(main, ["settings", "set", "sql_server", "port", "99999"])
    assert said.exit_code == 1
    assert "port: must be at most 65535" in said.stderr
