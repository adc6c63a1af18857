"""A check as a person on stand-ins: what it makes, finds and removes, and what becomes of it when
something comes between.
"""

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from click.testing import CliRunner
from django.apps import apps

from tests.visitors import Visitor
from workspace_manager.cli.__main__ import main
from workspace_manager.contract import slots
from workspace_manager.contract.connector import Finding, Severity
from workspace_manager.contract.passwords import new_password
from workspace_manager.contract.person_trial import USERNAME
from workspace_manager.contract.secret import Secret
from workspace_manager.core.connected_systems import AS_PERSON, is_own
from workspace_manager.core.locks import lock
from workspace_manager.core.refusal import Refused
from workspace_manager.operations import as_person, as_person_left, checks, realm
from workspace_manager.operations import settings as system_settings
from workspace_manager.reconcile.compare import compare
from workspace_manager.records.models import (
    AuditEntry,
    HealthFinding,
    Person,
    Registration,
    SystemStatus,
)
from workspace_manager.systems import registry
from workspace_manager.systems.drive.client import TokenSession
from workspace_manager.systems.identity_provider import checks_person
from workspace_manager.systems.identity_provider.checks_person_members import (
    DO_NOT_MATTER,
    ELSEWHERE,
    MEMBERS,
    Document,
)
from workspace_manager.systems.identity_provider.checks_person_token import token_findings
from workspace_manager.systems.identity_provider.connector import IdentityProvider
from workspace_manager.systems.identity_provider.messages import message
from workspace_manager.wiring import connected_systems
from workspace_sandbox.server import running
from workspace_sandbox.stand_ins.drive import DriveStandIn
from workspace_sandbox.stand_ins.identity_provider import IdentityProviderStandIn

pytestmark = pytest.mark.django_db
CANARY = "Canary.4711-of-the-Person"
LEFT = "as a person: removed"


@dataclass
class StandInPair:
    """Two stand-ins that are set up as the workspace needs them."""

    identity: IdentityProviderStandIn
    drive: DriveStandIn

    def check(self) -> list[Finding]:
        return as_person.check(connected_systems(), actor="ada")

    def break_calls(self, of: Any, **fault: Any) -> None:
        body = {"fault": "status", "status": 503, "times": 99, **fault}
        httpx.post(f"{of.control_url}/faults", json=body).raise_for_status()

    def mend(self) -> None:
        for one in (self.identity, self.drive):
            httpx.delete(f"{one.control_url}/faults").raise_for_status()

    def users(self) -> dict[str, dict[str, Any]]:
        realm = self.identity.store.realm(self.identity.realm)
        assert realm
        return {one["username"]: one for one in realm.users.values()}

    def accounts(self) -> set[str]:
        state = httpx.get(f"{self.drive.control_url}/state").json()
        return {str(one["id"]) for one in state["accounts"]}


@pytest.fixture
def stand_ins(db: None, settings: Any) -> Iterator[StandInPair]:
    settings.BASE_URL = "https://manager.example"
    identity = IdentityProviderStandIn(declared_attributes=(), admin_password="of-the-realm")
    with running(identity):
        drive = DriveStandIn(
            issuer_url=f"{identity.url}/realms/{identity.realm}",
            client_id="https://drive.example",
            admin_password="of-the-drive",
        )
        with running(drive):
            drive.state["providers"][0]["clientId"] = drive.url
            _connect(identity, drive)
            yield StandInPair(identity, drive)


def _connect(identity: IdentityProviderStandIn, drive: DriveStandIn) -> None:
    told = {
        "url": identity.url,
        "realm": identity.realm,
        "admin_username": identity.admin_username,
        "admin_password": "of-the-realm",
        "client_id": "https://manager.example",
        "client_secret": "of-the-manager",
    }
    system_settings.save("identity_provider", told, actor="ada")
    of_drive = {"base_url": drive.url, "admin_username": "admin", "admin_password": "of-the-drive"}
    system_settings.save("drive", of_drive, actor="ada")
    systems = connected_systems()
    connector = systems.identity_provider().connectors["identity_provider.realm"]
    for change in realm.needed_changes(systems, base_url="https://manager.example"):
        connector.apply(change)


def wrong(found: list[Finding]) -> list[tuple[str, str]]:
    return [(one.name, one.text) for one in found if one.severity is not Severity.OK]


def test_nothing_is_wrong_and_nothing_is_left(
    stand_ins: StandInPair, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.DEBUG)
    made: list[Secret] = []

    def remembered() -> Secret:
        made.append(Secret(CANARY))
        return made[-1]

    monkeypatch.setattr(as_person, "new_password", remembered)
    accounts, users = stand_ins.accounts(), set(stand_ins.users())
    found = stand_ins.check()
    assert wrong(found) == []
    assert {one.system for one in found} == {"identity_provider", "drive", AS_PERSON}
    assert (stand_ins.accounts(), set(stand_ins.users())) == (accounts, users)
    assert len(made) == 1
    assert as_person_left.find_traces() is None
    events = AuditEntry.objects.filter(event__startswith=AS_PERSON).order_by("id")
    assert [(one.event, one.actor) for one in events] == [
        ("as_person:made", "ada"),
        ("as_person:removed", "manager"),
    ]
    assert not Person.objects.filter(username=USERNAME).exists()
    assert not Registration.objects.exists()
    assert CANARY not in caplog.text
    assert CANARY not in str([list(model._default_manager.values()) for model in apps.get_models()])
    paths = httpx.get(f"{stand_ins.identity.control_url}/calls").text
    assert CANARY not in paths


def test_the_name_is_reserved(stand_ins: StandInPair) -> None:
    assert is_own("identity_provider.user", USERNAME.upper(), connected_systems())


@pytest.mark.parametrize(
    ("at", "method", "path"),
    [("identity", "DELETE", "/users/"), ("drive", "DELETE", "/cloud/users/")],
)
def test_what_could_not_be_removed_is_said_and_tried_again(
    stand_ins: StandInPair, at: str, method: str, path: str
) -> None:
    stand_ins.break_calls(getattr(stand_ins, at), method=method, path=path)
    left = [text for name, text in wrong(stand_ins.check()) if name == LEFT]
    assert left
    user = stand_ins.users()[USERNAME]
    assert user["enabled"] is False
    kept = as_person_left.find_traces()
    assert kept
    assert kept.sub == user["id"]
    found = wrong(checks.check_and_keep("identity_provider", connected_systems(), actor="ada"))
    assert LEFT in [name for name, _ in found]
    assert LEFT in [one.finding["name"] for one in HealthFinding.objects.filter(closed_at=None)]
    assert LEFT in [name for name, _ in wrong(stand_ins.check())], "nobody else is made meanwhile"
    stand_ins.mend()
    found = wrong(checks.check_and_keep("identity_provider", connected_systems(), actor="ada"))
    assert LEFT not in [name for name, _ in found]
    assert USERNAME not in stand_ins.users()
    assert stand_ins.accounts() == {"admin"}
    assert as_person_left.find_traces() is None


class Killed(BaseException):
    """As `kill -9`: nothing is caught, nothing done afterwards."""


@pytest.mark.parametrize("when", ["make_person", "walk_as_person"])
@pytest.mark.parametrize("database", ["kept", "lost"])
def test_a_crash_leaves_a_trace_that_the_next_check_follows(
    stand_ins: StandInPair, monkeypatch: pytest.MonkeyPatch, when: str, database: str
) -> None:
    before = getattr(IdentityProvider, when)

    def killed(*given: Any) -> Any:
        before(*given)
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(IdentityProvider, when, killed)
        patched.setattr(as_person_left, "removed", lambda *_: [])
        with pytest.raises(Killed):
            stand_ins.check()
    assert USERNAME in stand_ins.users()
    if database == "lost":
        SystemStatus.objects.filter(system=AS_PERSON).delete()
        assert wrong(stand_ins.check()) == []
    else:
        checks.findings("identity_provider", connected_systems())
    assert USERNAME not in stand_ins.users()


def test_a_user_of_somebody_is_never_taken(stand_ins: StandInPair) -> None:
    client = connected_systems().identity_provider()._users  # type: ignore[attr-defined]
    client.create_user({"username": USERNAME, "email": "real@example.org", "enabled": True})
    ((name, text),) = wrong(stand_ins.check())
    assert (name, USERNAME in text) == ("as a person: made", True)
    assert stand_ins.users()[USERNAME]["enabled"] is True


def test_one_at_a_time(stand_ins: StandInPair) -> None:
    with lock(AS_PERSON, token="of another") as held:
        assert held
        with pytest.raises(slots.Busy):
            stand_ins.check()
        as_person_left.CheckTraces().keep()
        found = checks.findings("identity_provider", connected_systems())
    assert LEFT not in [one.name for one in found], "it is under way"


def test_without_an_identity_provider_it_says_what_is_missing() -> None:
    with pytest.raises(Refused, match="not configured"):
        as_person.check(connected_systems(), actor="ada")


@pytest.mark.parametrize("administrator", ["", "nobody"])
def test_what_could_not_be_removed_is_not_made(stand_ins: StandInPair, administrator: str) -> None:
    system_settings.save("drive", {"admin_username": administrator}, actor="ada")
    found = wrong(stand_ins.check())
    assert [name for name, _ in found] == ["as a person: token"], found
    assert "could not be removed" in found[0][1]
    assert stand_ins.accounts() == {"admin"}


def test_no_comparison_sees_the_person(
    stand_ins: StandInPair, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Any] = []
    end = TokenSession.end

    def compared(self: TokenSession) -> bool:
        assert len(stand_ins.accounts()) == 2, "the account of the person is there"
        systems = connected_systems()
        for name in ("identity_provider", "drive"):
            spec = registry().specs[name]
            lister = spec.lister()
            assert lister
            page = lister(systems.by_name[name], "")
            seen.append(compare(spec, systems.settings[name], page.listed).found)
        return end(self)

    monkeypatch.setattr(TokenSession, "end", compared)
    assert wrong(stand_ins.check()) == []
    assert seen == [[], []]


def test_every_member_of_a_token_is_in_a_table(
    stand_ins: StandInPair, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What nobody judged would be silence that nobody decided."""
    opened: list[set[str]] = []
    judge = token_findings

    def noted(read: Any, expected: Any) -> Any:
        opened.extend({*one.claims, *one.header} for one in (read.access, read.identity))
        return judge(read, expected)

    monkeypatch.setattr(checks_person, "token_findings", noted)
    stand_ins.check()
    known = {one.name for one in MEMBERS} | ELSEWHERE | DO_NOT_MATTER.keys()
    assert len(opened) == 2
    assert set.union(*opened) - known == set()
    assert {one.document for one in MEMBERS} == set(Document)
    assert all(message(one.sees) and message(one.remedy, member=one.name) for one in MEMBERS)


def test_its_doors(stand_ins: StandInPair, as_administrator: Visitor, as_nobody: Visitor) -> None:
    path = "/systems/check-as-person"
    assert as_nobody.ask("POST", path).status_code == 401
    assert as_person_left.find_traces() is None
    told = as_administrator.ask("POST", path).json()
    assert (told["failing"], len(told["findings"]) > 5) == (0, True)
    assert as_administrator.post(f"/manage{path}").status_code == 302
    page = as_administrator.get("/manage/systems").content.decode()
    assert "It starts no notebook and no container" in page
    assert "Everything that the check made is gone" in page


def test_the_command_line_does_it_when_asked_or_set(stand_ins: StandInPair) -> None:
    done = "everything that the check made is gone"

    def said(*words: str) -> str:
        return " ".join(CliRunner().invoke(main, words).output.split())

    assert done in said("check", "identity_provider", "--as-person")
    assert done not in said("setup", "identity-provider")
    system_settings.save("identity_provider", {"check_as_person": "true"}, actor="ada")
    assert done not in said("setup", "identity-provider", "--dry-run")
    assert done in said("setup", "identity-provider")
    assert done not in said("check", "identity_provider")
    assert done in said("check")


def test_the_generator_is_the_one_of_all() -> None:
    assert vars(as_person)["new_password"] is new_password
