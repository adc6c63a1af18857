"""Whom checks of systems are told of."""

from typing import Any

import pytest
from django.utils import timezone

from tests.fake_world.people import make_person
from tests.pinned_settings import pin
from workspace_manager import wiring
from workspace_manager.core.known_people import known_people
from workspace_manager.records.models import Account, Person, Registration

pytestmark = pytest.mark.django_db


def test_everybody_is_known_by_all_their_names() -> None:
    make_person("ada", sub="sub-of-ada")
    Person.objects.filter(username="ada").update(
        email="ada@example.org", first_name="Ada", last_name="L"
    )
    Registration.objects.create(
        username="otto", email="otto@example.org", status=Registration.Status.APPROVED
    )
    Registration.objects.create(username="waits", status=Registration.Status.PENDING)
    ada, otto = known_people()
    assert (ada.username, ada.email, ada.full_name) == ("ada", "ada@example.org", "Ada L")
    assert ada.sub == "sub-of-ada"
    assert (otto.username, otto.email, otto.sub) == ("otto", "otto@example.org", "")


def test_who_leaves_and_what_is_recorded_is_told() -> None:
    bert = make_person("bert", sub="sub-bert")
    leaving = make_person("cleo", sub="sub-cleo")
    Person.objects.filter(pk=leaving.pk).update(state=Person.State.LEAVING)
    for name in ("one", "two"):
        Account.objects.create(
            system="drive", kind="drive.account", name=name, person=bert, username="bert"
        )
    Account.objects.filter(name="two").update(gone_at=timezone.now())
    told = [
        (one.username, one.is_leaving, one.recorded.get("drive.account")) for one in known_people()
    ]
    assert told == [("bert", False, ("one",)), ("cleo", True, None)]


def test_a_system_is_lent_them_as_they_are_when_it_asks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    address = {"url": "https://hub.example", "api_url": "https://hub.example/hub/api"}
    pin(monkeypatch, "notebook_hub", address)
    hub: Any = wiring.connected_systems().by_name["notebook_hub"]
    assert hub.people() == ()
    make_person("ada")
    assert [one.username for one in hub.people()] == ["ada"]
