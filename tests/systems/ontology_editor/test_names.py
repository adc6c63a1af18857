import pytest

from workspace_manager.systems.ontology_editor import names

SUB = "4e25a3ff-b955-4cde-8c3a-6f3f9a1d2b10"
PROJECT = "c0d3926c-341a-4d72-83bc-059ac9a84bea"


@pytest.mark.parametrize(
    ("username", "expected"),
    [
        ("alice", "alice"),
        ("Dora.Example", "dora.example"),
        (" dora.example ", "dora.example"),
        ("bob@example.org", "bob_example.org"),
        ("müller", "m_ller"),
        ("mu\u0308ller", "mu_ller"),
        ("a+b", "a_b"),
        ("o'brien", "o_brien"),
        ("../admin", ".._admin"),
        ("a😀b", "a__b"),
        ("İstanbul", "i_stanbul"),
        ("日本人", "___"),
        ("est", "est"),
        ("x" * 300, "x" * 200),
        ("", SUB),
        ("\u00a0x", "_x"),
    ],
)
def test_an_account_is_what_the_editor_makes_of_a_name(username: str, expected: str) -> None:
    assert names.account_name(username, SUB) == expected


def test_the_guest_gets_a_hash() -> None:
    """Java: "hello".hashCode() is 99162322, and its hexadecimal form has eight digits here."""
    assert names.account_name("guest", "hello") == "u_05e918d2"
    assert names.account_name("Guest ", "hello") == "u_05e918d2"
    assert names.second_account_name("bob", "hello") == "bob_05e918d2"


@pytest.mark.parametrize("account", ["", "t", "st", "est", "uest", "guest"])
def test_names_the_editor_takes_for_guests(account: str) -> None:
    assert names.is_guest_like(account)
    assert not names.is_guest_like(account + "x")


def test_a_mark_is_put_on_found_and_taken_off() -> None:
    mark = "3f1c-99ab"
    for description in ("", "Shapes and glazes"):
        found = names.with_mark(description, mark)
        assert names.carries_mark(found, mark)
        assert names.without_mark(found, mark) == description
    assert not names.carries_mark(names.with_mark("", mark + "0"), mark)
    assert not names.carries_mark("anything", "")


@pytest.mark.parametrize("mark", ["", "short", "a]b-12345678", "x" * 81])
def test_an_unusable_mark_is_refused(mark: str) -> None:
    with pytest.raises(ValueError, match="mark"):
        names.project(mark, "alice")


def test_targets() -> None:
    assert names.existing_project(PROJECT.upper(), owner="alice") == {
        "project_id": PROJECT,
        "owner": "alice",
    }
    assert names.membership(PROJECT, "bob") == {"project_id": PROJECT, "user": "bob"}
    with pytest.raises(ValueError, match="UUID"):
        names.existing_project("pottery")


@pytest.mark.parametrize(
    ("tag", "expected"), [("EN-GB", "en-gb"), (" de ", "de"), ("zh-hant-tw", "zh-hant-tw")]
)
def test_a_language_is_lower_case(tag: str, expected: str) -> None:
    assert names.language(tag) == expected


@pytest.mark.parametrize("tag", ["", "not a tag !!", "e", "deutsch", "en_GB"])
def test_nonsense_is_no_language(tag: str) -> None:
    with pytest.raises(ValueError, match="language"):
        names.language(tag)


def test_links() -> None:
    host = "https://ontology.example.org/"
    assert names.list_address(host) == "https://ontology.example.org/#projects/list"
    assert names.project_address(host, PROJECT) == f"{host}?project={PROJECT}#projects/{PROJECT}"
    assert names.project_address(host, PROJECT, "p 1").endswith(f"{PROJECT}/perspectives/p%201")
