"""User names: one rule for all systems.

See docs/systems/usernames.md#nasty-names and docs/systems/usernames.md#the-rule.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workspace_manager.contract.message import Message
from workspace_manager.contract.names import NameImpossible
from workspace_manager.systems.identity_provider import names


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("alice", "alice"),
        ("Alice", "alice"),
        ("john.doe", "john.doe"),
        ("john_doe", "john_doe"),
        ("anna-maria", "anna-maria"),
        ("alice-2d", "alice-2d"),
        ("a1b", "a1b"),
        ("u" * 32, "u" * 32),
    ],
)
def test_names_every_system_takes(text: str, name: str) -> None:
    assert names.check_username(text) == name


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", names.TOO_SHORT),
        ("_x", names.TOO_SHORT),
        ("u" * 33, names.TOO_LONG),
        ("4e25a3ff-b955-4b5e-9f0c-0123456789ab", names.TOO_LONG),
        (".hidden", names.BAD_EDGE),
        ("-rf", names.BAD_EDGE),
        ("bob.", names.BAD_EDGE),
        ("__proto__", names.BAD_EDGE),
        ("bob@example.org", names.BAD_CHARACTER),
        ("müller", names.BAD_CHARACTER),
        ("mu\u0308ller", names.BAD_CHARACTER),
        ("a+b", names.BAD_CHARACTER),
        ("a b c", names.BAD_CHARACTER),
        ("o'brien", names.BAD_CHARACTER),
        ("../admin", names.BAD_CHARACTER),
        ("100%", names.BAD_CHARACTER),
        ("a%2Fb", names.BAD_CHARACTER),
        ("trail ", names.BAD_CHARACTER),
        ("line\n", names.BAD_CHARACTER),
        ("a😀b", names.BAD_CHARACTER),
        ("İstanbul", names.BAD_CHARACTER),
        ("日本人", names.BAD_CHARACTER),
        ("x;id", names.BAD_CHARACTER),
        ("nul\x00l", names.BAD_CHARACTER),
    ],
)
def test_names_some_system_would_change_or_refuse(text: str, sentence: Message) -> None:
    with pytest.raises(NameImpossible, match="user name") as caught:
        names.check_username(text)
    assert caught.value.message == sentence
    assert sentence in names.SENTENCES


@given(st.text(max_size=40))
def test_a_checked_name_is_its_own_account_name(text: str) -> None:
    try:
        name = names.check_username(text)
    except ValueError:
        return
    assert names.check_username(name) == name == names.account_name(name)
    assert name.isascii()


def test_targets_hold_the_account_name() -> None:
    assert names.new_user_target("Ada", "m") == {"username": "ada", "mark": "m"}
    assert names.user_target("s", "Ada") == {"sub": "s", "username": "ada"}
    assert names.user_target("s", "Ada", "m")["mark"] == "m"
    assert names.attributes_target("s", "Ada") == {"sub": "s", "username": "ada"}
    assert names.attribute_ref("s", "a") == "identity_provider.attributes/s/a"


@pytest.mark.parametrize("client_id", ["hub", "https://hub.example:8443/x"])
def test_parts_of_a_realm_survive_colons_in_client_ids(client_id: str) -> None:
    client = names.client_target("r", client_id)
    assert names.split_part(client["part"]) == ("client", client_id, "")
    mapper = names.mapper_target("r", client_id, "drive-login")
    assert names.split_part(mapper["part"]) == ("mapper", client_id, "drive-login")
    assert names.split_part(names.profile_target("r")["part"]) == ("profile", "", "")


@pytest.mark.parametrize("part", ["", "client:", "mapper:x", "mapper:", "realm", "profile:x"])
def test_other_parts_are_refused(part: str) -> None:
    with pytest.raises(ValueError, match="no part"):
        names.split_part(part)
