"""Existing accounts get their people: proposed with evidence, confirmed as they were shown, and
taken back while nothing came of it.
"""

from datetime import timedelta

import pytest
from allauth.socialaccount.models import SocialAccount
from django.utils import timezone

from tests.fake_world.people import make_person
from tests.fake_world.world import World
from tests.reconcile.found_accounts import add_unknown_account, ended_run, user
from workspace_manager.core.lists import ListQuery
from workspace_manager.core.refusal import Refused
from workspace_manager.people import end_dates
from workspace_manager.people.admit import Claims, admit
from workspace_manager.people.import_people import first_time
from workspace_manager.reconcile import repairs, take_over
from workspace_manager.reconcile.proposals import Proposal, digest
from workspace_manager.records.models import (
    Account,
    AuditEntry,
    Person,
    Project,
    ReconcileItem,
    ReconcileRun,
    TakeOver,
    Tile,
    Tombstone,
    UnapprovedSignIn,
)

pytestmark = pytest.mark.django_db
ALL = ListQuery()


@pytest.fixture
def run() -> ReconcileRun:
    make_person("ada", sub="sub-of-ada", role="administrator")
    return ended_run()


def list_proposals(run: ReconcileRun, world: World) -> dict[str, Proposal]:
    listed = take_over.shown_of(run, world.systems(), ALL)
    return {f"{one.item.kind} {one.item.name}": one for one in listed}


def confirm(
    run: ReconcileRun, world: World, chosen: list[int] | None = None, seen: str = ""
) -> TakeOver:
    seen = seen or digest(take_over.shown_of(run, world.systems(), ALL))
    return take_over.confirm(
        run, digest_shown=seen, asked=ALL, chosen=chosen, actor="ada", systems=world.systems()
    )


def read_reason(item: ReconcileItem, run: ReconcileRun, world: World) -> str:
    one = list_proposals(run, world)[f"{item.kind} {item.name}"]
    return "" if one.username else one.why.code.rpartition(".")[2]


def test_a_user_becomes_a_person_with_a_link_and_the_role_of_a_user(
    run: ReconcileRun, world: World
) -> None:
    item = user("grace")
    row = confirm(run, world)
    grace = Person.objects.get(username="grace")
    assert (grace.role, grace.state, grace.email) == ("user", "active", "grace@example.org")
    assert (grace.first_name, grace.last_name) == ("Grace", "Example")
    assert SocialAccount.objects.get(user=grace).uid == "sub-grace"
    account = Account.objects.get(person=grace)
    assert (account.name, account.adopted, account.made_by_us) == ("sub-grace", True, False)
    assert Tile.objects.filter(owner=grace).count() == len(Tile.Kind.values)
    item.refresh_from_db()
    assert item.ended_at is not None
    assert take_over.results(row) == {"chosen": 1, "taken": 1, "refused": 0, "left": 0}
    events = AuditEntry.objects.values_list("event", flat=True)
    assert {"take_over:confirmed", "person:taken_over"} <= set(events)


def test_whoever_was_taken_over_signs_in_and_finds_a_first_project(
    run: ReconcileRun, world: World
) -> None:
    user("grace")
    confirm(run, world)
    person = admit(Claims(sub="sub-grace", username="grace"), admit_unregistered=False)
    assert person is not None
    assert first_time(person, world.systems())
    assert Project.objects.filter(owner=person, default=True).count() == 1
    person.last_sign_in = timezone.now()
    assert not first_time(person, world.systems())


def test_accounts_follow_by_the_user_id_also_of_people_of_the_same_confirmation(
    run: ReconcileRun, world: World
) -> None:
    user("grace")
    make_person("alan", sub="sub-alan")
    add_unknown_account("drive.account", "sub-grace", sub="sub-grace", email="other@example.org")
    add_unknown_account("drive.account", "sub-alan", sub="sub-alan")
    stray = add_unknown_account("drive.account", "sub-nobody", sub="sub-nobody")
    assert read_reason(stray, run, world) == "sub_of_nobody"
    confirm(run, world)
    owners = Account.objects.filter(kind="drive.account").values_list("name", "person__username")
    assert dict(owners) == {"sub-grace": "grace", "sub-alan": "alan"}


def test_a_name_is_enough_only_with_a_confirmed_address(run: ReconcileRun, world: World) -> None:
    user("grace")
    user("heidi", confirmed=False)
    good = add_unknown_account("sql_server.user", "grace")
    bad = add_unknown_account("sql_server.user", "heidi")
    assert list_proposals(run, world)["sql_server.user grace"].username == "grace"
    assert read_reason(bad, run, world) == "not_confirmed"
    confirm(run, world)
    owned = Account.objects.filter(kind=good.kind, name="grace", person__username="grace")
    assert owned.count() == 1
    # And so it stays once they are people here.
    assert read_reason(bad, run, world) == "not_confirmed"
    assert not Account.objects.filter(kind=bad.kind, name="heidi").exists()


def test_look_alikes_and_namesakes_are_proposed_to_nobody(run: ReconcileRun, world: World) -> None:
    user("grace")
    cases = {
        "written_otherwise": add_unknown_account("sql_server.user", "Grace"),
        "another_email": add_unknown_account(
            "triplestore.user", "grace", email="grace@elsewhere.org"
        ),
        "nobody": add_unknown_account("sql_server.user", "trent"),
        "own_name": add_unknown_account("sql_server.user", "root"),
    }
    assert {key: read_reason(item, run, world) for key, item in cases.items()} == {
        key: key for key in cases
    }
    # By name it is one, by address another.
    user("judy")
    both = add_unknown_account("sql_server.user", "judy", email="grace@example.org")
    assert read_reason(both, run, world) == "several"


def test_of_two_users_whose_names_count_as_one_neither_is_proposed(
    run: ReconcileRun, world: World
) -> None:
    one, two = user("mal.lory", email="a@example.org"), user("mal_lory", email="b@example.org")
    three, four = user("eve", email="c@example.org"), user("EVE", email="d@example.org")
    assert read_reason(one, run, world) == ""  # a point is a character of its own everywhere
    assert read_reason(two, run, world) == ""
    assert read_reason(three, run, world) == read_reason(four, run, world) == "twins"


@pytest.mark.parametrize("case", ["taken", "kept", "email_here", "of_removed", "refused", "system"])
def test_a_name_that_is_not_free_is_given_to_nobody(
    case: str, run: ReconcileRun, world: World
) -> None:
    ends = timezone.now() + timedelta(days=9)
    make_person("Ivan" if case == "taken" else "other")
    Person.objects.filter(username="other").update(email="IVAN@example.org")
    if case != "email_here":
        Person.objects.filter(username="other").update(email="")
    if case == "kept":
        Tombstone.objects.create(username="ivan", expires_at=ends)
    if case == "of_removed":
        Tombstone.objects.create(username="ivanka", sub="sub-ivan", expires_at=ends)
    if case == "refused":
        UnapprovedSignIn.objects.create(
            sub="sub-ivan", username="ivan", why="not approved", state="refused", decided_by="ada"
        )
    item = user("service-account-x") if case == "system" else user("ivan")
    expected = {"taken": "name_alike", "refused": "refused_for_good", "system": "name_of_system"}
    assert read_reason(item, run, world) == expected.get(case, case)


def test_what_is_confirmed_is_what_was_shown(run: ReconcileRun, world: World) -> None:
    user("grace")
    seen = digest(take_over.shown_of(run, world.systems(), ALL))
    user("heidi")
    with pytest.raises(Refused, match="The proposals have changed since you saw them"):
        confirm(run, world, seen=seen)
    assert not Person.objects.filter(username="grace").exists()
    with pytest.raises(Refused, match="Number 9999999 is not a proposal"):
        confirm(run, world, [9999999])
    newer = ended_run()
    with pytest.raises(Refused, match=str(newer.id)):
        confirm(run, world)


def test_what_was_seen_long_ago_is_compared_again_first(run: ReconcileRun, world: World) -> None:
    old = user("grace", last_seen=timezone.now() - timedelta(days=2))
    assert read_reason(old, run, world) == "seen_long_ago"
    with pytest.raises(Refused, match="Nothing is selected"):
        confirm(run, world)


def test_the_same_confirmation_again_goes_on_where_it_stopped(
    run: ReconcileRun, world: World, monkeypatch: pytest.MonkeyPatch, woken: list[object]
) -> None:
    monkeypatch.setattr(take_over, "AT_ONCE", 2)
    for name in ("anna", "bert", "cleo"):
        user(name)
        add_unknown_account("drive.account", f"sub-{name}", sub=f"sub-{name}")
    seen = digest(take_over.shown_of(run, world.systems(), ALL))
    real, calls = take_over._some, []

    def killed(*args: object) -> None:
        calls.append(args)
        if len(calls) == 2:
            raise KeyboardInterrupt
        real(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(take_over, "_some", killed)
    confirm(run, world, seen=seen)
    with pytest.raises(KeyboardInterrupt):
        take_over.go_on_with_all(world.systems())
    assert Person.objects.exclude(username="ada").count() == 2
    assert woken.count("take-overs") == 1, "the worker does what a request does not"
    assert take_over.results(confirm(run, world, seen=seen))["left"] == 2
    take_over.go_on_with_all(world.systems())
    row = confirm(run, world, seen=seen)
    assert take_over.results(row) == {"chosen": 6, "taken": 6, "refused": 0, "left": 0}
    assert confirm(run, world, seen=seen).id == row.id
    assert Person.objects.exclude(username="ada").count() == 3
    assert Account.objects.filter(taken_over=row).count() == 6


def test_the_same_confirmation_in_two_windows_is_one(
    run: ReconcileRun, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other window stores it after this one looked for it."""
    user("anna")
    seen = digest(take_over.shown_of(run, world.systems(), ALL))
    real, other = take_over._picked, []

    def meanwhile(*args: object) -> list[Proposal]:
        monkeypatch.setattr(take_over, "_picked", real)
        other.append(confirm(run, world, seen=seen))
        return picked

    picked = real(take_over.shown_of(run, world.systems(), ALL), seen, None)
    monkeypatch.setattr(take_over, "_picked", meanwhile)
    row = confirm(run, world, seen=seen)
    assert row.id == other[0].id
    assert take_over.results(row) == {"chosen": 1, "taken": 1, "refused": 0, "left": 0}


def test_what_changed_after_the_look_is_refused_and_the_rest_is_taken(
    run: ReconcileRun, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    user("grace")
    late = user("heidi")
    real = take_over._picked

    def meanwhile(*args: object) -> list[Proposal]:
        picked = real(*args)  # type: ignore[arg-type]
        make_person("heidi")
        return picked

    monkeypatch.setattr(take_over, "_picked", meanwhile)
    row = confirm(run, world)
    assert take_over.results(row)["taken"] == 1
    assert [n for n, _ in row.refused] == [late.n]
    assert Person.objects.filter(username="grace").exists()


def test_it_is_undone_while_nothing_came_of_it(run: ReconcileRun, world: World) -> None:
    alan = make_person("alan", sub="sub-alan")
    for name in ("grace", "heidi", "judy"):
        user(name)
    add_unknown_account("drive.account", "sub-grace", sub="sub-grace")
    add_unknown_account("drive.account", "sub-alan", sub="sub-alan")
    row = confirm(run, world)
    heidi, judy = (Person.objects.get(username=one) for one in ("heidi", "judy"))
    Person.objects.filter(id=heidi.id).update(last_sign_in=timezone.now())
    Project.objects.create(owner=judy, label="Hers", ontology_mark="m")
    undone = take_over.undo(row.id, actor="ada")
    assert undone == take_over.UndoOutcome(3, ("heidi", "judy"))
    names = set(Person.objects.values_list("username", flat=True))
    assert names == {"ada", "alan", "heidi", "judy"}
    assert not SocialAccount.objects.filter(uid="sub-grace").exists()
    assert Account.objects.filter(person=alan).count() == 1
    # They are proposed again, and can be confirmed again.
    assert list_proposals(run, world)["identity_provider.user sub-grace"].username == "grace"
    confirm(run, world)
    assert Person.objects.filter(username="grace").exists()


def test_whoever_knocked_before_can_be_adopted_after_it_was_undone(
    run: ReconcileRun, world: World
) -> None:
    item = user("grace")
    UnapprovedSignIn.objects.create(sub="sub-grace", username="grace", why="not approved")
    row = confirm(run, world)
    assert UnapprovedSignIn.objects.get().state == "adopted"
    take_over.undo(row.id, actor="ada")
    stranger = UnapprovedSignIn.objects.get()
    assert (stranger.state, stranger.decided_by) == ("open", "")
    repairs.adopt(item.n, actor="ada", systems=world.systems())
    assert UnapprovedSignIn.objects.get().state == "adopted"


def test_whoever_got_an_end_date_since_stays(run: ReconcileRun, world: World) -> None:
    user("grace")
    row = confirm(run, world)
    end_dates.set_end("grace", end_dates.today() + timedelta(days=3), actor="ada")
    assert take_over.undo(row.id, actor="ada") == take_over.UndoOutcome(0, ("grace",))
    assert Person.objects.filter(username="grace").exists()
