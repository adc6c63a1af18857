"""One user name across all systems: the table of nasty names, and what must hold for every name we
admit.

See docs/systems/usernames.md#nasty-names.
"""

import re
import uuid
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from workspace_manager.contract.names import NameImpossible
from workspace_manager.people.names_free import own_name
from workspace_manager.systems import registry
from workspace_manager.systems.drive import names as drive
from workspace_manager.systems.identity_provider import names as identity_provider
from workspace_manager.systems.notebook_hub import names as notebook_hub
from workspace_manager.systems.ontology_editor import names as ontology_editor
from workspace_manager.systems.sql_server import names as sql_server
from workspace_manager.systems.triplestore import names as triplestore

SUB = "4e25a3ff-b955-4b5e-9f0c-0123456789ab"
REFUSED = None


@dataclass(frozen=True)
class Row:
    """A name as somebody has it at the identity provider, and the account it becomes in each
    system; None: refused before any write.
    """

    n: int
    given: str
    container: str | None
    editor: str
    sql: str | None
    triplestore: str | None
    admitted: bool = False
    """Whether a registration may have it."""


TABLE = (
    Row(1, "alice", "jupyter-alice", "alice", "alice", "alice", admitted=True),
    Row(2, "Alice", "jupyter-alice", "alice", "alice", "alice", admitted=True),
    Row(3, "john.doe", "jupyter-john-2edoe", "john.doe", "john.doe", "john.doe", admitted=True),
    Row(4, "john_doe", "jupyter-john-5fdoe", "john_doe", "john_doe", "john_doe", admitted=True),
    Row(5, "anna-maria", "jupyter-anna-2dmaria", "anna-maria", "anna-maria", "anna-maria",
    admitted=True),
    Row(6, "bob@example.org", "jupyter-bob-40example-2eorg", "bob_example.org", "bob@example.org",
    "bob@example.org"),
    Row(7, "müller", "jupyter-m-c3-bcller", "m_ller", "müller", "müller"),
    Row(8, "a+b", "jupyter-a-2bb", "a_b", "a+b", "a+b"),
    Row(9, "a b", "jupyter-a-20b", "a_b", "a b", "a b"),
    Row(10, "o'brien", "jupyter-o-27brien", "o_brien", "o'brien", "o'brien"),
    Row(11, "x/y", "jupyter-x-2fy", "x_y", "x/y", REFUSED),
    Row(11, "../admin", "jupyter--2e-2e-2fadmin", ".._admin", "../admin", REFUSED),
    Row(12, "100%", "jupyter-100-25", "100_", "100%", "100%"),
    Row(12, "a%2Fb", "jupyter-a-252fb", "a_2fb", "a%2fb", "a%2fb"),
    Row(13, "guest", "jupyter-guest", "u_", "guest", "guest"),
    Row(13, "est", "jupyter-est", "est", "est", "est"),
    Row(13, "uest", "jupyter-uest", "uest", "uest", "uest"),
    Row(14, "root", "jupyter-root", "root", REFUSED, "root"),
    Row(14, "admin", "jupyter-admin", "admin", REFUSED, "admin"),
    Row(15, "u" * 130, "jupyter-" + "u" * 130, "u" * 130, REFUSED, "u" * 130),
    Row(16, "trail ", "jupyter-trail-20", "trail", REFUSED, REFUSED),
    Row(17, "a😀b", "jupyter-a-f0-9f-98-80b", "a__b", REFUSED, "a😀b"),
    Row(18, "İstanbul", "jupyter-i-cc-87stanbul", "i_stanbul", "i̇stanbul", "i̇stanbul"),
    Row(19, "日本人", "jupyter--e6-97-a5-e6-9c-ac-e4-ba-ba", "___", "日本人", "日本人"),
    Row(20, "alice-2d", "jupyter-alice-2d2d", "alice-2d", "alice-2d", "alice-2d", admitted=True),
    Row(21, "x;id", "jupyter-x-3bid", "x_id", "x;id", "x;id"),
    Row(21, "x$(id)", "jupyter-x-24-28id-29", "x__id_", "x$(id)", "x$(id)"),
    Row(22, SUB, "jupyter-" + SUB.replace("-", "-2d"), SUB, REFUSED, SUB),
    Row(23, "_x", "jupyter--5fx", "_x", "_x", "_x"),
    Row(23, ".hidden", "jupyter--2ehidden", ".hidden", ".hidden", ".hidden"),
    Row(23, "-rf", "jupyter--2drf", "-rf", "-rf", "-rf"),
)  # fmt: skip


def derive_account(derive: Callable[[str], str], name: str) -> str | None:
    """The account, or None where it is refused."""
    try:
        return derive(name)
    except ValueError:
        return None


def container(name: str) -> str:
    return notebook_hub.container_target(name)["container"]


def test_all_23_rows_are_here() -> None:
    assert {row.n for row in TABLE} == set(range(1, 24))


def admit(text: str) -> str:
    """As a registration judges a name, on a workspace of which nothing is set."""
    name = identity_provider.check_username(text)
    if own_name(name, {system: spec.settings() for system, spec in registry().specs.items()}):
        raise ValueError("a system uses it for itself")
    return name


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row.n}: {row.given[:20]}")
def test_each_system_has_its_own_account_for_the_name(row: Row) -> None:
    """The hub lower-cases what it is given at sign-in; the others get the name as the identity
    provider keeps it.
    """
    stored = identity_provider.account_name(row.given)
    assert derive_account(container, row.given) == row.container
    editor = ontology_editor.account_name(stored, SUB)
    assert editor.startswith(row.editor) if row.editor == "u_" else editor == row.editor
    assert derive_account(sql_server.user_name, row.given) == row.sql
    assert derive_account(triplestore.account_name, stored) == row.triplestore
    assert drive.account_id(SUB) == SUB, "the drive never sees the name"
    admitted = derive_account(admit, row.given)
    assert admitted == (stored if row.admitted else None)


admitted = (
    st.from_regex(r"[a-zA-Z0-9][a-zA-Z0-9._-]{1,30}[a-zA-Z0-9]", fullmatch=True)
    .map(lambda text: derive_account(admit, text))
    .filter(lambda name: name is not None)
)

SYSTEMS: dict[str, tuple[Callable[[str], str], str]] = {
    "notebook container": (container, r"[a-zA-Z0-9][a-zA-Z0-9_.-]+"),
    "notebook volume": (notebook_hub.volume_name, r"[a-zA-Z0-9][a-zA-Z0-9_.-]+"),
    "SQL account": (sql_server.user_name, r"[^\x00\\]{1,32}"),
    "triplestore account": (triplestore.account_name, r"[^/:\s]{1,150}"),
    "ontology editor": (lambda name: ontology_editor.account_name(name, SUB),
    r"[a-z0-9_.-]{1,200}"),
}  # fmt: skip
"""How each system's account comes from an admitted name, and what that system takes."""


@pytest.mark.parametrize("system", SYSTEMS)
@given(one=admitted, other=admitted)
def test_admitted_names_never_meet_and_are_legal(system: str, one: str, other: str) -> None:
    derive, legal = SYSTEMS[system]
    assert derive(one) == derive(one)
    assert re.fullmatch(legal, derive(one))
    assume(one != other)
    assert derive(one) != derive(other)


@given(one=admitted)
def test_only_the_container_has_another_name(one: str) -> None:
    """Within the rule for registrations nothing is rewritten, so that single sign-on finds the
    account by the name itself.
    """
    for system, (derive, _) in SYSTEMS.items():
        if not system.startswith("notebook"):
            assert derive(one) == one
    assert not ontology_editor.is_guest_like(ontology_editor.account_name(one, SUB))


@given(one=st.uuids(), other=st.uuids(), prefix=st.sampled_from(["", "keycloak-", "x" * 40]))
def test_drive_accounts_never_meet(one: uuid.UUID, other: uuid.UUID, prefix: str) -> None:
    first = drive.account_id(str(one), prefix)
    assert re.fullmatch(r"[a-zA-Z0-9 _.@'-]{1,64}", first)
    assert (first == drive.account_id(str(other), prefix)) == (one == other)


def test_a_name_the_hub_cannot_have_is_for_a_person() -> None:
    with pytest.raises(NameImpossible):
        container("a\nb")
