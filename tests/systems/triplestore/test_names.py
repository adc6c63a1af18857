import pytest

from workspace_manager.systems.triplestore import names


def test_an_account_keeps_the_persons_name() -> None:
    assert names.account_name("john.doe") == "john.doe"


@pytest.mark.parametrize("name", ["", " edge", "tail ", "a/b", "a:b", "..", "a\nb", "n" * 151])
def test_a_name_that_could_not_sign_in_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="account"):
        names.account_name(name)


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("Pottery", "ts-pottery-4f2a"),
        ("  Töpferei & Öfen ", "ts-topferei-ofen-4f2a"),
        ("日本", "ts-repository-4f2a"),
        ("../admin", "ts-admin-4f2a"),
        ("a" * 200, "ts-" + "a" * 56 + "-4f2a"),
    ],
)
def test_a_repository_id_is_plain_and_unique(label: str, expected: str) -> None:
    found = names.repository_id(label, "4f2a")
    assert found == expected
    assert names.repository(found) == {"repository": expected}
    assert len(found) <= names.LONGEST_REPOSITORY_ID


def test_a_repository_id_needs_something_unique() -> None:
    with pytest.raises(ValueError, match="unique"):
        names.repository_id("label", "//")


@pytest.mark.parametrize("text", ["", "..", "a b", "a/b", "a.b", "-rf", "x" * 65, "a\n"])
def test_an_unsafe_repository_id_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="letters"):
        names.repository(text)


def test_a_title_holds_nothing_that_breaks_the_server() -> None:
    assert names.title(' two\nlines "quoted" C:\\x ') == "two lines 'quoted' C:/x"


def test_rights_have_one_order_and_writing_includes_reading() -> None:
    found = names.authorities(read=["ts-b", "ts-a"], write=["ts-a"])
    assert found == ["ROLE_USER", "READ_REPO_ts-a", "READ_REPO_ts-b", "WRITE_REPO_ts-a"]
    assert names.repository_of("WRITE_REPO_ts-a") == "ts-a"
    assert names.repository_of("ROLE_USER") is None
