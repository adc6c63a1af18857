"""Close a removal in one transaction: delete the person's row, leave a tombstone and anonymise the
registration.
"""

from datetime import timedelta

from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.db.models import Q

from workspace_manager.access.administrators import forget_announcement
from workspace_manager.audit.note import MANAGER, note
from workspace_manager.contract.message import quote_words
from workspace_manager.core.account_link import recorded_accounts
from workspace_manager.core.clock import database_now
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.engine.extras import HeadlineView
from workspace_manager.engine.headline import plain_headline as of_any_plan
from workspace_manager.engine.rows import read
from workspace_manager.engine.supersede import supersede
from workspace_manager.letters import emails
from workspace_manager.records.models import (
    Component,
    FormerLetter,
    Mail,
    Person,
    Plan,
    Project,
    ProviderState,
    Registration,
    ServiceKey,
    Snapshot,
    Stack,
    Tombstone,
    UnapprovedSignIn,
)
from workspace_manager.removal import headline
from workspace_manager.removal.build import NEVER_CAME
from workspace_manager.removal.messages import message
from workspace_manager.removal.recheck import store_rechecks
from workspace_manager.work import project_end

GONE = "removed person"
LETTERS = 500
"""The most letters that one query writes."""


def on_saved(plan: Plan, systems: ConnectedSystems) -> None:
    """Close the removal in the transaction that saves its state, once, when the plan is done."""
    if plan.state != Plan.State.DONE:
        return
    person = Person.objects.select_for_update().filter(id=plan.subject).first()
    if person is None:
        return
    document = read(plan)
    # The names are free from now on and may go to somebody else: no other plan of the person may
    # act on them.
    supersede(Plan.objects.filter(subject=plan.subject, state__in=Plan.OPEN).exclude(id=plan.id))
    _leave_by_hand(plan, person, systems)
    if document.captured.get(NEVER_CAME):
        # The registration stays listed as withdrawn, without the name.
        forget_announcement(person.username)
    else:
        _bar_name(plan, person, document.sub)
    # Stored last: they have no subject, so that superseding the person's plans does not reach them.
    store_rechecks(plan)
    note("removal:finished", person.username, actor=MANAGER, plan=str(plan.id))
    first = _headline(plan)
    left_over = first.state not in {headline.DONE, headline.UNTIL}
    emails.removal_finished(plan, first.text_message or quote_words(first.text), open_=left_over)
    links = SocialAccount.objects.filter(user=person)
    ProviderState.objects.filter(sub__in=links.values("uid")).delete()
    links.delete()
    recorded_accounts(person).delete()
    person.delete()


def _headline(plan: Plan) -> HeadlineView:
    """Return the headline that pages, REST, command line and letters show from now on."""
    plan.subject_is_here = False
    steps = list(plan.steps.order_by("n").prefetch_related("changes"))
    return headline.extras(plan, steps).headline or of_any_plan(plan, steps)


def _bar_name(plan: Plan, person: Person, sub: str) -> None:
    tombstone = Tombstone.objects.create(
        username=person.username,
        sub=sub,
        accounts=list(recorded_accounts(person).values("system", "kind", "name")),
        plan=plan.id,
        expires_at=database_now() + timedelta(days=settings.TOMBSTONE_DAYS),
    )
    _keep_letters(tombstone, person)
    _anonymise(person, sub)


def _keep_letters(tombstone: Tombstone, person: Person) -> None:
    """Keep the record of letters for as long as the tombstone, those of earlier registrations too;
    these stay without a name.
    """
    asked = Registration.objects.filter(username=person.username, email__iexact=person.email)
    theirs = Mail.objects.filter(Q(person=person) | Q(person=None, registration__in=asked))
    rows = theirs.values("kind", "created_at", "sent_at").iterator(LETTERS)
    FormerLetter.objects.bulk_create(
        (FormerLetter(tombstone=tombstone, **row) for row in rows), batch_size=LETTERS
    )
    theirs.filter(sent_at__isnull=False).delete()


def _anonymise(person: Person, sub: str) -> None:
    """Anonymise the person's registration; one that waits under that name is somebody else's and
    stays.
    """
    theirs = Q(username=person.username) | (Q(sub=sub) if sub else Q(pk=None))
    Registration.objects.filter(theirs).exclude(status=Registration.Status.PENDING).update(
        username=GONE,
        email="",
        first_name="",
        last_name="",
        sub="",
        duplicate_of="",
        reason="",
        confirmation="",
        password_hash=None,
    )
    UnapprovedSignIn.objects.filter(theirs).delete()
    forget_announcement(person.username)


def _leave_by_hand(plan: Plan, person: Person, systems: ConnectedSystems) -> None:
    """List what a skipped deletion leaves: its record is deleted all the same."""
    made = [*Component.objects.filter(owner=person), *Stack.objects.filter(owner=person)]
    found = [message("left_component", label=row.label, name=row.name) for row in made]
    projects = list(Project.objects.select_for_update().filter(owner=person).order_by("id"))
    for project in projects:
        if project.ontology_project_id:
            found.append(
                message("left_project", id=project.ontology_project_id, label=project.label)
            )
        project_end.end_project(project, actor=MANAGER, systems=systems)
    for model in (Snapshot, Component, Stack, Project, ServiceKey):
        model._default_manager.filter(owner=person).delete()
    if found:
        plan.findings = [*plan.findings, *found]
        plan.save(update_fields=["findings"])
