"""Four hundred new ids are one order: looked at row by row, nobody linked on a list's word."""

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from allauth.socialaccount.models import SocialAccount
from click.testing import CliRunner
from django.utils import timezone

from tests.fake_world.people import make_person
from tests.fake_world.world import World
from tests.reconcile.found_accounts import user
from tests.visitors import Visitor
from tests.web.api.documents import problem
from workspace_manager.cli import strangers_relink_list
from workspace_manager.cli.__main__ import main
from workspace_manager.reconcile import link_list
from workspace_manager.reconcile.link_list import Row
from workspace_manager.records.models import (
    AuditEntry,
    Mail,
    Permission,
    Person,
    ReconcileItem,
    Tombstone,
    UnapprovedSignIn,
)
from workspace_manager.web.api import strangers_relink_list as api

pytestmark = pytest.mark.django_db
RECREATED = ReconcileItem.Difference.IDENTITY_RECREATED


def recreate_user(name: str, *, confirmed: bool = True) -> None:
    """The user of somebody who is here was made again: `sub-NAME`."""
    one = user(name, confirmed=confirmed)
    ReconcileItem.objects.filter(n=one.n).update(difference=RECREATED, username=name)


@pytest.fixture(autouse=True)
def people(ada: Person) -> None:
    """anna to ina were made again there; the administrator, and hugo who may more, too."""
    SocialAccount.objects.create(user=ada, provider="identity_provider", uid="old-ada")
    for name in ("anna", "bert", "cleo", "dora", "emil", "fritz", "gerd", "hugo", "ina"):
        make_person(name, sub=f"old-{name}")
    Permission.objects.create(person=Person.objects.get(username="hugo"), name="view_stacks")
    Person.objects.filter(username="ina").update(state="suspended")
    for name in ("ada", "anna", "bert", "dora", "hugo", "ina"):
        recreate_user(name)
    recreate_user("cleo", confirmed=False)
    user("mallory", email="emil@example.org")  # another name, his confirmed address
    user("eve")
    link = SocialAccount.objects.get(user__username="fritz")
    link.uid = "sub-fritz"
    link.save()


ROWS = {
    "anna": ("sub-anna", "found"),
    "bert": ("BERT@example.org", "found"),
    "cleo": ("cleo@example.org", "unconfirmed"),
    "dora": ("sub-eve", "other_name"),
    "emil": ("emil@example.org", "found"),
    "fritz": ("sub-fritz", "already"),
    "gerd": ("sub-nowhere", "not_found"),
    "hugo": ("sub-hugo", "administrator"),
    "ada": ("sub-ada", "administrator"),
    "ina": ("sub-ina", "not_active"),
    "nobody": ("sub-nobody", "nobody"),
}


def rows(**more: str) -> list[Row]:
    wanted = {name: account for name, (account, _) in ROWS.items()} | more
    return [Row(n, name, account) for n, (name, account) in enumerate(wanted.items(), 2)]


def read_results(results: list[link_list.Result]) -> dict[str, str]:
    return {one.row.username: one.text.code.partition(".")[2] for one in results}


def link_rows(world: World, wanted: list[Row], **more: Any) -> list[link_list.Result]:
    shown = link_list.digest(link_list.look(wanted))
    return link_list.link(wanted, shown=shown, actor="ada", systems=world.systems(), **more)


def sub_of(name: str) -> str:
    return str(SocialAccount.objects.get(user__username=name).uid)


def test_each_row_says_what_becomes_of_it_and_nothing_is_done() -> None:
    assert read_results(link_list.look(rows())) == {name: why for name, (_, why) in ROWS.items()}
    assert sub_of("anna") == "old-anna"
    assert not UnapprovedSignIn.objects.exists()
    assert not AuditEntry.objects.exists()


def test_what_is_found_is_linked_once_and_told_and_the_rest_is_left(world: World) -> None:
    found = link_rows(world, rows())
    linked = [name for name, code in read_results(found).items() if code == "linked"]
    assert linked == ["anna", "bert", "emil"]
    assert [sub_of(name) for name in linked] == ["sub-anna", "sub-bert", "sub-mallory"]
    for name in ("cleo", "dora", "gerd", "hugo", "ada", "ina"):
        assert sub_of(name) == f"old-{name}"
    relinked = AuditEntry.objects.filter(event="stranger:relinked", actor="ada")
    assert relinked.count() == 3
    (order,) = AuditEntry.objects.filter(event="people:relinked")
    assert order.details == {"rows": 11, "linked": 3, "already": 1, "left_out": 7}
    told = Mail.objects.filter(kind="happened").values_list("person__username", flat=True)
    assert sorted(told) == linked
    again_ = read_results(link_rows(world, rows()))
    assert [again_[name] for name in linked] == ["already"] * 3
    assert Mail.objects.filter(kind="happened").count() == 3


def test_what_changed_since_it_was_shown_is_looked_at_again(world: World) -> None:
    shown = link_list.digest(link_list.look(rows()))
    Permission.objects.create(person=Person.objects.get(username="bert"), name="view_stacks")
    with pytest.raises(link_list.ListChanged):
        link_list.link(rows(), shown=shown, actor="ada", systems=world.systems())
    assert sub_of("anna") == "old-anna"


def test_who_may_more_by_the_time_it_is_their_turn_is_left_out(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = link_list.look(rows())[1]
    Permission.objects.create(person=Person.objects.get(username="bert"), name="view_stacks")
    monkeypatch.setattr(link_list, "look", lambda _rows: [one])
    (result,) = link_rows(world, rows())
    assert result.outcome == "left_out"
    assert sub_of("bert") == "old-bert"


def test_who_is_not_reached_in_time_is_sent_again(world: World) -> None:
    found = link_rows(world, rows(), longest_s=0)
    assert {one.outcome for one in found} == {"later", "already", "left_out"}
    assert sub_of("anna") == "old-anna"


def test_what_speaks_against_it(world: World) -> None:
    UnapprovedSignIn.objects.create(
        sub="sub-dora", username="dora", state="refused", decided_by="bob"
    )
    Tombstone.objects.create(
        username="anna-was", sub="sub-anna", expires_at=timezone.now() + timedelta(days=9)
    )
    user("bert2", email="bert@example.org")
    wanted = [
        Row(1, "dora", "sub-dora"),
        Row(2, "anna", "sub-anna"),
        Row(3, "bert", "bert@example.org"),
        Row(4, "gerd", "sub-fritz"),
        Row(5, "cleo", "SUB-cleo"),
        Row(6, "emil", "sub-mallory"),
        Row(7, "emil", "sub-eve"),
    ]
    codes = [one.text.code.partition(".")[2] for one in link_list.look(wanted)]
    assert codes[:5] == ["refused", "of_removed", "several", "anothers", "found"]
    assert codes[5:] == ["twice", "twice"]


def test_four_hundred_cost_no_more_statements_than_one(
    world: World, django_assert_max_num_queries: Any
) -> None:
    names = [f"many{n}" for n in range(60)]
    for name in names:
        make_person(name, sub=f"old-{name}")
        recreate_user(name)
    wanted = [Row(n, name, f"sub-{name}") for n, name in enumerate(names)]
    with django_assert_max_num_queries(15):
        found = link_list.look(wanted)
    assert {one.outcome for one in found} == {"found"}


def test_on_the_command_line(world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strangers_relink_list, "connected_systems", world.systems)
    file = tmp_path / "accounts.csv"
    file.write_text("sep=;\nUsername;Account;;\nanna;sub-anna;;\nhugo;sub-hugo;;\n")

    def typed(*more: str) -> Any:
        return CliRunner().invoke(main, ["strangers", "relink-list", str(file), *more])

    assert "1 will be linked, 1 left out." in typed("--dry-run").output
    assert sub_of("anna") == "old-anna"
    answer = json.loads(typed("--json").stdout)
    assert [one["outcome"] for one in answer["items"]] == ["linked", "left_out"]
    assert sub_of("anna") == "sub-anna"
    file.write_text("username,account\nanna,\n")
    wrong = typed()
    assert wrong.exit_code == 1
    assert "line 2: “account” is empty." in wrong.output


def test_by_rest(world: World, as_administrator: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api, "connected_systems", world.systems)
    wanted = [{"username": "anna", "account": "sub-anna"}, {"username": "x", "account": "y"}]
    path = "/strangers/relink-list"
    seen = as_administrator.ask("POST", path, {"rows": wanted}).json()
    assert [one["outcome"] for one in seen["items"]] == ["found", "left_out"]
    assert sub_of("anna") == "old-anna"
    problem(as_administrator.ask("POST", path, {"rows": wanted, "digest": "another"}), 409)
    body = {"rows": wanted, "digest": seen["digest"]}
    answer = as_administrator.ask("POST", path, body).json()
    assert [one["outcome"] for one in answer["items"]] == ["linked", "left_out"]
    assert sub_of("anna") == "sub-anna"
