"""The levels of access to a thing, a person's and everybody's: there, and by the records."""

from typing import Any

import pytest

from tests.fake_world.people import make_person
from tests.reconcile.fakes import Walks
from tests.reconcile.test_repairs import started, work_on
from workspace_manager.contract.connector import Change
from workspace_manager.core.refusal import Refused
from workspace_manager.reconcile import repairs
from workspace_manager.reconcile.plan import SETTLE
from workspace_manager.records.models import (
    Account,
    Component,
    Membership,
    Person,
    Plan,
    Project,
    ReconcileItem,
    ServiceKey,
)

pytestmark = pytest.mark.django_db
DATABASE, REPOSITORY, PUBLIC = "sql_server.database", "triplestore.repository", "triplestore.public"
KINDS = {DATABASE: "sql_database", REPOSITORY: "triplestore_repository"}
GRANT = "sql_server.grant:ws_1"


def shared(walks: Walks, kind: str, **roles: str) -> Component:
    """A thing of anna's, and the accounts of its members."""
    system = kind.partition(".")[0]
    anna = make_person("anna")
    project = Project.objects.create(owner=anna, label="P")
    people = [anna]
    for name, role in roles.items():
        people.append(make_person(name))
        Membership.objects.create(project=project, person=people[-1], role=role)
    for person in people:
        account(walks, person, person.username, system)
    return Component.objects.create(
        owner=anna, kind=KINDS[kind], label="X", name="ws_1" if kind == DATABASE else "ts-1",
        state="ready", project=project,
    )  # fmt: skip


def account(walks: Walks, person: Person, name: str, system: str, **more: Any) -> None:
    Account.objects.create(
        system=system, kind=f"{system}.user", name=name, username=person.username, person=person,
        made_by_us=True, **more,
    )  # fmt: skip
    walks.holding.put(f"{system}.user", name)
    walks.world.things[f"{system}.user:{name}"] = {"exists": True}


def key(walks: Walks, owner: Person, name: str, component: Component, system: str) -> None:
    account(walks, owner, name, system, machine=True)
    ServiceKey.objects.create(
        owner=owner, system=system, account=name, label=name, component=component
    )


def put(walks: Walks, kind: str, name: str, **levels: str) -> None:
    walks.holding.put(kind, name, holders=tuple(sorted(levels)), levels=levels)


def differences() -> dict[str, tuple[str, str]]:
    """By the account: what is otherwise, and why."""
    rows = ReconcileItem.objects.filter(ended_at=None)
    return {row.holder: (row.difference, row.reason.english) for row in rows}


def test_a_member_who_may_more_or_less_than_the_role_says(walks: Walks) -> None:
    shared(
        walks, DATABASE,
        bert="read", carl="read", dora="write", emil="manage", fred="write", gerd="read",
    )  # fmt: skip
    put(
        walks, DATABASE, "ws_1",
        anna="own", bert="write", carl="own", dora="read", emil="write", fred="other", gerd="read",
    )  # fmt: skip

    walks.run()

    found = differences()
    assert {holder: difference for holder, (difference, _) in found.items()} == {
        "bert": "holder_not_shared",
        "carl": "holder_not_shared",
        "dora": "holder_lacks",
        "fred": "holder_not_shared",
    }
    assert found["bert"][1] == (
        "The account bert of bert may read and write there. According to the records it may read."
    )


def test_what_a_system_does_not_say_is_not_compared(walks: Walks) -> None:
    shared(walks, DATABASE, bert="read")
    walks.holding.put(DATABASE, "ws_1", holders=("anna", "bert"))
    walks.run()
    assert walks.found() == []


def test_a_repository_knows_no_more_than_writing(walks: Walks) -> None:
    component = shared(walks, REPOSITORY, bert="read", carl="write")
    key(walks, component.owner, "wm_1", component, "triplestore")
    put(walks, REPOSITORY, "ts-1", anna="write", bert="write", carl="write", wm_1="write")
    walks.run()
    assert differences().keys() == {"bert"}
    walks.holding.take("ts-1")
    put(walks, REPOSITORY, "ts-1", anna="read", bert="read", carl="write", wm_1="read")
    walks.run()
    assert {name: what for name, (what, _) in differences().items()} == {
        "anna": "holder_lacks",
        "wm_1": "holder_lacks",
    }
    item = ReconcileItem.objects.get(holder="anna", ended_at=None)
    assert repairs.offered_actions(item) == ["give_back", "ignore"]

    assert started(walks, item, "give_back").state == "done"

    assert "WRITE_REPO_ts-1" in walks.world.things["triplestore.user:anna"]["authorities"]


def test_an_owner_of_a_database_is_helped_by_hand(walks: Walks) -> None:
    shared(walks, DATABASE)
    for levels in ({"anna": "write"}, {"anna": "other"}, {}):
        walks.holding.take("ws_1")
        put(walks, DATABASE, "ws_1", **levels)
        walks.run()
        item = ReconcileItem.objects.get(ended_at=None)
        assert repairs.offered_actions(item) == ["ignore"]
        advice = repairs.advice(item)
        assert advice
        assert advice.code == "reconcile.advice.owner_right"
        with pytest.raises(Refused):
            repairs.draft(item.n, "give_back", actor="ada", systems=walks.systems())


def test_a_right_is_brought_to_the_level_of_the_role(walks: Walks) -> None:
    shared(walks, DATABASE, bert="read", carl="write")
    put(walks, DATABASE, "ws_1", anna="own", bert="own", carl="read")
    walks.world.things |= {
        "sql_server.database:ws_1": {"exists": True},
        f"{GRANT} bert": {"use": False},
        f"{GRANT} carl": {"use": "read"},
    }
    walks.run()

    for holder, what in (("bert", "take"), ("carl", "give_back")):
        item = ReconcileItem.objects.get(holder=holder)
        assert repairs.offered_actions(item) == [what, "ignore"]
        assert started(walks, item, what).state == "done", holder

    assert walks.world.things[f"{GRANT} bert"] == {"use": "read"}
    assert walks.world.things[f"{GRANT} carl"] == {"use": "write"}
    steps = Plan.objects.get(steps__name="take_unknown_right").steps
    assert {step.name: step.needs for step in steps.all()} == {
        "take_unknown_right": [],
        "create_sql_user": [1],
        "store_sql_password": [1, 2],
        "share_databases": [1, 2],
    }
    # All of it first: a right of an owner is made no smaller one.
    assert f"remove {GRANT} bert" in walks.world.writes
    assert f"remove {GRANT} carl" not in walks.world.writes


def test_whose_it_is_by_then_keeps_every_right(walks: Walks) -> None:
    component = shared(walks, DATABASE, bert="read")
    put(walks, DATABASE, "ws_1", anna="own", bert="own")
    walks.world.things[f"{GRANT} bert"] = {"use": False}
    walks.run()
    item = ReconcileItem.objects.get()
    plan = repairs.draft(item.n, "take", actor="ada", systems=walks.systems())
    Component.objects.filter(pk=component.pk).update(owner=Person.objects.get(username="bert"))
    first = plan.steps.get(name="take_unknown_right").changes.get()

    assert not SETTLE.may_act(Change.model_validate(first.change))


def test_the_account_of_a_key_opens_its_own_thing_alone(walks: Walks) -> None:
    component = shared(walks, DATABASE, bert="read")
    anna, bert = component.owner, Person.objects.get(username="bert")
    other = Component.objects.create(
        owner=anna, kind="sql_database", label="Y", name="ws_2", state="ready"
    )
    key(walks, anna, "wm_own", component, "sql_server")
    key(walks, anna, "wm_other", other, "sql_server")
    key(walks, bert, "wm_reads", component, "sql_server")
    put(
        walks, DATABASE, "ws_1",
        anna="own", bert="read", wm_own="define", wm_other="define", wm_reads="write",
    )  # fmt: skip
    put(walks, DATABASE, "ws_2", anna="own", wm_other="define")
    walks.world.things |= {
        f"{GRANT} wm_other": {"use": "define"},
        f"{GRANT} wm_reads": {"use": "write"},
    }
    walks.run()
    assert {name: what for name, (what, _) in differences().items()} == {
        "wm_other": "holder_not_shared",
        "wm_reads": "holder_not_shared",
    }

    for name in ("wm_other", "wm_reads"):
        item = ReconcileItem.objects.get(holder=name)
        assert started(walks, item, "take").state == "done", name

    assert f"{GRANT} wm_other" not in walks.world.things
    assert walks.world.things[f"{GRANT} wm_reads"] == {"use": "read"}


# --- everybody ------------------------------------------------------------------------------------


def publish_repository(walks: Walks, level: str = "read") -> None:
    walks.holding.put(PUBLIC, "ts-1", holders=("",), levels={"": level})


def test_what_everybody_may_read_and_is_not_public(walks: Walks) -> None:
    shared(walks, REPOSITORY)
    put(walks, REPOSITORY, "ts-1", anna="write")
    publish_repository(walks)
    walks.world.things[f"{PUBLIC}:ts-1"] = {"read": True}
    walks.run()
    item = ReconcileItem.objects.get()
    assert (item.difference, item.kind, item.username) == ("holder_not_shared", PUBLIC, "anna")
    assert repairs.offered_actions(item) == ["take", "ignore"]

    assert started(walks, item, "take").state == "done"

    assert walks.world.things[f"{PUBLIC}:ts-1"] == {"read": False}
    walks.holding.things["triplestore"].pop()
    walks.run()
    assert walks.found() == []


def test_what_is_public_and_nobody_may_read(walks: Walks) -> None:
    component = shared(walks, REPOSITORY)
    Component.objects.filter(pk=component.pk).update(public_read=True)
    put(walks, REPOSITORY, "ts-1", anna="write")
    walks.run()
    item = ReconcileItem.objects.get()
    assert (item.difference, item.kind) == ("holder_lacks", PUBLIC)
    assert repairs.offered_actions(item) == ["give_back", "ignore"]

    plan = repairs.draft(item.n, "give_back", actor="ada", systems=walks.systems())
    repairs.approve(plan.id, digest=plan.digest, actor="ada")
    # By now nobody shall.
    Component.objects.filter(pk=component.pk).update(public_read=False)
    assert work_on(plan, walks.world).state == "done"
    assert walks.world.things.get(f"{PUBLIC}:ts-1") != {"read": True}


def test_what_is_public_on_both_sides_is_no_difference(walks: Walks) -> None:
    component = shared(walks, REPOSITORY)
    Component.objects.filter(pk=component.pk).update(public_read=True)
    put(walks, REPOSITORY, "ts-1", anna="write")
    publish_repository(walks)
    walks.run()
    assert walks.found() == []
    walks.holding.things["triplestore"].pop()
    publish_repository(walks, "write")
    walks.run()
    item = ReconcileItem.objects.get()
    assert item.reason.code == "reconcile.everybody_writes"
    assert repairs.offered_actions(item) == ["ignore"]


def test_a_public_repository_of_nobody_is_one_difference(walks: Walks) -> None:
    put(walks, REPOSITORY, "ts-1")
    publish_repository(walks)
    walks.run()
    assert [row.kind for row in ReconcileItem.objects.all()] == [REPOSITORY]
