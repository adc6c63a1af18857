"""Whom the checks of systems compare with what is there."""

import pytest
from django.utils import timezone

from tests.fake_world.people import make_person
from workspace_manager.contract.people import Known
from workspace_manager.core.known_people import known_people
from workspace_manager.records.models import Account, Person

pytestmark = pytest.mark.django_db


def test_everybody_who_signed_in_and_stays() -> None:
    bert = make_person("bert", sub="sub-bert")
    make_person("anna", sub="sub-anna")
    make_person("never-there", sub="")
    leaving = make_person("leaving", sub="sub-leaving")
    Person.objects.filter(pk=leaving.pk).update(state=Person.State.LEAVING)
    for name in ("one", "two"):
        Account.objects.create(
            system="drive", kind="drive.account", name=name, person=bert, username="bert"
        )
    Account.objects.filter(name="two").update(gone_at=timezone.now())
    found = known_people()
    assert [(one.username, one.sub) for one in found] == [
        ("anna", "sub-anna"),
        ("bert", "sub-bert"),
    ]
    assert [one.recorded.get("drive.account") for one in found] == [None, ("one",)]
    assert all(isinstance(one, Known) for one in found)
