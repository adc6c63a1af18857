"""People who move: they register, are approved, sign in, work, and leave; every step through the
stories.
"""

import uuid
from typing import Any

from tests.fake_world.identities import WorldWithIdentities
from tests.fake_world.work import work
from workspace_manager.contract.secret import Secret
from workspace_manager.people import admit as first_login
from workspace_manager.people import approve
from workspace_manager.people.admit import Claims
from workspace_manager.records.models import Component, Person, Plan, Project, Registration
from workspace_manager.removal.approve import approve_removal
from workspace_manager.removal.draft import draft_removal
from workspace_manager.work import components

ROOT = "root-admin"


def administrator(name: str = ROOT) -> Person:
    """Somebody who decides."""
    person: Person = Person.objects.create_user(name, role=Person.Role.ADMINISTRATOR)
    return person


def register(name: str) -> Registration:
    """A pending row, as the form leaves it; the password's hash takes its second elsewhere."""
    return Registration.objects.create(
        username=name,
        email=f"{name}@example.org",
        first_name="A",
        last_name="B",
        password_hash=Secret("a hash"),
    )


def approve_registration(
    name: str, world: WorldWithIdentities, *, actor: str = ROOT
) -> Registration:
    return approve.approve(register(name).id, actor=actor, systems=world.systems())


def claims(name: str, sub: str) -> Claims:
    return Claims(sub, name, f"{name}@example.org", "A", "B", "en", "UTC", email_confirmed=True)


def come_in(name: str, sub: str, world: WorldWithIdentities) -> Person:
    """Sign in as the pages do: asked at the door, then let in."""
    person = first_login.admit(claims(name, sub), admit_unregistered=False)
    return person or first_login.enter(claims(name, sub), world.systems())


def settle_person(name: str, world: WorldWithIdentities) -> Person:
    """Registered, approved, signed in, with a default project that is linked."""
    person = come_in(name, approve_registration(name, world).sub, world)
    for project in Project.objects.filter(owner=person):
        project.ontology_project_id = str(uuid.uuid4())
        project.save()
    work(world)
    return person


def make(
    owner: Person, kind: str, world: WorldWithIdentities, *, project: Project | None = None
) -> Component:
    """Ask for a component; whether it is made depends on the world."""
    component, _ = components.create(
        owner, kind=kind, label="Notes", project=project, systems=world.systems()
    )
    return component


def remove(name: str, world: WorldWithIdentities, *, actor: str = ROOT, **more: Any) -> Plan:
    """Draft and approve."""
    plan = draft_removal(name, actor=actor, systems=world.systems())
    return approve_removal(
        plan.id, digest=plan.digest, actor=actor, systems=world.systems(), **more
    )
