"""The transaction that ends a removal: the person's row goes, a tombstone stays, the registration is anonymised."""

from datetime import timedelta

from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.utils import timezone

from workspace_manager.lifecycle import history, letters
from workspace_manager.lifecycle.planning.journal import read
from workspace_manager.records.models import (
    Account,
    Component,
    Person,
    Plan,
    Project,
    Registration,
    ServiceKey,
    Snapshot,
    Stack,
    Tombstone,
)

GONE = "removed person"


def follow(plan: Plan) -> None:
    """Runs in the transaction that writes the plan's state; acts once, when the plan is done."""
    if plan.state != Plan.State.DONE:
        return
    person = Person.objects.filter(id=plan.subject).first()
    if person is None:
        return
    document = read(plan)
    if not plan.late_look_due_at:
        plan.late_look_state = "clean"
        plan.late_look_text = "No fence was needed: no token of this person could be out."
        plan.save(update_fields=["late_look_state", "late_look_text"])
    _leave_by_hand(plan, person)
    Tombstone.objects.create(
        username=person.username,
        sub=document.sub,
        accounts=list(Account.objects.filter(person=person).values("system", "kind", "name")),
        plan=plan.id,
        expires_at=timezone.now() + timedelta(days=settings.TOMBSTONE_DAYS),
    )
    Registration.objects.filter(username=person.username).exclude(
        status=Registration.Status.PENDING
    ).update(
        username=GONE,
        email="",
        first_name="",
        last_name="",
        sub="",
        duplicate_of="",
        reason="",
        password_hash=None,
    )
    history.note("removal:finished", person.username, actor=history.MANAGER, plan=str(plan.id))
    letters.removal_finished(plan)
    SocialAccount.objects.filter(user=person).delete()
    person.delete()


def _leave_by_hand(plan: Plan, person: Person) -> None:
    """When somebody skipped a deletion, its record goes all the same, and what it pointed to is listed."""
    leftovers = [*Component.objects.filter(owner=person), *Stack.objects.filter(owner=person)]
    for row in leftovers:
        plan.findings.append(f"Left by hand: “{row.label}” ({row.name}) in its system.")
    for project in Project.objects.filter(owner=person).exclude(ontology_project_id=""):
        plan.findings.append(
            f"Left by hand: the ontology project {project.ontology_project_id} (“{project.label}”)."
        )
    for model in (Snapshot, Component, Stack, Project, ServiceKey):
        model._default_manager.filter(owner=person).delete()
    if leftovers:
        plan.save(update_fields=["findings"])
