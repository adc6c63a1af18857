"""A credential that was refused is not sent again before it is another one; what a person paused, a
person resumes.
"""

import pytest

from tests.operations.test_health import Looked, error, it  # noqa: F401  a fixture
from workspace_manager import wiring
from workspace_manager.audit.note import MANAGER
from workspace_manager.contract.connector import ALL
from workspace_manager.contract.errors import Denied
from workspace_manager.contract.settings import SystemSettings
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.refusal import Refused
from workspace_manager.engine import pause
from workspace_manager.operations import checks, settings
from workspace_manager.operations.system_configuration import read_settings
from workspace_manager.records.credential_mark import marks_of
from workspace_manager.records.models import AuditEntry, SystemStatus

pytestmark = pytest.mark.django_db
STORED = {"url": "https://t.example.org", "admin_username": "admin", "admin_password": "canary-1"}


def _save(**values: str) -> None:
    settings.save("triplestore", values, actor="ada")


def _its() -> SystemSettings:
    return read_settings("triplestore").settings


def _is_paused() -> bool:
    return "triplestore" in pause.paused_systems()


@pytest.fixture
def refused_triplestore(db: None) -> None:
    """A triplestore that refused what is stored."""
    _save(**STORED)
    pause.pause("triplestore", actor=MANAGER, reason="it said 401", refused=_its())


@pytest.mark.parametrize(
    "again",
    [
        {"admin_password": "canary-1"},
        {"admin_username": "admin"},
        {"flavour": "auto"},
        {"url": "https://t.example.org/", "admin_password": "canary-1"},
    ],
)
def test_the_same_credential_resumes_nothing(
    refused_triplestore: None, again: dict[str, str]
) -> None:
    _save(**again)
    assert _is_paused()


@pytest.mark.parametrize(
    "another",
    [
        {"admin_password": "right"},
        {"admin_username": "root"},
        {"url": "https://u.example.org", "admin_password": "canary-1"},
    ],
)
def test_another_credential_resumes_it(refused_triplestore: None, another: dict[str, str]) -> None:
    _save(**another)
    assert not _is_paused()
    assert AuditEntry.objects.filter(event="system:resumed", actor="ada").count() == 1


def test_a_pause_from_before_marks_were_kept_ends_too(refused_triplestore: None) -> None:
    SystemStatus.objects.update(refused="")
    _save(admin_password="canary-1")
    assert _is_paused()
    _save(admin_password="right")
    assert not _is_paused()


def test_what_a_person_paused_a_person_resumes(db: None) -> None:
    _save(**STORED)
    pause.pause("triplestore", actor="ada", reason="maintenance")
    _save(admin_password="right")
    assert _is_paused()
    assert not pause.resume_if_changed("triplestore", _its(), actor=MANAGER)


def test_a_persons_word_takes_the_place_of_the_managers(refused_triplestore: None) -> None:
    pause.pause("triplestore", actor="ada", reason="maintenance")
    assert pause.paused_systems()["triplestore"].english == "maintenance"
    pause.pause("triplestore", actor=MANAGER, reason="it said 401", refused=_its())
    assert pause.paused_systems()["triplestore"].english == "maintenance"
    assert pause.refuses("triplestore", _its()), "the credential is as refused as before"
    _save(admin_password="right")
    assert _is_paused()
    assert not pause.refuses("triplestore", _its())


def test_the_credential_is_not_kept_with_its_mark(
    refused_triplestore: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    mark = SystemStatus.objects.get(system="triplestore").refused
    assert mark == marks_of(_its())[0]
    assert len(mark) == 64
    assert "canary" not in mark
    its = _its()
    monkeypatch.setattr("django.conf.settings.SECRET_KEYS", ["n" * 64, "o" * 64])
    both = marks_of(its)
    monkeypatch.setattr("django.conf.settings.SECRET_KEYS", ["o" * 64])
    assert marks_of(its) == both[1:], "a key that is exchanged makes no other credential"


def _as_configured(it: Looked) -> ConnectedSystems:  # noqa: F811
    now = read_settings("drive").settings
    return ConnectedSystems(by_name={"drive": it.drive}, settings={"drive": now})


def test_the_worker_resumes_where_a_pinned_one_is_another(
    it: Looked,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("WORKSPACE_DRIVE__ADMIN_PASSWORD", "old")
    its = read_settings("drive").settings
    monkeypatch.setattr(Looked, "systems", _as_configured)
    it.drive.credential = error(Denied, "wrong password")
    assert it.look().state == "paused"
    assert it.look(after=3600).state == "paused"
    assert it.drive.asked == ["credential"]
    it.drive.credential = None
    monkeypatch.setenv("WORKSPACE_DRIVE__ADMIN_PASSWORD", "new")
    assert read_settings("drive").settings != its
    assert it.look(after=60).state == "up"
    assert not pause.paused_systems()


def test_a_check_does_not_send_it_again(it: Looked) -> None:  # noqa: F811
    its = it.systems().settings["drive"]
    pause.pause("drive", actor=MANAGER, reason="it said 401", refused=its)
    (found,) = checks.check_and_keep("drive", it.systems(), actor="ada")
    assert it.drive.asked == []
    assert found.message is not None
    assert (found.message.code, found.hides) == ("operations.not_sent_again", ALL)
    assert "it said 401" in found.text
    pause.resume("drive", actor="ada")
    checks.check_and_keep("drive", it.systems(), actor="ada")
    assert it.drive.asked == ["check"]


def test_a_check_of_what_a_person_paused_is_made(it: Looked) -> None:  # noqa: F811
    pause.pause("drive", actor="ada", reason="maintenance")
    checks.check_and_keep("drive", it.systems(), actor="ada")
    assert it.drive.asked == ["check"]


def test_a_test_of_settings_does_not_send_it_again(refused_triplestore: None) -> None:
    with pytest.raises(Refused):
        wiring.tried_out("triplestore", {"flavour": "auto"}, actor="ada")
    assert wiring.tried_out("triplestore", {"admin_password": "right"}, actor="ada")
