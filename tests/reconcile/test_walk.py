"""A run goes on where it was killed, waits for one system alone, and its items last."""

import dataclasses
from datetime import timedelta
from typing import Any

import pytest
from django.conf import LazySettings
from django.utils import timezone

from tests.fake_world.people import make_person
from tests.reconcile.fakes import Walks, away
from workspace_manager.contract.inventory import Page
from workspace_manager.reconcile import repairs, schedule, walk
from workspace_manager.reconcile.compare import compare
from workspace_manager.records.models import (
    Account,
    Plan,
    ReconcileItem,
    ReconcileRun,
    ReconcileSeen,
    SystemStatus,
)
from workspace_manager.systems import registry

pytestmark = pytest.mark.django_db
USER = "sql_server.user"


class Killed(BaseException):
    """Nothing may catch it on the way."""


def test_a_killed_run_goes_on_at_its_page(walks: Walks, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a1", "a2", "a3", "a4", "a5"):
        walks.holding.put(USER, name)
    run = walk.begin("ada")
    read = walks.holding.page

    def killed(system: str, cursor: str) -> Page:
        if (system, cursor) == ("sql_server", "2"):
            raise Killed
        return read(system, cursor)

    monkeypatch.setattr(walks.holding, "page", killed)
    with pytest.raises(Killed):
        walk.go_on(run, walks.systems())
    assert walks.found() == [("unknown_account", "a1"), ("unknown_account", "a2")]

    monkeypatch.setattr(walks.holding, "page", read)
    walks.holding.read.clear()
    assert walk.begin("ada") == run
    assert walk.go_on(run, walks.systems())

    assert [cursor for system, cursor in walks.holding.read if system == "sql_server"] == ["2", "4"]
    assert len(walks.found()) == 5
    part = run.parts.get(system="sql_server")
    assert (part.state, part.pages, part.seen) == ("done", 3, 5)
    assert not ReconcileSeen.objects.exists()


def test_one_system_that_is_down_ends_only_its_own_part(walks: Walks) -> None:
    walks.holding.put(USER, "carl")
    walks.run()
    walks.holding.broken["sql_server"] = away
    walks.holding.put("triplestore.user", "dora")

    run = walks.run()

    part = run.parts.get(system="sql_server")
    assert (run.state, part.state, part.reason.english) == ("running", "waiting", "no answer")
    assert set(run.parts.exclude(system="sql_server").values_list("state", flat=True)) == {"done"}
    # What was seen before is not over because nobody could look.
    assert walks.found() == [("unknown_account", "carl"), ("unknown_account", "dora")]

    walks.holding.broken.clear()
    assert walk.go_on(run, walks.systems())
    assert run.state == "done"


def test_a_new_run_takes_the_place_of_one_that_only_waits(walks: Walks) -> None:
    walks.holding.broken["sql_server"] = away
    first = walks.run()
    second = walks.run()

    first.refresh_from_db()
    assert first != second
    assert (first.state, first.parts.get(system="sql_server").state) == ("done", "unread")


def test_a_paused_system_is_not_called(walks: Walks) -> None:
    SystemStatus.objects.create(system="sql_server", paused=True)
    run = walks.run()
    assert run.parts.get(system="sql_server").state == "waiting"
    assert "sql_server" not in {system for system, _ in walks.holding.read}


def test_a_system_that_cannot_say_is_named(walks: Walks, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = registry().specs["drive"]
    specs = registry().specs
    monkeypatch.setitem(specs, "drive", dataclasses.replace(spec, inventory=""))
    monkeypatch.setitem(
        specs,
        "triplestore",
        dataclasses.replace(specs["triplestore"], inventory="not.there:at_all"),
    )
    run = walks.run()
    parts = {part.system: part for part in run.parts.all()}
    assert (parts["drive"].state, parts["drive"].reason.code) == ("unread", "reconcile.cannot_say")
    assert parts["triplestore"].reason.code == "reconcile.not_loaded"
    assert run.state == "done"


def test_an_item_is_one_thing_over_many_runs(walks: Walks) -> None:
    walks.holding.put(USER, "carl", email="carl@example.org")
    walks.run()
    before = ReconcileItem.objects.get()
    walks.holding.take("carl")
    walks.holding.put(USER, "carl", email="c@example.org")

    second = walks.run()

    after = ReconcileItem.objects.get()
    assert (after.n, after.first_seen, after.email) == (
        before.n,
        before.first_seen,
        "c@example.org",
    )
    assert after.last_run == second
    walks.holding.take("carl")
    walks.run()
    after.refresh_from_db()
    assert after.ended_at is not None
    walks.holding.put(USER, "carl")
    walks.run()
    assert ReconcileItem.objects.count() == 2


def test_absence_is_believed_only_by_who_may_see_all(walks: Walks) -> None:
    walks.holding.put(USER, "carl")
    walks.run()
    walks.holding.take("carl")
    walks.world.unproven.add("sql_server")
    walks.world.broken["sql_server"] = lambda _verb: away()

    run = walks.run()

    assert run.parts.get(system="sql_server").state == "waiting"
    assert walks.found() == [("unknown_account", "carl")]


def test_what_an_open_plan_is_about_is_no_difference(walks: Walks) -> None:
    make_person("anna", sub="s-anna")
    Plan.objects.create(kind="removal", person="anna", subject="x", state="running", digest="d")
    assert walks.found() == []
    walks.run()
    assert walks.found() == []


def test_it_begins_by_itself_once_a_day(
    walks: Walks, settings: LazySettings, woken: list[object]
) -> None:
    settings.RECONCILE_HOURS = 0
    schedule.look(walks.systems())
    assert not ReconcileRun.objects.exists()
    settings.RECONCILE_HOURS = 24
    schedule.look(walks.systems())
    schedule.look(walks.systems())
    assert ReconcileRun.objects.get().state == "done"


def test_what_a_listing_skipped_and_a_look_shows_is_not_missing(walks: Walks) -> None:
    for name in ("anna", "bert"):
        person = make_person(name)
        Account.objects.create(
            system="sql_server", kind=USER, name=name, username=name, person=person,
            made_by_us=True,
        )  # fmt: skip
    walks.world.things[f"{USER}:anna"] = {"exists": True}

    walks.run()

    assert walks.found() == [("missing", "bert")]
    assert ReconcileItem.objects.get().target == {"user": "bert"}


def test_what_was_put_off_lasts_while_a_plan_works_on_it(walks: Walks) -> None:
    make_person("carl", sub="s-carl")
    walks.holding.put("identity_provider.user", "s-carl", sub="s-carl", username="carl")
    walks.holding.put(USER, "carl", username="carl")
    walks.run()
    before = ReconcileItem.objects.get()
    later = timezone.now() + timedelta(days=300)
    repairs.ignore(before.n, reason="known", until=later, actor="ada")
    plan = Plan.objects.create(kind="access.settle", person="carl", state="running")

    walks.run()
    plan.delete()
    walks.run()

    after = ReconcileItem.objects.get()
    assert (after.n, after.ended_at, after.first_seen, after.ignored_until) == (
        before.n, None, before.first_seen, later,
    )  # fmt: skip


def test_what_was_found_in_a_system_that_is_not_installed_is_over(walks: Walks) -> None:
    now = timezone.now()
    for system in ("kiln", "sql_server"):
        ReconcileItem.objects.create(
            difference="unknown_account", system=system, kind=f"{system}.user", name="old",
            first_seen=now, last_seen=now,
        )  # fmt: skip
    walks.holding.put(USER, "old")

    walks.run()

    assert list(ReconcileItem.objects.filter(ended_at=None).values_list("system", flat=True)) == [
        "sql_server"
    ]


def test_what_is_somebodys_when_it_is_written_down_is_no_difference(
    walks: Walks, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An account that is connected between the comparison of its page and its writing."""
    carl = make_person("carl")
    for name in ("carl", "dora"):
        walks.holding.put(USER, name)

    def connected_meanwhile(*asked: Any) -> Any:
        found = compare(*asked)
        Account.objects.get_or_create(
            system="sql_server", kind=USER, name="carl", username="carl", person=carl
        )
        return found

    monkeypatch.setattr(walk, "compare", connected_meanwhile)

    walks.run()

    assert walks.found() == [("unknown_account", "dora")]
