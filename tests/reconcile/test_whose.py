"""Whose an account is: what an administrator says is done to who was shown, or to nobody."""

import pytest
from allauth.socialaccount.models import SocialAccount

from tests.fake_world.people import make_person
from tests.reconcile.fakes import Walks
from workspace_manager.core.refusal import Refused
from workspace_manager.people.admit import Claims, admit
from workspace_manager.reconcile import repairs
from workspace_manager.records.models import AuditEntry, ReconcileItem, Registration, Stranger

pytestmark = pytest.mark.django_db
IDENTITY = "identity_provider.user"


def user(walks: Walks, sub: str, name: str) -> None:
    walks.holding.put(IDENTITY, sub, sub=sub, username=name, email=f"{name}@example.org")


def item_called(name: str) -> ReconcileItem:
    return ReconcileItem.objects.get(name=name, ended_at=None)


def knocked(sub: str, name: str, why: str, **more: str) -> Stranger:
    return Stranger.objects.create(
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
    assert not Stranger.objects.exists()


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
    assert Stranger.objects.get().state == "refused"
