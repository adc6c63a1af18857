"""A role is never given by a name alone: whoever registers the name of an announced administrator
is nobody special until somebody confirms it.
"""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from tests.fake_world.identities import WorldWithIdentities
from tests.people_in_motion.people import (
    ROOT,
    administrator,
    approve_registration,
    claims,
    register,
)
from workspace_manager.core.refusal import Forbidden, Refused
from workspace_manager.people import admit, announcements, approve, roles
from workspace_manager.people.admit import Claims
from workspace_manager.people.sign_in import note_sign_in
from workspace_manager.people.withdraw import withdraw
from workspace_manager.records.models import (
    Announcement,
    AuditEntry,
    Mail,
    Person,
    Registration,
)

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def world() -> WorldWithIdentities:
    administrator()
    return WorldWithIdentities()


@pytest.fixture
def nobody() -> WorldWithIdentities:
    """A fresh installation: there is no administrator."""
    return WorldWithIdentities()


def coming(name: str, sub: str, *, confirmed: bool = False, email: str = "") -> Claims:
    plain = claims(name, sub)
    return Claims(
        sub,
        name,
        email or plain.email,
        plain.first_name,
        plain.last_name,
        plain.locale,
        plain.timezone,
        email_confirmed=confirmed,
    )


def come(who: Claims, world: WorldWithIdentities) -> Person:
    known = admit.admit(who, admit_unregistered=False)
    if known:
        note_sign_in(known, who)
    person = known or admit.enter(who, world.systems())
    person.refresh_from_db()
    return person


def test_a_stranger_who_registers_an_announced_name_is_no_administrator(
    world: WorldWithIdentities,
) -> None:
    roles.make_administrator("nina", actor=ROOT)
    person = come(coming("nina", approve_registration("nina", world).sub, confirmed=True), world)
    assert not person.is_administrator
    assert announcements.names() == ["nina"]
    # Neither by asking again (as a script would that sets everything up each night), …
    roles.make_administrator("nina", actor=ROOT)
    person.refresh_from_db()
    assert not person.is_administrator
    # … but by somebody who looked.
    roles.confirm("nina", actor=ROOT)
    person.refresh_from_db()
    assert person.is_administrator
    assert announcements.names() == []
    approval = AuditEntry.objects.get(event="registration:approved")
    assert approval.details["announced"] == "name"
    letters = " ".join(Mail.objects.values_list("text", flat=True))
    assert "another administrator confirms that it is you" in letters


def test_who_is_announced_by_name_alone_is_not_let_in_by_it(world: WorldWithIdentities) -> None:
    roles.make_administrator("nina", actor=ROOT)
    with pytest.raises(Forbidden, match="nobody has approved"):
        come(coming("nina", "s1", confirmed=True), world)


@pytest.mark.parametrize(
    ("announced_for", "comes", "becomes"),
    [
        ({"sub": "s1"}, coming("nina", "s1"), True),
        ({"sub": "s1"}, coming("nina", "s2", confirmed=True), False),
        ({"email": "Nina@Example.org"}, coming("nina", "s1", confirmed=True), True),
        ({"email": "nina@example.org"}, coming("nina", "s1"), False),
        ({"email": "x@example.org"}, coming("nina", "s1", confirmed=True), False),
        ({"sub": "s1", "email": "x@example.org"}, coming("nina", "s1"), True),
        (
            {"sub": "s2", "email": "nina@example.org"},
            coming("nina", "s1", confirmed=True),
            False,
        ),
    ],
)
def test_the_account_or_the_confirmed_address_decides(
    world: WorldWithIdentities, announced_for: dict[str, str], comes: Claims, becomes: bool
) -> None:
    roles.make_administrator("nina", actor=ROOT, **announced_for)
    Registration.objects.create(username="nina", sub=comes.sub, status="approved")
    assert come(comes, world).is_administrator is becomes
    if becomes:
        entry = AuditEntry.objects.get(event="administrator:added")
        assert entry.details["how"] in {"sub", "email"}
        assert announcements.names() == []
    else:
        with pytest.raises(Refused, match="another account or address"):
            roles.confirm("nina", actor=ROOT)


def test_an_address_that_is_confirmed_later_gives_the_role_then(
    world: WorldWithIdentities,
) -> None:
    roles.make_administrator("nina", actor=ROOT, email="nina@example.org")
    sub = approve_registration("nina", world).sub
    assert not come(coming("nina", sub), world).is_administrator
    assert not come(coming("nina", sub), world).is_administrator
    assert come(coming("nina", sub, confirmed=True), world).is_administrator


def test_an_announcement_ends(world: WorldWithIdentities, settings: Any) -> None:
    roles.make_administrator("nina", actor=ROOT, sub="s1")
    Announcement.objects.update(until=timezone.now() - timedelta(seconds=1))
    assert announcements.names() == []
    with pytest.raises(Forbidden):
        come(coming("nina", "s1"), world)
    with pytest.raises(Refused, match=r"nina is not announced .* or the announcement has expired"):
        roles.confirm("nina", actor=ROOT)
    announcements.forget_ended()
    assert not Announcement.objects.exists()
    assert AuditEntry.objects.filter(event="administrator:announcement_ended").count() == 1


def test_it_goes_with_the_registration_it_was_for(world: WorldWithIdentities) -> None:
    row = approve_registration("alice", world)
    roles.make_administrator("alice", actor=ROOT)
    withdraw(row.id, actor=ROOT, systems=world.systems())
    assert announcements.names() == []


def test_somebody_who_is_here_is_made_one_at_once_if_it_is_that_account(
    world: WorldWithIdentities,
) -> None:
    sub = approve_registration("nina", world).sub
    come(coming("nina", sub), world)
    for named in ({"sub": "somebody else"}, {"email": "nina@example.org"}):
        with pytest.raises(Refused, match="another account or address"):
            roles.make_administrator("nina", actor=ROOT, **named)
    come(coming("nina", sub, confirmed=True), world)
    roles.make_administrator("nina", actor=ROOT, email="nina@example.org")
    assert Person.objects.get(username="nina").is_administrator


# --- the first administrator of all ---------------------------------------------------------------


def test_the_first_is_whom_the_identity_provider_knew_by_that_name(
    nobody: WorldWithIdentities, settings: Any
) -> None:
    settings.FIRST_ADMINISTRATOR = "ada"
    assert come(coming("ada", "s1"), nobody).is_administrator
    settings.FIRST_ADMINISTRATOR = "eve"
    with pytest.raises(Forbidden):  # once
        come(coming("eve", "s2"), nobody)


def test_the_first_is_nobody_who_registered_the_name_here(
    nobody: WorldWithIdentities, settings: Any
) -> None:
    """Approved on the command line: who runs that confirms it, too."""
    settings.FIRST_ADMINISTRATOR = "ada"
    row = approve.approve(register("ada").id, actor="command line", systems=nobody.systems())
    person = come(coming("ada", row.sub, confirmed=True), nobody)
    assert not person.is_administrator
    assert announcements.names() == ["ada"]
    roles.confirm("ada", actor="command line")
    person.refresh_from_db()
    assert person.is_administrator


@pytest.mark.parametrize(
    ("setting", "good", "bad"),
    [
        ("FIRST_ADMINISTRATOR_SUB", coming("ada", "s1"), coming("ada", "s2", confirmed=True)),
        (
            "FIRST_ADMINISTRATOR_EMAIL",
            coming("ada", "s1", confirmed=True),
            coming("ada", "s1", confirmed=False),
        ),
        (
            "FIRST_ADMINISTRATOR_EMAIL",
            coming("ada", "s1", confirmed=True),
            coming("ada", "s1", confirmed=True, email="eve@example.org"),
        ),
    ],
)
def test_named_by_account_or_address_it_is_only_that_one(
    nobody: WorldWithIdentities, settings: Any, setting: str, good: Claims, bad: Claims
) -> None:
    settings.FIRST_ADMINISTRATOR = "ada"
    setattr(settings, setting, "s1" if setting.endswith("SUB") else "ada@example.org")
    with pytest.raises(Forbidden):
        come(bad, nobody)
    assert come(good, nobody).is_administrator
