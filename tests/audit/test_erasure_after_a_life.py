"""After a whole life here and a removal, no entry of the audit tells whose pseudonym it is."""

import json
import re
import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from tests.fake_world.people import make_person, settle_in
from tests.fake_world.world import World
from workspace_manager.access import tokens
from workspace_manager.accounts import keys
from workspace_manager.audit.erasure import erase_ended
from workspace_manager.audit.note import note
from workspace_manager.audit.seals import seal_waiting
from workspace_manager.audit.verify import verify
from workspace_manager.engine.run import run
from workspace_manager.people.register import RegistrationInput, register
from workspace_manager.plan_kinds import PLAN_KINDS
from workspace_manager.records.models import AuditEntry, Component, Person, Plan, Project, Tombstone
from workspace_manager.removal.approve import approve_removal
from workspace_manager.removal.draft import draft_removal
from workspace_manager.work import projects

pytestmark = pytest.mark.django_db(transaction=True)


def run_all(world: World) -> None:
    """Everything that is under way goes on until it has ended; waits are not waited for."""
    for _ in range(10):
        Plan.objects.filter(state__in=Plan.OPEN).exclude(due_at=None).update(
            due_at=timezone.now() - timedelta(seconds=1)
        )
        for plan in Plan.objects.filter(state__in=(Plan.State.RUNNING, Plan.State.WAITING)):
            run(plan.id, world.systems(), kinds=PLAN_KINDS)


def live(name: str, world: World) -> Person:
    """Ask to join, come in, make and use things."""
    asked = name.ljust(3, "x")
    register(RegistrationInput(asked, "x@example.org", "Max", "Ostrom", "Wolke 77 Zug!"))
    sub = str(uuid.uuid4())
    person = make_person(name, sub=sub)
    settle_in(person, sub, world)
    # The editor takes no mark as short as the one of a short name.
    Project.objects.filter(owner=person).update(ontology_mark=f"mark-of-{name}")
    note("registration:approved", name, actor="root-admin", sub=sub)
    Component.objects.update(state=Component.State.READY)
    for component in Component.objects.filter(owner=person):
        key, _ = keys.create(component, "Import", actor=name, systems=world.systems())
        run_all(world)
        keys.delete(key, actor="root-admin", systems=world.systems())
        keys.create(component, "Second", actor=name, systems=world.systems())
        run_all(world)
    projects.make_default(person, world.systems())
    tokens.create(person, name=f"laptop of {name}", actor=name, scope=tokens.Scope.READ)
    return person


def leave(name: str, world: World) -> None:
    plan = draft_removal(name, actor="root-admin", systems=world.systems())
    run(plan.id, world.systems(), kinds=PLAN_KINDS)
    plan.refresh_from_db()
    approve_removal(plan.id, digest=plan.digest, actor="root-admin", systems=world.systems())
    run_all(world)


@pytest.mark.parametrize("name", ["max", "an", "anna.maria"])
def test_nothing_tells_whose_pseudonym_it_is(name: str, world: World) -> None:
    live(name, world)
    leave(name, world)
    assert not Person.objects.filter(username=name).exists()
    last = max(AuditEntry.objects.values_list("id", flat=True))
    accounts = [one.details.get("account", "") for one in AuditEntry.objects.all()]
    assert any(one.startswith(f"wm_{name.replace('.', '_')}_") for one in accounts)
    seal_waiting()
    Tombstone.objects.update(expires_at=timezone.now())
    assert erase_ended(timezone.now()) == 1
    seal_waiting()
    forms = {name, name.replace(".", "_")}
    word = re.compile(rf"(?<![^\W_])(?:{'|'.join(map(re.escape, forms))})(?![^\W_])", re.IGNORECASE)
    for row in AuditEntry.objects.order_by("id"):
        said = " ".join([row.actor, row.subject, json.dumps(row.details)])
        assert not word.search(said), f"{row.event}: {said}"
    since = AuditEntry.objects.filter(id__gt=last)
    plans = {str(one.pk) for one in Plan.objects.filter(state__in=Plan.CLOSED)}
    assert plans
    assert {row.subject for row in since.filter(event="plan:noted")} == plans
    assert since.count() == len(plans) + 1
    before = AuditEntry.objects.filter(id__lte=last)
    assert not [row for row in before if plans & {row.subject, row.details.get("plan")}]
    found = verify()
    assert (found.verifies, found.plans) == (True, len(plans))
