"""No call is begun, and none lasts, longer than we may act."""

import pytest

from workspace_manager.contract import deadline
from workspace_manager.contract.connector import CallPolicy
from workspace_manager.contract.errors import Unavailable
from workspace_manager.contract.http import HttpClient
from workspace_manager.contract.message import quote_words
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.sql_server import connector as sql_server
from workspace_manager.systems.sql_server.client import Client
from workspace_manager.systems.sql_server.settings import MARIADB, POSTGRESQL, Settings
from workspace_sandbox.server import running
from workspace_sandbox.stand_ins.sql_server import SqlServerStandIn


def read_seconds_left(wanted: float) -> float:
    return deadline.seconds_left(wanted, kind="drive.account", doing=quote_words("removing"))


def no_secret(_reference: str) -> Secret:
    return Secret("x")


def test_without_an_end_a_call_takes_what_it_wants() -> None:
    assert read_seconds_left(30) == 30


def test_a_call_takes_no_longer_than_is_left() -> None:
    with deadline.act_until(deadline.moment() + 10):
        assert 9 < read_seconds_left(30) <= 10
        assert read_seconds_left(1) == 1


def test_of_several_ends_the_first_counts_and_they_end_with_their_blocks() -> None:
    now = deadline.moment()
    with deadline.act_until(now + 5):
        with deadline.act_until(now + 60):
            assert read_seconds_left(30) <= 5
        with deadline.act_until(now - 1), pytest.raises(Unavailable, match="ran out"):
            read_seconds_left(30)
        assert read_seconds_left(1) == 1
    assert read_seconds_left(30) == 30


def test_a_call_over_http_is_not_begun_too_late() -> None:
    client = HttpClient("http://127.0.0.1:9", system="drive", policy=CallPolicy(answer_s=1))
    with (
        deadline.act_until(deadline.moment() - 1),
        pytest.raises(Unavailable, match="before the call was made"),
    ):
        client.send("DELETE", "/", doing=quote_words("removing"))


@pytest.mark.parametrize("flavour", [MARIADB, POSTGRESQL])
def test_a_connection_to_the_sql_server_is_not_begun_too_late(flavour: str) -> None:
    settings = Settings(
        flavour=flavour,
        host="127.0.0.1",
        port=9,
        admin_username="admin",
        admin_password=Secret("x"),
    )
    system = sql_server.connect(settings, no_secret)
    with (
        deadline.act_until(deadline.moment() - 1),
        pytest.raises(Unavailable, match="before the call was made"),
    ):
        system.connectors["sql_server.user"].plan({"user": "alice"}, None)


def test_a_statement_is_not_begun_too_late_on_a_connection_that_stands() -> None:
    stand_in = SqlServerStandIn(admin_password="x")
    with running(stand_in):
        settings = Settings(
            host=stand_in.host,
            port=stand_in.sql_port,
            admin_username=stand_in.admin_username,
            admin_password=Secret("x"),
        )
        with Client(settings).session(doing=quote_words("removing")) as session:
            assert session.count_accounts()
            with (
                deadline.act_until(deadline.moment() - 1),
                pytest.raises(Unavailable, match="before the call was made"),
            ):
                session.count_accounts()
