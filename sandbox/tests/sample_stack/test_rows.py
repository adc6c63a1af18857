"""The SQL servers to which the web part writes rows, and what it says where it cannot."""

import pytest

from workspace_sandbox.sample_stack.inside import rows
from workspace_sandbox.sample_stack.inside.calls import Failed
from workspace_sandbox.sample_stack.inside.values import Sql


def make_rows(flavour: str) -> rows.Rows:
    return rows.Rows(Sql(flavour, "127.0.0.1", 9, "ws_a", "wm_a", "of wm_a"))


def test_another_server_is_named() -> None:
    with pytest.raises(Failed, match="sqlite is no SQL server"):
        make_rows("sqlite").reach()


def test_an_image_without_a_driver_for_postgresql_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """It was made on a machine that has none; MariaDB's comes with the sandbox itself."""
    monkeypatch.setattr(rows, "psycopg", None)
    with pytest.raises(Failed, match="PostgreSQL, and this image was made without its driver"):
        make_rows("postgresql").reach()


@pytest.mark.parametrize("flavour", ["mariadb", "postgresql"])
def test_a_server_that_does_not_answer_is_said_without_the_account(flavour: str) -> None:
    with pytest.raises(Failed, match="the SQL server refused") as failed:
        make_rows(flavour).reach()
    assert "wm_a" not in str(failed.value)
