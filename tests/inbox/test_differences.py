"""Where a system and the records disagree, until they agree or somebody says that it may be so."""

from datetime import UTC, timedelta

import pytest
from allauth.socialaccount.models import SocialAccount
from django.utils import timezone

from tests.inbox.reading import the_one, waits
from workspace_manager.core.account_link import PROVIDER
from workspace_manager.inbox import put_off
from workspace_manager.records.models import (
    Person,
    ProviderState,
    ReconcileItem,
    ReconcilePart,
    ReconcileRun,
)

pytestmark = pytest.mark.django_db


def test_who_is_gone_or_disabled_at_the_identity_provider(ada: Person, bob: Person) -> None:
    SocialAccount.objects.create(user=bob, provider=PROVIDER, uid="s-bob")
    said = ProviderState.objects.create(sub="s-bob", state=ProviderState.State.GONE)
    item = the_one(ada, "identity_gone")
    assert item.what.english == "The account of bob no longer exists at the identity provider."
    assert (item.since, item.serious) == (said.since, True)
    assert not waits(bob, "identity_gone")
    ProviderState.objects.update(state=ProviderState.State.DISABLED)
    disabled = the_one(ada, "identity_gone")
    assert disabled.what.english == "The account of bob is disabled at the identity provider."
    Person.objects.filter(pk=bob.pk).update(state=Person.State.SUSPENDED)
    assert not waits(ada, "identity_gone"), "a suspension disables"
    ProviderState.objects.update(state=ProviderState.State.GONE)
    assert the_one(ada, "identity_gone").key == item.key
    Person.objects.filter(pk=bob.pk).update(state=Person.State.LEAVING)
    assert not waits(ada, "identity_gone")


def _tomorrow() -> str:
    return (timezone.now() + timedelta(days=1)).date().isoformat()


def test_differences_of_a_system_are_one_thing(ada: Person, bob: Person) -> None:
    now = timezone.now()
    run = ReconcileRun.objects.create(started_by="ada", state=ReconcileRun.State.DONE)
    for system in ("drive", "sql_server"):
        ReconcilePart.objects.create(run=run, system=system, state=ReconcilePart.State.DONE)
    for n in range(3):
        ReconcileItem.objects.create(
            difference="unknown_account", system="drive", kind="drive.account", name=f"x{n}",
            first_seen=now - timedelta(days=n), last_seen=now,
        )  # fmt: skip
    item = the_one(ada, "drift")
    assert item.what.params["n"] == 3
    assert item.since == now - timedelta(days=2)
    assert item.action.address == "/manage/reconcile?system=drive"
    assert not waits(bob, "drift")
    put_off.put_off(ada, item.key, _tomorrow(), zone=UTC, actor="ada")
    another = ReconcileRun.objects.create(started_by="ada", state=ReconcileRun.State.DONE)
    ReconcilePart.objects.create(run=another, system="drive", state=ReconcilePart.State.DONE)
    assert not waits(ada, "drift"), "another run finds the same thing"
    put_off.take_up(ada, item.key, actor="ada")
    assert the_one(ada, "drift").key == item.key == "drift:drive"
    ReconcileItem.objects.filter(name="x2").update(ignored_until=now + timedelta(days=9))
    assert the_one(ada, "drift").what.params["n"] == 2
    ReconcileItem.objects.update(ended_at=now)
    assert not waits(ada, "drift")
