"""Whom an account is proposed to, and who gets nothing: names that come back, several accounts, and
names that only look right.
"""

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.fake_world.people import make_person
from tests.fake_world.world import World
from tests.reconcile.found_accounts import add_unknown_account, ended_run, user
from workspace_manager.core.lists import ListQuery
from workspace_manager.reconcile import people_file, take_over
from workspace_manager.reconcile import proposals as of_proposals
from workspace_manager.reconcile.people_file import Row
from workspace_manager.reconcile.proposals import digest, left_out, proposals
from workspace_manager.records.models import (
    Account,
    Person,
    ReconcileItem,
    Tombstone,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def ada() -> None:
    make_person("ada", sub="sub-of-ada", role="administrator")
    ended_run()


def read_proposals(world: World, q: str = "") -> dict[int, str]:
    """To whom each is proposed, or with a point why nobody is, by its number."""
    return {
        one.item.n: one.username or "." + one.why.code.rpartition(".")[2]
        for one in proposals(world.systems(), ListQuery(q))
    }


def confirmed(world: World, q: str = "") -> None:
    asked = ListQuery(q)
    take_over.confirm(
        take_over.run_to_confirm(),
        digest_shown=digest(proposals(world.systems(), asked)),
        asked=asked,
        chosen=None,
        actor="ada",
        systems=world.systems(),
    )


def add_tombstone(name: str, *accounts: tuple[str, str]) -> None:
    """Somebody whose name is free again."""
    rows = [{"system": kind.partition(".")[0], "kind": kind, "name": one} for kind, one in accounts]
    ended = timezone.now() - timedelta(days=1)
    Tombstone.objects.create(
        username=name, sub=f"old-{name}", expires_at=ended, erased=True, accounts=rows
    )


def confirmed_person(name: str) -> Person:
    email = f"{name}@example.org"
    person = make_person(name, sub=f"sub-{name}")
    Person.objects.filter(id=person.id).update(email=email, email_confirmed=True)
    return person


def test_a_name_that_comes_back_gets_nothing_by_its_name_or_address(world: World) -> None:
    add_tombstone("grace")
    grace = user("grace")
    old = add_unknown_account("triplestore.user", "grace")
    assert read_proposals(world) == {grace.n: ".had_before", old.n: ".nobody"}
    # Nor when somebody let the newcomer in.
    ReconcileItem.objects.filter(n=grace.n).update(ended_at=timezone.now())
    confirmed_person("grace")
    mail = add_unknown_account("drive.account", "d" * 64, email="grace@example.org")
    assert read_proposals(world) == dict.fromkeys((old.n, mail.n), ".of_who_had_the_name")


def test_what_somebody_who_left_had_under_another_name_goes_to_nobody(world: World) -> None:
    add_tombstone("hugo", ("sql_server.user", "heidi"))
    confirmed_person("heidi")
    old = add_unknown_account("sql_server.user", "heidi")
    assert read_proposals(world) == {old.n: ".of_who_had_the_name"}


def test_what_the_user_id_proves_is_given_also_to_a_name_that_comes_back(world: World) -> None:
    add_tombstone("grace")
    confirmed_person("grace")
    hers = add_unknown_account("drive.account", "sub-grace", sub="sub-grace")
    assert read_proposals(world) == {hers.n: "grace"}


@pytest.mark.parametrize("put_off", [False, True])
def test_one_of_several_accounts_is_proposed_by_no_search(world: World, *, put_off: bool) -> None:
    confirmed_person("grace")
    one, two = (
        add_unknown_account(
            "drive.account", name * 64, email="grace@example.org", email_confirmed=True
        )
        for name in "ab"
    )
    assert set(read_proposals(world).values()) == {".several_accounts"}
    assert read_proposals(world, "a" * 64) == {one.n: ".several_accounts"}
    if put_off:
        later = timezone.now() + timedelta(days=3)
        ReconcileItem.objects.filter(n=two.n).update(ignored_until=later)
        assert read_proposals(world) == {one.n: ".several_accounts"}


def test_a_second_account_that_came_after_the_look_is_not_taken_over_with_the_first(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    confirmed_person("grace")
    add_unknown_account("drive.account", "a" * 64, email="grace@example.org", email_confirmed=True)
    real = take_over._picked

    def meanwhile(*args: object) -> object:
        picked = real(*args)  # type: ignore[arg-type]
        add_unknown_account(
            "drive.account", "b" * 64, email="grace@example.org", email_confirmed=True
        )
        return picked

    monkeypatch.setattr(take_over, "_picked", meanwhile)
    confirmed(world)
    assert not Account.objects.filter(kind="drive.account").exists()


def test_whoever_has_an_account_gets_no_second_one(world: World) -> None:
    anna = confirmed_person("anna")
    Account.objects.create(system="drive", kind="drive.account", name="sub-anna", person=anna)
    item = add_unknown_account(
        "drive.account", "c" * 64, email="anna@example.org", email_confirmed=True
    )
    assert read_proposals(world) == {item.n: ".has_one"}
    Account.objects.update(machine=True)
    assert read_proposals(world) == {item.n: "anna"}
    Account.objects.update(machine=False, gone_at=timezone.now())
    assert read_proposals(world) == {item.n: "anna"}


@pytest.mark.parametrize(
    ("here", "there", "why"),
    [(True, True, "anna"), (True, False, ".written_there"), (False, True, ".not_confirmed")],
)
def test_an_address_shows_whose_an_account_is_only_where_both_sides_are_confirmed(
    world: World, here: bool, there: bool, why: str
) -> None:
    """Else whoever writes somebody's address into their own account outlives their removal."""
    anna = confirmed_person("anna")
    Person.objects.filter(id=anna.id).update(email_confirmed=here)
    item = add_unknown_account(
        "drive.account", "c" * 64, email="anna@example.org", email_confirmed=there
    )
    assert read_proposals(world) == {item.n: why}


@pytest.mark.parametrize("name", ["gracé", "grace\u0301", "gra\u0142e"])
def test_users_whose_names_differ_by_accents_are_decided_by_hand(world: World, name: str) -> None:
    plain = user("grale" if "\u0142" in name else "grace")
    other = user(name, email="other@example.org")
    assert read_proposals(world) == {plain.n: ".twins", other.n: ".twins"}


def test_nobody_comes_in_under_a_name_that_only_looks_like_somebodys(world: World) -> None:
    make_person("grace", sub="sub-1")
    add_tombstone("hugo")
    like = user("gracé", email="a@example.org")
    of_two_scripts = user("gr\u0430ham", email="b@example.org")
    like_gone = user("hugó", email="c@example.org")
    own_script = user("\u0438\u0432\u0430\u043d", email="d@example.org")
    assert read_proposals(world) == {
        like.n: ".written_otherwise",
        of_two_scripts.n: ".two_scripts",
        like_gone.n: ".had_before",
        own_script.n: own_script.login_name,
    }


def test_a_list_of_people_finds_them_among_however_many(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("bert", "cleo", "dora", "emil"):
        user(name)
    monkeypatch.setattr(of_proposals, "MOST", 2)
    assert len(read_proposals(world)) == left_out(ListQuery()) == 2
    assert left_out(ListQuery("dora")) == 0
    rows = [Row(2, "dora"), Row(3, "emil", sub="sub-emil"), Row(4, "Cleo"), Row(5, "frank")]
    found, row = people_file.bring(rows[:2], actor="ada", systems=world.systems())
    assert [one.outcome for one in found] == ["linked", "linked"]
    assert row
    assert take_over.results(row)["taken"] == 2
    later = people_file.look(rows, world.systems())
    assert [(one.outcome, one.text.code.rpartition(".")[2]) for one in later] == [
        ("here", "here"),
        ("here", "here"),
        ("refused", "written_otherwise"),
        ("nobody", "nobody"),
    ]
