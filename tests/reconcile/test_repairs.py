"""Each repair, the plans to their end, and what is refused."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from tests.clock import just_over
from tests.fake_world.people import make_person
from tests.fake_world.world import World
from tests.reconcile.fakes import Walks
from workspace_manager.core.refusal import BadInput, Refused
from workspace_manager.engine import run as engine
from workspace_manager.plan_kinds import PLAN_KINDS
from workspace_manager.reconcile import repairs, schedule
from workspace_manager.reconcile.items import open_items
from workspace_manager.records.models import (
    Account,
    AuditEntry,
    Component,
    Membership,
    Person,
    Plan,
    Project,
    ReconcileItem,
    ServiceKey,
    VaultEntry,
)
from workspace_manager.removal.approve import approve_removal
from workspace_manager.removal.draft import draft_removal

pytestmark = pytest.mark.django_db
USER = "sql_server.user"


def item_of(walks: Walks, kind: str, name: str, **more: Any) -> ReconcileItem:
    walks.holding.put(kind, name, **more)
    walks.run()
    return ReconcileItem.objects.get(name=name, ended_at=None)


def work_on(plan: Plan, world: World) -> Plan:
    engine.run(plan.id, world.systems(), kinds=PLAN_KINDS)
    plan.refresh_from_db()
    return plan


def started(walks: Walks, item: ReconcileItem, what: str) -> Plan:
    """Looked at, approved, and worked on."""
    plan = repairs.draft(item.n, what, actor="ada", systems=walks.systems())
    before = [*walks.world.writes]
    work_on(plan, walks.world)
    assert (plan.state, walks.world.writes) == ("draft", before)
    repairs.approve(plan.id, digest=plan.digest, actor="ada")
    return work_on(plan, walks.world)


def test_nothing_is_removed_before_somebody_said_yes(walks: Walks) -> None:
    walks.world.things[f"{USER}:carl"] = {"exists": True}
    item = item_of(walks, USER, "carl")
    assert repairs.offered_actions(item) == ["connect", "remove", "ignore"]

    plan = work_on(
        repairs.draft(item.n, "remove", actor="ada", systems=walks.systems()), walks.world
    )

    assert plan.state == "draft"
    assert plan.steps.get().changes.get().change["before"] == {"exists": True}
    assert walks.world.writes == []
    with pytest.raises(Refused):
        repairs.approve(plan.id, digest="another", actor="ada")
    repairs.approve(plan.id, digest=plan.digest, actor="ada")
    repairs.approve(plan.id, digest=plan.digest, actor="ada")
    assert work_on(plan, walks.world).state == "done"
    assert walks.world.writes == [f"remove {USER}:carl"]
    item.refresh_from_db()
    assert item.ended_at is not None
    with pytest.raises(Refused):
        repairs.draft(item.n, "remove", actor="ada", systems=walks.systems())


def test_a_draft_that_nobody_approved_is_out_of_date_after_a_day(walks: Walks) -> None:
    item = item_of(walks, USER, "carl")
    plan = repairs.draft(item.n, "remove", actor="ada", systems=walks.systems())
    schedule.forget_old()
    assert work_on(plan, walks.world).state == "draft"
    Plan.objects.update(created_at=timezone.now() - timedelta(days=1, minutes=1))
    schedule.forget_old()
    assert work_on(plan, walks.world).state == "stale"
    with pytest.raises(Refused):
        repairs.approve(plan.id, digest=plan.digest, actor="ada")


def test_what_is_somebodys_by_then_is_left_alone(walks: Walks) -> None:
    carl = make_person("carl")
    walks.world.things[f"{USER}:carl"] = {"exists": True}
    item = item_of(walks, USER, "carl")
    plan = repairs.draft(item.n, "remove", actor="ada", systems=walks.systems())
    repairs.approve(plan.id, digest=plan.digest, actor="ada")
    Account.objects.create(system="sql_server", kind=USER, name="carl", person=carl)

    work_on(plan, walks.world)

    assert plan.steps.get().changes.get().state == "left_alone"
    assert walks.world.writes == []


def test_an_account_is_connected_and_that_is_taken_back(walks: Walks) -> None:
    make_person("carl")
    item = item_of(walks, USER, "carl_c")

    repairs.connect(item.n, "carl", actor="ada", systems=walks.systems())

    account = Account.objects.get(name="carl_c")
    assert (account.username, account.made_by_us) == ("carl", False)
    walks.run()
    assert walks.found() == []
    repairs.disconnect(item.n, actor="ada")
    assert not Account.objects.exists()
    events = AuditEntry.objects.filter(event__startswith="reconcile:").values_list(
        "event", flat=True
    )
    assert {"reconcile:connected", "reconcile:disconnected"} <= set(events)
    with pytest.raises(Refused):
        repairs.disconnect(item.n, actor="ada")
    walks.run()
    assert walks.found() == [("unknown_account", "carl_c")]


def test_what_is_connected_can_be_missed(walks: Walks) -> None:
    make_person("carl")
    item = item_of(walks, USER, "carl")
    repairs.connect(item.n, "carl", actor="ada", systems=walks.systems())
    Account.objects.update(created_at=timezone.now() - timedelta(days=1), seen_at=timezone.now())
    walks.holding.take("carl")
    walks.run()
    assert walks.found() == [("missing", "carl")]


@pytest.mark.parametrize(
    ("name", "more", "why"),
    [
        ("bert", {}, "others_name"),
        ("Carl", {}, "only_alike"),
        ("x1", {"sub": "s-other"}, "of_other_sub"),
        ("x1", {"username": "bert"}, "others_name"),
    ],
)
def test_nobody_is_given_what_may_be_somebody_elses(
    walks: Walks, name: str, more: dict[str, str], why: str
) -> None:
    make_person("carl", sub="s-carl")
    make_person("bert")
    walks.holding.put("identity_provider.user", "s-carl", sub="s-carl", username="carl")
    item = item_of(walks, USER, name, **more)
    with pytest.raises(Refused) as refused:
        repairs.connect(item.n, "carl", actor="ada", systems=walks.systems())
    assert refused.value.message.code == f"reconcile.{why}"


def test_an_account_that_is_not_there_is_struck_with_its_key(walks: Walks) -> None:
    anna = make_person("anna", sub="s-anna")
    walks.holding.put("identity_provider.user", "s-anna", sub="s-anna", username="anna")
    database = Component.objects.create(
        owner=anna, kind="sql_database", label="Db", name="ws_db_1", state="creating"
    )
    for name, machine in (("anna", False), ("wm_1", True)):
        Account.objects.create(
            system="sql_server", kind=USER, name=name, username="anna", person=anna,
            made_by_us=True, machine=machine,
        )  # fmt: skip
        ServiceKey.objects.create(
            owner=anna, system="sql_server", account=name, label=name,
            component=database if machine else None,
        )  # fmt: skip
    walks.run()
    item = ReconcileItem.objects.get(name="anna")
    assert repairs.offered_actions(item) == ["disconnect", "ignore"]

    repairs.disconnect(item.n, actor="ada")

    assert [row.name for row in Account.objects.filter(kind=USER)] == ["wm_1"]
    assert [row.account for row in ServiceKey.objects.all()] == ["wm_1"]
    assert AuditEntry.objects.filter(event="reconcile:disconnected", subject="anna").exists()
    with pytest.raises(Refused) as no:
        repairs.disconnect(ReconcileItem.objects.get(name="wm_1").n, actor="ada")
    assert no.value.message.code == "reconcile.of_a_key"
    walks.holding.put(USER, "wm_1")
    walks.run()
    assert walks.found() == []


def test_an_account_of_another_id_is_struck_and_is_nobodys(walks: Walks) -> None:
    anna = make_person("anna", sub="s-anna")
    walks.holding.put("identity_provider.user", "s-anna", sub="s-anna", username="anna")
    Account.objects.create(
        system="drive", kind="drive.account", name="d-1", username="anna", person=anna
    )
    item = item_of(walks, "drive.account", "d-1", sub="s-other")
    assert item.difference == "wrong_sub"

    repairs.disconnect(item.n, actor="ada")
    walks.run()

    assert walks.found() == [("unknown_account", "d-1")]


def test_a_database_that_is_not_there_is_dealt_with_where_it_is_listed(walks: Walks) -> None:
    anna = make_person("anna")
    Component.objects.create(
        owner=anna, kind="sql_database", label="Db", name="ws_db_1", state="ready"
    )
    walks.run()
    item = ReconcileItem.objects.get(name="ws_db_1")
    assert repairs.offered_actions(item) == ["ignore"]
    with pytest.raises(Refused):
        repairs.disconnect(item.n, actor="ada")


def test_there_is_one_account_per_person(walks: Walks) -> None:
    carl = make_person("carl")
    Account.objects.create(system="sql_server", kind=USER, name="carl", person=carl)
    item = item_of(walks, USER, "carl_c")
    with pytest.raises(Refused) as refused:
        repairs.connect(item.n, "carl", actor="ada", systems=walks.systems())
    assert refused.value.message.code == "reconcile.has_one"


def test_a_user_made_again_is_linked(walks: Walks) -> None:
    make_person("anna", sub="s-anna")
    item = item_of(walks, "identity_provider.user", "s-new", sub="s-new", username="anna")

    repairs.connect(item.n, "anna", actor="ada", systems=walks.systems())

    walks.run()
    assert walks.found() == []


def test_a_user_of_nobody_is_adopted(walks: Walks) -> None:
    item = item_of(
        walks, "identity_provider.user", "s-dora", sub="s-dora", username="dora", open=True
    )
    assert repairs.offered_actions(item) == ["adopt", "remove", "ignore"]

    repairs.adopt(item.n, actor="ada", systems=walks.systems())

    walks.run()
    assert walks.found() == []
    assert Account.objects.get(name="s-dora").username == "dora"


def test_ignoring_ends_on_its_day(walks: Walks) -> None:
    item = item_of(walks, USER, "carl")
    tomorrow = timezone.now() + timedelta(days=1)
    for reason, until in (("", tomorrow), ("x", timezone.now() - timedelta(days=1))):
        with pytest.raises(BadInput):
            repairs.ignore(item.n, reason=reason, until=until, actor="ada")
    repairs.ignore(item.n, reason="the reports’ own", until=tomorrow, actor="ada")
    walks.run()
    assert not open_items().exists()
    assert open_items(ignored=True).get().ignored_why == "the reports’ own"
    ReconcileItem.objects.update(ignored_until=just_over())
    assert open_items().exists()


def test_an_open_account_of_somebody_suspended_is_shut(walks: Walks) -> None:
    anna = make_person("anna")
    Account.objects.create(
        system="sql_server", kind=USER, name="anna", username="anna", person=anna, made_by_us=True
    )
    Person.objects.filter(pk=anna.pk).update(state="suspended")
    walks.world.things[f"{USER}:anna"] = {"exists": True, "locked": False}
    item = item_of(walks, USER, "anna", open=True)

    plan = started(walks, item, "shut")

    assert plan.state == "done"
    assert walks.world.things[f"{USER}:anna"]["locked"] is True
    assert Account.objects.get().locked_by_us
    item.refresh_from_db()
    assert item.ended_at is not None


def test_rights_are_brought_to_what_memberships_say(walks: Walks) -> None:
    anna, bert, carl = (make_person(name) for name in ("anna", "bert", "carl"))
    for one in (bert, carl):
        Account.objects.create(
            system="sql_server", kind=USER, name=one.username, username=one.username, person=one,
            made_by_us=True,
        )  # fmt: skip
        walks.holding.put(USER, one.username)
        walks.world.things[f"{USER}:{one.username}"] = {"exists": True}
    project = Project.objects.create(owner=anna, label="P")
    Membership.objects.create(project=project, person=bert)
    Component.objects.create(
        owner=anna, kind="sql_database", label="Db", name="ws_db_1", state="ready", project=project
    )
    walks.world.things |= {
        "sql_server.database:ws_db_1": {"exists": True},
        "sql_server.grant:ws_db_1 carl": {"use": "write"},
        "sql_server.grant:ws_db_1 dora": {"use": "write"},
    }
    walks.holding.put("sql_server.database", "ws_db_1", holders=("carl", "dora"))
    walks.run()

    for holder, what in (("bert", "give_back"), ("carl", "take"), ("dora", "take")):
        item = ReconcileItem.objects.get(holder=holder)
        assert repairs.offered_actions(item) == [what, "ignore"]
        assert started(walks, item, what).state == "done", holder
        item.refresh_from_db()
        assert item.ended_at is not None
    grants = {key for key in walks.world.things if key.startswith("sql_server.grant")}
    assert grants == {"sql_server.grant:ws_db_1 bert"}


def test_of_what_was_only_shown_no_secret_is_kept(walks: Walks) -> None:
    """A right is given back to an account whose password may be needed: a draft has it too."""
    anna, bert = make_person("anna"), make_person("bert")
    Account.objects.create(
        system="sql_server", kind=USER, name="bert", username="bert", person=bert, made_by_us=True
    )
    project = Project.objects.create(owner=anna, label="P")
    Membership.objects.create(project=project, person=bert)
    Component.objects.create(
        owner=anna, kind="sql_database", label="Db", name="ws_db_1", state="ready", project=project
    )
    walks.holding.put(USER, "bert")
    item = item_of(walks, "sql_server.database", "ws_db_1")

    def draft() -> Plan:
        return repairs.draft(item.n, "give_back", actor="ada", systems=walks.systems())

    first, second = draft(), draft()
    assert VaultEntry.objects.filter(plan=second).exists()
    assert not VaultEntry.objects.filter(plan=first).exists()
    removal = draft_removal("bert", actor="ada", systems=walks.systems())
    approve_removal(removal.id, digest=removal.digest, actor="ada", systems=walks.systems())
    second.refresh_from_db()
    assert (second.state, VaultEntry.objects.filter(plan=second).exists()) == ("superseded", False)
    with pytest.raises(Refused):
        repairs.approve(second.id, digest=second.digest, actor="ada")


def test_groups_are_brought_to_what_memberships_say(walks: Walks) -> None:
    anna, bert, carl = (make_person(name, sub=f"s-{name}") for name in ("anna", "bert", "carl"))
    for one in (anna, bert, carl):
        sub = f"s-{one.username}"
        walks.holding.put("identity_provider.user", sub, sub=sub, username=one.username)
    project = Project.objects.create(owner=anna, label="P")
    Membership.objects.create(project=project, person=bert)
    Component.objects.create(
        owner=anna, kind="knowledge_stack", label="S", name="st", state="ready", project=project,
        made_from={"groups": ["st-admin", "st-user"]},
    )  # fmt: skip
    walks.holding.put("container_manager.stack", "st")
    there = {"st-admin": ["s-anna", "s-who"], "st-user": ["s-anna", "s-carl"]}
    for group, members in there.items():
        walks.world.things[f"identity_provider.group:{group}"] = {"members": members}
        walks.holding.put("identity_provider.group", group, ours=True, holders=tuple(members))
    walks.run()

    offers = {row.holder: repairs.offered_actions(row) for row in ReconcileItem.objects.all()}
    assert offers == {
        "s-bert": ["give_back", "ignore"],
        "s-carl": ["take", "ignore"],
        "s-who": ["take", "ignore"],
    }
    for holder, (what, _) in offers.items():
        item = ReconcileItem.objects.get(holder=holder)
        assert started(walks, item, what).state == "done", holder
    assert walks.world.things["identity_provider.group:st-admin"]["members"] == ["s-anna"]
    assert walks.world.things["identity_provider.group:st-user"]["members"] == ["s-anna", "s-bert"]
