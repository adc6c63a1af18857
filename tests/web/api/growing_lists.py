"""A row more in every list: what the tests of lists look through."""

import uuid
from datetime import timedelta

from allauth.socialaccount.models import SocialAccount
from django.utils import timezone

from workspace_manager.access import tokens
from workspace_manager.core.account_link import PROVIDER
from workspace_manager.records.models import (
    Account,
    Announcement,
    Component,
    Mail,
    Membership,
    MembershipRequest,
    Person,
    Project,
    ProviderState,
    ReconcileItem,
    ReconcilePart,
    ReconcileRun,
    Registration,
    ServiceKey,
    Snapshot,
    Stack,
    StackTemplate,
    TakeOver,
    Tombstone,
    UnapprovedSignIn,
    WebhookDelivery,
    WebhookEndpoint,
)
from workspace_manager.removal.draft import draft_removal
from workspace_manager.systems import registry
from workspace_manager.wiring import connected_systems
from workspace_manager.work import components, invitations

DOES_NOT_GROW = {"/systems", "/letters"}
"""Lists as long as what is installed."""


def grow(administrator: Person, project: Project, n: int) -> None:
    """One more of everything: the lists' own rows, and what is shown of them besides."""
    name, now = f"guest{n}", timezone.now()
    guest = _guest(name)
    other = Person.objects.create_user(f"other{n}", email=f"other{n}@example.org")
    Membership.objects.create(project=project, person=guest)
    MembershipRequest.objects.create(project=project, person=other)
    Person.objects.create_user(f"admin{n}", role=Person.Role.ADMINISTRATOR)
    Registration.objects.create(username=f"new{n}", email=f"new{n}@example.org")
    Announcement.objects.create(username=f"new{n}", until=now + timedelta(days=1), created_by="ada")
    UnapprovedSignIn.objects.create(
        sub=f"unknown{n}",
        username=f"who{n}",
        email=other.email,
        email_confirmed=True,
        why="same e-mail",
    )
    UnapprovedSignIn.objects.create(sub=f"again{n}", username=name, why="another sub")
    Tombstone.objects.create(username=f"gone{n}", expires_at=now + timedelta(days=1))
    own = Project.objects.create(owner=guest, label=f"Herbarium {n}")
    Membership.objects.create(project=own, person=other)
    component, _plan = components.create(
        guest, kind="sql_database", label=f"Notes {n}", project=own, systems=connected_systems()
    )
    Component.objects.filter(id=component.id).update(state=Component.State.READY)
    Stack.objects.create(owner=guest, label=f"All {n}", name=f"st-{n}", project=own)
    StackTemplate.objects.create(name=f"wiki-{n}", label=f"Wiki {n}", compose="services: {}")
    Snapshot.objects.create(
        owner=guest,
        label=f"Monday {n}",
        component=component,
        kind=component.kind,
        source_id=component.id,
        source_label=component.label,
    )
    ServiceKey.objects.create(
        owner=administrator,
        label=f"Key {n}",
        system=registry().names()[n],
        account=f"ada{n}",
    )
    invitations.invite(project, by=administrator, username=f"asked{n}")
    invitations.invite(own, by=guest, username=administrator.username)
    tokens.create(administrator, name=f"laptop {n}", actor="ada")
    run = ReconcileRun.objects.create(started_by="ada", started_at=now - timedelta(days=n + 1))
    ReconcilePart.objects.create(run=run, system="drive", state="done")
    ReconcileItem.objects.create(
        difference="unknown_account",
        system="sql_server",
        kind="sql_server.user",
        name=f"leftover{n}",
        target={"user": f"leftover{n}"},
        first_seen=now,
        last_seen=now,
    )
    WebhookEndpoint.objects.create(origin="https://tools.example.org", label=f"Tools {n}")
    told, _ = WebhookEndpoint.objects.get_or_create(label="Told", origin="https://t.example.org")
    WebhookDelivery.objects.create(endpoint=told, type="webhook.test", body="{}")
    TakeOver.objects.create(run=run.id, key=f"key{n}", confirmed_by="ada")
    Mail.objects.create(to="ada@example.org", subject=f"S {n}", person=administrator)
    draft_removal(guest.username, actor="ada", systems=connected_systems())


def _guest(name: str) -> Person:
    guest = Person.objects.create_user(
        name, email=f"{name}@example.org", first_name=name.title(), last_sign_in=timezone.now()
    )
    sub = str(uuid.uuid4())
    SocialAccount.objects.create(user=guest, provider=PROVIDER, uid=sub, extra_data={})
    now = timezone.now()
    ProviderState.objects.create(
        sub=sub, state=ProviderState.State.ENABLED, since=now, answered_at=now
    )
    Account.objects.create(
        system=PROVIDER, kind="identity_provider.user", name=sub, person=guest, username=name
    )
    return guest
