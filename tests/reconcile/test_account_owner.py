"""The owner of an account: what an administrator says is done to who was shown, or to nobody."""

import dataclasses
from datetime import timedelta

import pytest
from allauth.socialaccount.models import SocialAccount
from django.utils import timezone

from tests.fake_world.people import make_person
from tests.reconcile.fakes import Walks
from workspace_manager.contract.message import quote_words
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.lists import ListQuery
from workspace_manager.core.refusal import Refused
from workspace_manager.people.admit import Claims, admit
from workspace_manager.reconcile import repairs
from workspace_manager.reconcile.proposals import proposals
from workspace_manager.records.models import (
    AuditEntry,
    ReconcileItem,
    Registration,
    Tombstone,
    UnapprovedSignIn,
)
from workspace_manager.systems.drive.names import account_id
from workspace_manager.systems.drive.settings import Settings as DriveSettings

pytestmark = pytest.mark.django_db
IDENTITY = "identity_provider.user"


def user(walks: Walks, sub: str, name: str) -> None:
    walks.holding.put(IDENTITY, sub, sub=sub, username=name, email=f"{name}@example.org")


def item_called(name: str) -> ReconcileItem:
    return ReconcileItem.objects.get(name=name, ended_at=None)


def knocked(sub: str, name: str, why: str, **more: str) -> UnapprovedSignIn:
    return UnapprovedSignIn.objects.create(
        sub=sub, username=name, email=f"{name}@example.org", why=why, **more
    )


def test_whoever_knocked_under_another_name_is_linked_to_whom_the_comparison_found(
    walks: Walks,
) -> None:
    make_person("anna", sub="s1")
    make_person("bert", sub="s3")
    knocked("s2", "bert", "another sub")
    for sub, name in (("s1", "other"), ("s3", "bert"), ("s2", "anna")):
        user(walks, sub, name)
    walks.run()
    item = item_called("s2")
    assert (item.difference, item.username) == ("identity_recreated", "anna")

    repairs.connect(item.n, "anna", actor="ada", systems=walks.systems())

    links = SocialAccount.objects.values_list("user__username", "uid")
    assert dict(links) == {"anna": "s2", "bert": "s3"}
    noted = AuditEntry.objects.get(event="reconcile:connected")
    assert noted.subject == "anna"


def test_nobody_is_linked_who_was_not_meant(walks: Walks) -> None:
    make_person("anna", sub="s1")
    user(walks, "s2", "anna")
    walks.run()
    item = item_called("s2")
    make_person("bert", sub="s3")
    ReconcileItem.objects.filter(n=item.n).update(login_name="bert")
    with pytest.raises(Refused) as refused:
        repairs.connect(item.n, "anna", actor="ada", systems=walks.systems())
    assert refused.value.message.code == "people.not_meant"
    assert SocialAccount.objects.get(user__username="bert").uid == "s3"
    assert not UnapprovedSignIn.objects.exists()


@pytest.mark.parametrize("state", ["open", "adopted", "relinked"])
def test_a_user_of_nobody_is_approved_under_the_name_it_has_now(walks: Walks, state: str) -> None:
    knocked("s9", "oldname", "not approved", state=state)
    user(walks, "s9", "newname")
    walks.run()

    repairs.adopt(item_called("s9").n, actor="ada", systems=walks.systems())

    approved = Registration.objects.get(status="approved")
    assert (approved.username, approved.email) == ("newname", "newname@example.org")
    assert admit(Claims(sub="s9", username="newname"), admit_unregistered=False) is None


def test_whoever_was_refused_for_good_stays_outside(walks: Walks) -> None:
    knocked("s9", "oldname", "not approved", state="refused", decided_by="ada")
    user(walks, "s9", "newname")
    walks.run()
    with pytest.raises(Refused):
        repairs.adopt(item_called("s9").n, actor="ada", systems=walks.systems())
    assert UnapprovedSignIn.objects.get().state == "refused"


LONG = "our-institution-keycloak-realm-"
BERTS = "6c1f7a52-1d0e-4a43-9d0a-7c3f8e1b2a90"


@pytest.fixture
def hashed(walks: Walks, monkeypatch: pytest.MonkeyPatch) -> str:
    """The account that the drive makes of the id of bert: a hash, which shows no id."""
    real = Walks.systems

    def systems(self: Walks) -> ConnectedSystems:
        found = real(self)
        drive = DriveSettings(base_url="", oidc_username_prefix=LONG)
        return dataclasses.replace(found, settings={**found.settings, "drive": drive})

    monkeypatch.setattr(Walks, "systems", systems)
    make_person("bert", sub=BERTS)
    make_person("carl", sub="s-carl")
    for sub, name in ((BERTS, "bert"), ("s-carl", "carl")):
        user(walks, sub, name)
    walks.holding.put("drive.account", account_id(BERTS, LONG), email="carl@example.org")
    return account_id(BERTS, LONG)


def test_an_account_whose_name_is_a_hash_is_of_the_id_that_it_was_made_of(
    walks: Walks, hashed: str
) -> None:
    walks.run()
    item = item_called(hashed)
    assert (item.sub, item.username) == (BERTS, "bert")
    with pytest.raises(Refused) as refused:
        repairs.connect(item.n, "carl", actor="ada", systems=walks.systems())
    assert refused.value.message.code == "reconcile.of_other_sub"
    repairs.adopt(item.n, actor="ada", systems=walks.systems())
    walks.run()
    assert walks.found() == []


def test_also_when_its_person_is_known_only_since(walks: Walks, hashed: str) -> None:
    walks.run()
    ReconcileItem.objects.filter(name=hashed).update(sub="", username="")
    item = item_called(hashed)
    (proposed,) = proposals(walks.systems(), ListQuery())
    assert (proposed.username, proposed.by_sub) == ("bert", True)
    with pytest.raises(Refused) as refused:
        repairs.connect(item.n, "carl", actor="ada", systems=walks.systems())
    assert refused.value.message.code == "reconcile.of_other_sub"


def test_an_account_of_an_id_is_not_given_to_somebody_who_never_signed_in(walks: Walks) -> None:
    make_person("bert", sub="s-bert")
    make_person("anna")
    user(walks, "s-bert", "bert")
    walks.holding.put("drive.account", "s-bert", sub="s-bert")
    walks.run()
    item = ReconcileItem.objects.get(kind="drive.account", ended_at=None)
    with pytest.raises(Refused) as refused:
        repairs.connect(item.n, "anna", actor="ada", systems=walks.systems())
    assert refused.value.message.code == "reconcile.of_other_sub"


def test_whoever_has_the_name_of_somebody_who_left_is_not_named(walks: Walks) -> None:
    ended = timezone.now() - timedelta(days=1)
    Tombstone.objects.create(username="grace", sub="old", expires_at=ended, erased=True)
    make_person("grace", sub="s-grace")
    user(walks, "s-grace", "grace")
    walks.holding.put("triplestore.user", "grace", username="grace")
    walks.run()
    item = item_called("grace")
    assert (item.username, item.reason.code) == ("", "reconcile.left")
    assert "adopt" not in repairs.offered_actions(item)


def test_an_administrators_account_is_proposed_to_nobody_and_compared_once_it_is_somebodys(
    walks: Walks,
) -> None:
    kept = quote_words("it holds an administrative role")
    make_person("anna", sub="s-anna")
    for sub, name in (("s-anna", "anna"), ("s-boss", "boss")):
        walks.holding.put(IDENTITY, sub, sub=sub, username=name, open=False, kept=kept)
    walks.run()
    assert walks.found() == [("identity_disabled", "s-anna")]
