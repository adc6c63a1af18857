"""Code that stores work has the worker woken for it, after the commit, in every process
of ours.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import transaction

from tests.fake_world.people import make_person, settle_in
from tests.fake_world.world import World
from workspace_manager.contract.errors import Denied
from workspace_manager.contract.message import quote_words
from workspace_manager.contract.secret import Secret
from workspace_manager.core import wake
from workspace_manager.drive_credentials import after_sign_in
from workspace_manager.engine import actions, pause
from workspace_manager.engine.plan import PlanDocument
from workspace_manager.engine.rows import store
from workspace_manager.letters import emails
from workspace_manager.operations import settings
from workspace_manager.people import suspend
from workspace_manager.records.models import Person, Plan, PlanStep, Registration
from workspace_manager.removal.approve import approve_removal
from workspace_manager.removal.draft import draft_removal

ENTRIES = {
    "web": "workspace_manager.web.asgi",
    "command line and worker": "workspace_manager.cli.ready",
    "demo": "workspace_sandbox.seed",
    "storm": "workspace_sandbox.storm.settle",
}
STORE = """
import importlib, json, sys
importlib.import_module(sys.argv[1])
from django.core.management import call_command
call_command("migrate", verbosity=0)
from django.db import transaction
from workspace_manager.engine.plan import PlanDocument
from workspace_manager.engine.rows import store
from workspace_manager.worker import queue
queue.flush()
with transaction.atomic():
    plan = store(PlanDocument(kind="deletion", person="mira", subject="1", steps=()), actor="mira")
    early = len(queue.pending())
late = [task.args[0] for task in queue.pending()]
print(json.dumps({"plan": str(plan.id), "early": early, "late": late}))
"""


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("entries")


@pytest.mark.parametrize("entry", ENTRIES.values(), ids=ENTRIES)
@pytest.mark.one_in(4)
def test_a_stored_plan_reaches_the_queue_after_the_commit(entry: str, database: Path) -> None:
    """In a process that begins as that entry begins."""
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(sys.path),
        "WORKSPACE_DATABASE_URL": f"sqlite:///{database / 'workspace.sqlite3'}",
        "WORKSPACE_QUEUE_URL": f"sqlite:///{database / 'queue.sqlite3'}",
        "WORKSPACE_SECRET_KEYS": "a key for tests only and only for tests",
    }
    done = subprocess.run(
        [sys.executable, "-c", STORE, entry], env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["early"] == 0
    assert told["late"] == [told["plan"]]


class WakeCalls(SimpleNamespace):
    """What somebody was woken for."""

    plans: list[Any]
    letters: int
    visits: int
    looks: list[Any]


heard = WakeCalls()


def enqueue_plan(plan_id: Any, seconds: float) -> None:
    heard.plans.append((plan_id, seconds))


def enqueue_letters() -> None:
    heard.letters += 1


def enqueue_drive_visits() -> None:
    heard.visits += 1


def enqueue_look(system: str, why: str) -> None:
    heard.looks.append((system, why))


@pytest.fixture
def bell(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> WakeCalls:
    """The hook rings here instead of in a queue."""
    heard.plans, heard.letters, heard.visits, heard.looks = [], 0, 0, []
    monkeypatch.setitem(sys.modules, "tests_wake_bell", sys.modules[__name__])
    wake.install("tests_wake_bell")
    return heard


def only(bell: WakeCalls, plan: Plan) -> bool:
    """Whether somebody was woken for this plan at once, and for nothing else."""
    found, bell.plans = bell.plans, []
    return {plan_id for plan_id, seconds in found if seconds <= 0} == {plan.id}


def test_nobody_is_woken_where_no_queue_is_known(db: None) -> None:
    with transaction.atomic():
        store(PlanDocument(kind="deletion", person="mira", subject="1", steps=()), actor="mira")


def test_what_is_rolled_back_wakes_nobody(bell: WakeCalls) -> None:
    with transaction.atomic():
        store(PlanDocument(kind="deletion", person="mira", subject="1", steps=()), actor="mira")
        transaction.set_rollback(True)
    assert bell.plans == []


def test_a_removal_wakes_at_its_preview_its_approval_and_each_decision(
    bell: WakeCalls, world: World
) -> None:
    make_person("root-admin", role="administrator")
    settle_in(make_person("alice", sub="sub-a"), "sub-a", world)
    plan = draft_removal("alice", actor="root-admin", systems=world.systems())
    assert only(bell, plan)
    plan = approve_removal(plan.id, digest=plan.digest, actor="root-admin", systems=world.systems())
    assert only(bell, plan)
    plan.steps.filter(n=5).update(state=PlanStep.State.STUCK, cause="denied")
    actions.retry(plan, 5, actor="root-admin")
    assert only(bell, plan)
    actions.skip(plan, 5, actor="root-admin", reason="kept for the archive")
    assert only(bell, plan)
    actions.by_hand(plan, 6, actor="root-admin", note="done there")
    assert only(bell, plan)


def test_a_resumed_system_wakes_what_waited_for_it(bell: WakeCalls) -> None:
    steps: list[dict[str, Any]] = [{"n": 1, "name": "drop_sql_users", "system": "sql_server"}]
    change = {"kind": "sql_server.user", "subject": "1", "target": {"user": "mira"}, "after": None}
    steps[0]["changes"] = [{"change": change}]
    document = {"kind": "deletion", "person": "mira", "subject": "1", "steps": steps}
    plan = store(PlanDocument.model_validate(document), actor="mira", state=Plan.State.RUNNING)
    plan.steps.update(state=PlanStep.State.WAITING, cause="paused")
    bell.plans.clear()
    pause.resume("sql_server", actor="root-admin")
    assert only(bell, plan)


def test_somebody_let_back_in_wakes_what_was_held(bell: WakeCalls, world: World) -> None:
    make_person("root-admin", role="administrator")
    mira = make_person("mira", sub="sub-m")
    held = store(
        PlanDocument.model_validate(
            {
                "kind": "deletion",
                "person": "mira",
                "subject": str(mira.id),
                "steps": [{"n": 1, "name": "drop_sql_users", "system": "sql_server"}],
            }
        ),
        actor="mira",
        state=Plan.State.RUNNING,
    )
    held.steps.update(state=PlanStep.State.WAITING, cause="suspended")
    Person.objects.filter(id=mira.id).update(state=Person.State.SUSPENDED)
    bell.plans.clear()
    back = suspend.resume("mira", actor="root-admin", systems=world.systems())
    assert {plan_id for plan_id, _ in bell.plans} == {held.id, back.id}


def test_a_letter_wakes_whoever_sends_it(bell: WakeCalls) -> None:
    emails.write_expiry(Registration.objects.create(username="mira", email="mira@example.org"))
    assert bell.letters == 1


def test_a_sign_in_wakes_whoever_visits_the_drive(bell: WakeCalls) -> None:
    mira = make_person("mira", sub="sub-m")
    soon = mira.created_at
    after_sign_in.request_sync(mira, Secret("a token"), soon)
    assert bell.visits == 1


def test_a_system_is_looked_at_when_something_is_learnt_of_it(
    bell: WakeCalls, world: World
) -> None:
    drive = world.systems().by_name["drive"]
    world.broken["drive"] = lambda verb: Denied(
        quote_words("no"), kind="drive.account", doing=quote_words(verb)
    )
    refusal = world.broken["drive"]("asking")
    assert isinstance(refusal, Denied)
    assert pause.pause_if_refused(drive, refusal, None)
    assert bell.looks == [("drive", wake.REFUSED), ("drive", wake.PAUSED)]
    bell.looks.clear()
    pause.resume("drive", actor="ada")
    settings.save("triplestore", {"url": "https://t.example.org"}, actor="ada")
    assert bell.looks == [("drive", wake.RESUMED), ("triplestore", wake.SETTINGS)]
    bell.looks.clear()
    wake.tell_of_trouble("sql_server")
    assert bell.looks == [("sql_server", wake.TROUBLE)]


def test_who_is_lent_something_is_looked_at_when_the_settings_of_the_lender_change(
    bell: WakeCalls,
) -> None:
    settings.save("container_manager", {"url": "https://c.example.org"}, actor="ada")
    assert sorted(bell.looks) == [
        (name, wake.SETTINGS) for name in ("container_manager", "drive", "notebook_hub")
    ]
