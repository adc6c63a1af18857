"""Names of SQL accounts and databases: legal, and one for each thing."""

import re
import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workspace_manager.contract.names import NameImpossible
from workspace_manager.systems.sql_server import names

UUID = "0f3a7c9e-1111-2222-3333-444455556666"


@pytest.mark.parametrize(
    ("username", "account"),
    [("alice", "alice"), ("Alice", "alice"), ("mu\u0308ller", "müller"), ("john.doe", "john.doe")],
)
def test_an_account_is_the_user_name_as_the_identity_provider_keeps_it(
    username: str, account: str
) -> None:
    assert names.user_name(username) == account


@pytest.mark.parametrize("username", ["", "x" * 33, " alice", "alice ", "a😀b", "a\0b", "a\nb"])
def test_names_that_would_reach_another_account_are_refused(username: str) -> None:
    with pytest.raises(NameImpossible) as caught:
        names.user_name(username)
    assert caught.value.advice_message


@pytest.mark.parametrize("username", sorted({*names.TECHNICAL_USERS, "ROOT"}))
def test_technical_names_are_nobodys(username: str) -> None:
    with pytest.raises(NameImpossible):
        names.user_name(username)


@pytest.mark.parametrize(
    ("label", "database"),
    [
        ("My Läb", "ws_my_lab_0f3a7c9e111122223333444455556666"),
        ("日本", "ws_0f3a7c9e111122223333444455556666"),
        ("__a__b__", "ws_a_b_0f3a7c9e111122223333444455556666"),
        ("x" * 100, f"ws_{'x' * 23}_0f3a7c9e111122223333444455556666"),
    ],
)
def test_a_database_shows_its_label(label: str, database: str) -> None:
    assert names.database_name(label, UUID) == database


@given(st.text(), st.uuids(), st.text(), st.uuids())
def test_two_databases_never_share_a_name(
    label: str, one: uuid.UUID, other_label: str, other: uuid.UUID
) -> None:
    name = names.database_name(label, str(one))
    assert names.is_database_name(name)
    assert re.fullmatch(r"ws_[a-z0-9_]{1,61}", name)
    if one != other:
        assert name != names.database_name(other_label, str(other))


@given(st.from_regex(r"[a-z0-9]{4,32}", fullmatch=True), st.text(), st.text())
def test_the_id_part_alone_tells_databases_apart(part: str, label: str, other: str) -> None:
    longer = "x" + part[:31]
    if longer != part:
        assert names.database_name(label, part) != names.database_name(other, longer)


@pytest.mark.parametrize(
    "part", ["", "abc", "x" * 33, "a_bc", "ABCD", "a-bc", UUID.upper(), UUID + "0"]
)
def test_other_id_parts_are_refused(part: str) -> None:
    with pytest.raises(ValueError, match="id in a database name"):
        names.database_name("label", part)


def test_addresses_and_targets() -> None:
    assert names.address("sql.example.org", 3306, "ws_a") == "mysql://sql.example.org:3306/ws_a"
    assert names.address("::1", 3307, "ws_a") == "mysql://[::1]:3307/ws_a"
    assert names.user_target("alice") == {"user": "alice"}
    assert names.database_target("ws_a") == {"database": "ws_a"}
