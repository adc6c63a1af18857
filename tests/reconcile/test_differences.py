"""Every difference, made for real, seen, and over once it is mended."""

import pytest

from tests.clock import just_over
from tests.fake_world.people import make_person
from tests.fake_world.world import Killed
from tests.reconcile.fakes import Walks
from workspace_manager.contract.message import quote_words
from workspace_manager.core.clock import database_now
from workspace_manager.records.models import (
    Account,
    Component,
    Membership,
    Person,
    Project,
    ReconcileItem,
    ServiceKey,
    Tombstone,
)

pytestmark = pytest.mark.django_db
USER = "identity_provider.user"
SQL_USER = "sql_server.user"
DATABASE = "sql_server.database"


def sql_account(person: Person, **more: object) -> Account:
    values = {"made_by_us": True, **more}
    return Account.objects.create(
        system="sql_server", kind=SQL_USER, name=person.username, username=person.username,
        person=person, **values,
    )  # fmt: skip


def test_a_workspace_as_it_is_recorded_has_no_difference(walks: Walks) -> None:
    anna = make_person("anna", sub="s-anna")
    sql_account(anna)
    Component.objects.create(
        owner=anna, kind="sql_database", label="Db", name="ws_db_1", state="ready"
    )
    walks.holding.put(USER, "s-anna", sub="s-anna", username="anna", open=True)
    walks.holding.put(SQL_USER, "anna", open=True)
    walks.holding.put(DATABASE, "ws_db_1", holders=("anna",))

    run = walks.run()

    assert walks.found() == []
    assert run.state == "done"
    assert set(run.parts.values_list("state", flat=True)) == {"done"}


def test_an_account_and_a_thing_of_nobody(walks: Walks) -> None:
    walks.holding.put(SQL_USER, "carl", open=True)
    walks.holding.put(DATABASE, "ws_old_1")

    walks.run()

    assert walks.found() == [("unknown_account", "carl"), ("unknown_thing", "ws_old_1")]
    walks.holding.take("carl", "ws_old_1")
    walks.run()
    assert walks.found() == []


def test_the_groups_of_a_stack_that_is_called_like_a_group_are_its_own(walks: Walks) -> None:
    anna = make_person("anna", sub="s-anna")
    walks.holding.put(USER, "s-anna", sub="s-anna", username="anna")
    Component.objects.create(
        owner=anna, kind="knowledge_stack", label="S", name="tools-user", state="creating"
    )
    for group in ("tools-user-admin", "tools-user-user", "tools-admin"):
        walks.holding.put("identity_provider.group", group, ours=True)

    walks.run()

    assert walks.found() == [("unknown_thing", "tools-admin")]


def test_what_somebody_left_behind_says_when(walks: Walks) -> None:
    Tombstone.objects.create(username="carl", expires_at=just_over())
    walks.holding.put(SQL_USER, "carl", open=True)

    walks.run()

    item = ReconcileItem.objects.get()
    assert (item.difference, item.reason.code) == ("unknown_account", "reconcile.left")


def test_an_account_of_somebodys_sub_says_whose(walks: Walks) -> None:
    make_person("anna", sub="s-anna")
    walks.holding.put(USER, "s-anna", sub="s-anna", username="anna")
    walks.holding.put("drive.account", "d-anna", sub="s-anna", email="anna@example.org")

    walks.run()

    item = ReconcileItem.objects.get()
    assert (item.difference, item.username, item.email) == (
        "unknown_account", "anna", "anna@example.org",
    )  # fmt: skip


def test_what_is_recorded_and_not_there_is_missing(walks: Walks) -> None:
    anna = make_person("anna", sub="s-anna")
    sql_account(anna)
    Component.objects.create(
        owner=anna, kind="sql_database", label="Db", name="ws_db_1", state="ready"
    )
    Component.objects.create(
        owner=anna, kind="sql_database", label="New", name="ws_db_2", state="creating"
    )
    Project.objects.create(owner=anna, label="P", ontology_project_id="0" * 36)
    walks.holding.put(USER, "s-anna", sub="s-anna", username="anna")

    walks.run()

    assert walks.found() == [("missing", "0" * 36), ("missing", "anna"), ("missing", "ws_db_1")]
    evidence = ReconcileItem.objects.get(name="anna").evidence
    assert evidence.english == "The list of everything there does not contain SQL user anna."
    walks.holding.put(SQL_USER, "anna")
    walks.holding.put(DATABASE, "ws_db_1", holders=("anna",))
    walks.holding.put("ontology_editor.project", "0" * 36)
    walks.run()
    assert walks.found() == []


def test_what_was_never_made_or_was_made_during_the_walk_is_not_missed(walks: Walks) -> None:
    anna = make_person("anna", sub="s-anna")
    sql_account(anna, made_by_us=False)
    walks.holding.put(USER, "s-anna", sub="s-anna", username="anna")
    bert = make_person("bert")

    def made_meanwhile() -> BaseException:
        del walks.holding.broken["sql_server"]
        now = database_now()
        sql_account(bert, created_at=now, seen_at=now)
        raise Killed

    walks.holding.broken["sql_server"] = made_meanwhile
    with pytest.raises(Killed):
        walks.run()
    walks.run()

    assert walks.found() == []


def test_a_user_made_again_is_one_difference(walks: Walks) -> None:
    make_person("anna", sub="s-anna")
    walks.holding.put(USER, "s-new", sub="s-new", username="anna")

    walks.run()

    assert walks.found() == [("identity_recreated", "s-new")]
    assert ReconcileItem.objects.get().username == "anna"


def test_a_user_who_is_gone_or_disabled_there(walks: Walks) -> None:
    make_person("anna", sub="s-anna")
    make_person("bert", sub="s-bert")
    walks.holding.put(USER, "s-bert", sub="s-bert", username="bert", open=False)

    walks.run()

    assert walks.found() == [("identity_disabled", "s-bert"), ("identity_gone", "s-anna")]


def test_a_drive_that_belongs_to_another_sub(walks: Walks) -> None:
    anna = make_person("anna", sub="s-anna")
    make_person("bert", sub="s-bert")
    for name in ("anna", "bert"):
        walks.holding.put(USER, f"s-{name}", sub=f"s-{name}", username=name)
    Account.objects.create(
        system="drive", kind="drive.account", name="d1", username="anna", person=anna
    )
    walks.holding.put("drive.account", "d1", sub="s-old")
    walks.holding.put("drive.account", "d2", sub="s-other", username="bert")

    walks.run()

    assert walks.found() == [("wrong_sub", "d1"), ("wrong_sub", "d2")]


def test_somebody_suspended_who_can_get_in(walks: Walks) -> None:
    anna = make_person("anna", sub="s-anna")
    sql_account(anna)
    Person.objects.filter(pk=anna.pk).update(state="suspended")
    walks.holding.put(USER, "s-anna", sub="s-anna", username="anna", open=False)
    walks.holding.put(SQL_USER, "anna", open=True)
    walks.holding.put("notebook_hub.container", "jupyter-anna", username="anna", open=True)

    walks.run()

    assert walks.found() == [
        ("open_while_suspended", "anna"),
        ("open_while_suspended", "jupyter-anna"),
    ]


def test_rights_that_nobody_shared_and_rights_that_are_lacking(walks: Walks) -> None:
    anna, bert, carl = (make_person(name) for name in ("anna", "bert", "carl"))
    for one in (anna, bert, carl):
        sql_account(one)
        walks.holding.put(SQL_USER, one.username)
    project = Project.objects.create(owner=anna, label="P")
    Membership.objects.create(project=project, person=bert)
    database = Component.objects.create(
        owner=anna, kind="sql_database", label="Db", name="ws_db_1", state="ready", project=project
    )
    ServiceKey.objects.create(
        owner=anna, system="sql_server", account="wm_a", label="k", component=database
    )
    walks.holding.put(DATABASE, "ws_db_1", holders=("anna", "carl", "dora", "root", "wm_a"))

    walks.run()

    rows = ReconcileItem.objects.order_by("difference", "holder")
    assert [(row.difference, row.holder, row.username) for row in rows] == [
        ("holder_lacks", "bert", "bert"),
        ("holder_not_shared", "carl", "carl"),
        ("holder_not_shared", "dora", ""),
    ]


def test_who_is_in_the_groups_of_a_stack_is_compared(walks: Walks) -> None:
    names = ("anna", "bert", "carl", "dora", "emil")
    anna, bert, carl, dora, emil = (make_person(name, sub=f"s-{name}") for name in names)
    for one in (anna, bert, carl, dora, emil):
        walks.holding.put(USER, f"s-{one.username}", sub=f"s-{one.username}", username=one.username)
    Account.objects.create(
        system="identity_provider", kind=USER, name="s-dora-before", username="dora", person=dora
    )
    walks.holding.put(USER, "s-dora-before", sub="s-dora-before", username="dora-before")
    project = Project.objects.create(owner=anna, label="P")
    for person, role in ((bert, "write"), (carl, "manage"), (dora, "read")):
        Membership.objects.create(project=project, person=person, role=role)
    Component.objects.create(
        owner=anna, kind="knowledge_stack", label="S", name="st", state="ready", project=project
    )
    groups = {
        "st-admin": ("s-anna", "s-bert"),
        "st-user": ("s-anna", "s-bert", "s-carl", "s-dora-before", "s-emil", "s-who"),
    }
    for group, members in groups.items():
        walks.holding.put("identity_provider.group", group, ours=True, holders=members)
    walks.holding.put("container_manager.stack", "st")

    walks.run()

    rows = ReconcileItem.objects.order_by("difference", "name", "holder")
    assert [(row.difference, row.name, row.holder, row.username) for row in rows] == [
        ("holder_lacks", "st-admin", "s-carl", "carl"),
        ("holder_lacks", "st-user", "s-dora", "dora"),
        ("holder_not_shared", "st-admin", "s-bert", "bert"),
        ("holder_not_shared", "st-user", "s-dora-before", "dora"),
        ("holder_not_shared", "st-user", "s-emil", "emil"),
        ("holder_not_shared", "st-user", "s-who", ""),
    ]


def test_what_a_system_keeps_for_itself_is_never_proposed(walks: Walks) -> None:
    walks.holding.put(SQL_USER, "root")
    walks.holding.put(SQL_USER, "reports", kept=quote_words("several people share it"))
    walks.holding.put(DATABASE, "mysql", kept=quote_words("its own"))
    walks.holding.put(USER, "s-1", sub="s-1", username="service-account-backup")

    walks.run()

    assert walks.found() == []


def test_many_are_compared_with_as_many_queries_as_few(
    walks: Walks, django_assert_max_num_queries: object
) -> None:
    walks.holding.pages = 1000
    for n in range(300):
        person = make_person(f"p{n}", sub=f"s{n}")
        sql_account(person)
        walks.holding.put(SQL_USER, f"p{n}", open=True)
        walks.holding.put(USER, f"s{n}", sub=f"s{n}", username=f"p{n}")
    with django_assert_max_num_queries(220):  # type: ignore[operator]
        walks.run()
    assert walks.found() == []
