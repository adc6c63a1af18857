"""The owner of an address: said in one place, and of nobody's whom the identity provider does not
call confirmed.
"""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

import workspace_manager
from tests.fake_world.world import World
from workspace_manager.core.address_owners import (
    Address,
    find_owners,
    is_confirmed_of,
    is_same_address,
)
from workspace_manager.core.refusal import Forbidden, Refused
from workspace_manager.people import admit, roles, sign_in, unlinked_sign_ins
from workspace_manager.people.admit import Claims
from workspace_manager.records.models import (
    Invitation,
    Membership,
    Person,
    Project,
    UnapprovedSignIn,
)
from workspace_manager.work import invitations

ROOT: Final = Path(workspace_manager.__file__).parent
HOME: Final = "core/address_owners.py"
ELSEWHERE: Final = {
    ("people/register.py", "taken_by"): "a hint to whoever decides: nothing follows from it",
    ("removal/close.py", "_keep_letters"): "what is erased with a person: nobody is given anything",
    ("people/confirm_email.py", "_tell"): "whether the registration says what the person says",
    ("people/announcements.py", "proof"): "a claim that is confirmed, and what was typed here",
    ("people/announcements.py", "_is_first"): "a claim that is confirmed, and what is set",
    ("people/announcements.py", "is_about"): "what whoever decides is told of an announcement",
    ("reconcile/candidates.py", "__init__"): "kept together, confirmed or not: it holds back",
    ("reconcile/candidates.py", "add"): "kept together, confirmed or not: it holds back",
    ("reconcile/candidates.py", "at"): "kept together, confirmed or not: it holds back",
    ("reconcile/link_list.py", "__init__"): "kept together: only confirmed ones are linked",
    ("reconcile/link_list.py", "_meant"): "kept together: only confirmed ones are linked",
    ("reconcile/link_list.py", "_of"): "whether two rows name one account",
    ("reconcile/proposals.py", "_email_of_another"): "holds a proposal back",
    ("reconcile/proposals.py", "_by_name_or_email"): "holds a proposal back",
    ("reconcile/people_file.py", "_found"): "refuses a row that says another address",
    ("systems/identity_provider/connector/user.py", "_refuse_other_address"): (
        "whether the user there still has the address that was confirmed"
    ),
    ("work/invitations.py", "invite"): "how an address is kept that somebody types",
    ("work/invitations.py", "_to"): "of a person whose it is alone",
}
"""Every other place that compares addresses, and why nobody is known by it."""

pytestmark = pytest.mark.django_db


def compares(node: ast.AST) -> bool:
    """Whether a node compares an address with another."""
    if isinstance(node, ast.Call):
        name = ast.unparse(node.func)
        if name.rpartition(".")[2] in {"is_same_address", "fold_address"}:
            return True
        if name.endswith((".casefold", ".lower", ".upper")) and "email" in name:
            return True
        keywords = [one for one in node.keywords if one.arg]
        looks = name.rpartition(".")[2] in {"filter", "exclude", "get", "Q", "get_or_create"}
        return any(
            (one.arg or "").startswith("email__")
            or (looks and one.arg == "email" and not is_empty(one.value))
            for one in keywords
        )
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str) and node.value.startswith("email__")
    if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Eq | ast.NotEq | ast.In):
        sides = [node.left, *node.comparators]
        named = any(ast.unparse(one).rpartition(".")[2] == "email" for one in sides)
        return named and not any(is_empty(one) for one in sides)
    return False


def is_empty(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value == ""


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def test_every_comparison_of_addresses_is_known() -> None:
    found = {
        (str(path.relative_to(ROOT)), function.name)
        for path in ROOT.rglob("*.py")
        if "migrations" not in path.parts and str(path.relative_to(ROOT)) != HOME
        for function in functions(ast.parse(path.read_text()))
        if any(compares(node) for node in ast.walk(function))
    }
    assert {one for one in found if one not in ELSEWHERE} == set()
    assert set(ELSEWHERE) <= found, "gone: strike it from the list"


@pytest.mark.parametrize(
    "text",
    [
        "Person.objects.filter(email__iexact=x)",
        "Person.objects.get(email=x)",
        "one.email.casefold() == two.casefold()",
        "is_same_address(one.email, two)",
        "one.email == two",
        'Q(**{"email__iexact": x})',
    ],
)
def test_a_comparison_of_addresses_is_seen(text: str) -> None:
    assert any(compares(node) for node in ast.walk(ast.parse(text)))


def person(name: str, *, confirmed: bool, email: str = "") -> Person:
    return Person.objects.create_user(
        name, email=email or f"{name}@example.org", email_confirmed=confirmed
    )


@pytest.mark.parametrize(
    ("here", "there"), [(True, True), (True, False), (False, True), (False, False)]
)
def test_an_address_is_somebodys_only_where_both_sides_are_confirmed(
    here: bool, there: bool
) -> None:
    bob = person("bob", confirmed=here)
    found = find_owners(Address("BOB@example.org", there))
    assert found == ([bob] if here and there else [])
    assert is_confirmed_of(bob, "Bob@Example.org") is here


def test_letters_that_only_become_the_same_are_another_mailbox() -> None:
    assert is_same_address("Mark@Example.org", "mark@example.org")
    assert not is_same_address("mar\u212a@example.org", "mark@example.org")
    assert not is_same_address("anna@stra\u00dfe.example", "anna@strasse.example")
    assert not is_same_address("", "")
    person("mark", confirmed=True)
    assert find_owners(Address("mar\u212a@example.org", confirmed=True)) == []


def knocks(email: str, *, confirmed: bool) -> UnapprovedSignIn:
    coming = Claims("mallory-sub", "mallory", email, email_confirmed=confirmed)
    with pytest.raises(Forbidden):
        admit.admit(coming, admit_unregistered=False)
    return UnapprovedSignIn.objects.get()


@pytest.mark.parametrize(("here", "there"), [(True, False), (False, True), (False, False)])
def test_whoever_wrote_an_address_is_not_offered_as_its_person(here: bool, there: bool) -> None:
    person("bob", confirmed=here)
    stranger = knocks("bob@example.org", confirmed=there)
    assert stranger.why == unlinked_sign_ins.RefusalReason.NOT_APPROVED
    assert stranger.email_confirmed is there
    assert unlinked_sign_ins.person_for(stranger) is None
    assert unlinked_sign_ins.repairs(stranger, None) == ["adopt", "refuse"]


def test_an_entry_of_before_the_upgrade_links_nobody_by_its_address(world: World) -> None:
    """It does not know whether the address was confirmed."""
    person("bob", confirmed=True)
    row = UnapprovedSignIn.objects.create(
        sub="s",
        username="b",
        email="bob@example.org",
        why=unlinked_sign_ins.RefusalReason.SAME_EMAIL,
    )
    with pytest.raises(Refused, match="Nobody here has the name b"):
        unlinked_sign_ins.relink(row.id, actor="root", systems=world.systems(), meant="bob")


def test_each_sign_in_says_anew_whether_the_address_is_confirmed() -> None:
    bob = person("bob", confirmed=False)
    for confirmed, email in ((True, bob.email), (False, bob.email), (True, bob.email), (True, "")):
        sign_in.note_sign_in(bob, Claims("sub", "bob", email, email_confirmed=confirmed))
        bob.refresh_from_db()
        assert (bob.email, bob.email_confirmed) == ("bob@example.org", confirmed and bool(email))
    long = "b" * 250 + "@example.org"
    sign_in.note_sign_in(bob, Claims("sub", "bob", long, email_confirmed=True))
    bob.refresh_from_db()
    assert (bob.email, bob.email_confirmed) == (long[:254], False)


def test_nobody_is_made_an_administrator_by_an_address_they_wrote() -> None:
    bob = person("bob", confirmed=False)
    with pytest.raises(Refused, match="another account or address"):
        roles.make_administrator("bob", actor="root", email=bob.email)
    Person.objects.filter(id=bob.id).update(email_confirmed=True)
    assert roles.make_administrator("bob", actor="root", email="BOB@example.org") == "bob"


@pytest.fixture
def project() -> Project:
    return Project.objects.create(owner=person("alice", confirmed=True), label="Finds")


def test_an_invitation_by_address_is_for_whoever_has_it_confirmed_now(
    project: Project, world: World
) -> None:
    mallory = person("mallory", confirmed=False, email="bela@example.org")
    made = invitations.invite(project, by=project.owner, email="Bela@example.org")
    assert not invitations.of_person(mallory).exists()
    with pytest.raises(Invitation.DoesNotExist):
        invitations.accept(made.id, mallory, systems=world.systems())
    bela = person("bela", confirmed=False)
    assert not invitations.of_person(bela).exists()
    Person.objects.filter(id=bela.id).update(email_confirmed=True)
    bela.refresh_from_db()
    assert not invitations.of_person(mallory).exists()
    invitations.accept(made.id, bela, systems=world.systems())
    assert Membership.objects.get().person == bela
    assert not Invitation.objects.exists()


def test_an_invitation_stays_behind_with_an_address_that_is_no_longer_confirmed(
    project: Project, world: World
) -> None:
    bela = person("bela", confirmed=True)
    made = invitations.invite(project, by=project.owner, email=bela.email)
    assert list(invitations.of_person(bela)) == [made]
    bela.email_confirmed = False
    bela.save(update_fields=["email_confirmed"])
    with pytest.raises(Invitation.DoesNotExist):
        invitations.accept(made.id, bela, systems=world.systems())


def test_an_address_of_two_people_invites_neither(project: Project) -> None:
    bela = person("bela", confirmed=True)
    other = person("other", confirmed=True, email=bela.email)
    invitations.invite(project, by=project.owner, email=bela.email)
    assert not invitations.of_person(bela).exists()
    assert not invitations.of_person(other).exists()


def test_who_declined_is_not_asked_again_by_the_same_address(project: Project) -> None:
    bela = person("bela", confirmed=True)
    made = invitations.invite(project, by=project.owner, email=bela.email)
    invitations.decline(made.id, bela)
    assert not invitations.of_person(bela).exists()
