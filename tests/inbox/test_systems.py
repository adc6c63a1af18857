"""Items of administrators about systems: an item is there while it is so, and gone when it has
ended.
"""

from datetime import timedelta

import pytest

from tests.inbox.reading import the_one, waits
from tests.web.pages.healthy import healthy
from workspace_manager.contract.connector import Finding, Severity
from workspace_manager.contract.message import quote_words
from workspace_manager.core.clock import database_now
from workspace_manager.engine import pause
from workspace_manager.operations import health_findings
from workspace_manager.records.models import Health, HealthFinding, Person

pytestmark = pytest.mark.django_db
FOUND = Finding(
    system="drive",
    name="administrator",
    severity=Severity.FAILING,
    text="The account is no administrator.",
    remedy="Make it one.",
)


def test_a_paused_system_until_it_is_resumed(ada: Person) -> None:
    pause.pause("drive", actor="ada", reason="moving house")
    item = the_one(ada, "system_paused")
    assert (item.subject, item.why) == ("drive", quote_words("moving house"))
    assert item.what.english == "The drive is paused."
    assert item.action.address == "/manage/systems#drive"
    pause.resume("drive", actor="ada")
    assert not waits(ada, "system_paused")


def test_a_system_that_is_down_until_it_answers(ada: Person) -> None:
    healthy("drive", "down", "it does not answer")
    item = the_one(ada, "system_down")
    assert (item.serious, item.why) == (True, quote_words("it does not answer"))
    healthy("drive", "up")
    assert not waits(ada, "system_down")


def test_nothing_is_claimed_of_a_system_at_which_nobody_looked_lately(ada: Person) -> None:
    healthy("drive", "down", "it does not answer")
    assert not waits(ada, "system_down", after=timedelta(minutes=11))
    pause.pause("drive", actor="ada", reason="moving house")
    assert not waits(ada, "system_down")


def test_a_system_in_trouble_until_it_is_well(ada: Person) -> None:
    healthy("triplestore", "degraded", "it takes 20 seconds to answer")
    assert not the_one(ada, "system_degraded").serious
    Health.objects.update(told_by=Health.Teller.CHECK)
    assert not waits(ada, "system_degraded")  # the finding waits
    Health.objects.update(told_by=Health.Teller.LOOK, state="up")
    assert not waits(ada, "system_degraded")


def test_a_failing_check_until_it_finds_nothing(ada: Person) -> None:
    warning = FOUND.model_copy(update={"severity": Severity.WARNING, "name": "old"})
    health_findings.record_findings("drive", [FOUND, warning], database_now())
    item = the_one(ada, "finding")
    assert item.what.english == "A check of the drive failed: administrator."
    assert item.why == quote_words("The account is no administrator.")
    pause.pause("drive", actor="ada", reason="moving house")
    assert not waits(ada, "finding")
    pause.resume("drive", actor="ada")
    healthy("drive", "down", "it does not answer")
    assert not waits(ada, "finding")
    healthy("drive", "degraded", "a check fails with these values.")
    assert the_one(ada, "finding").key == item.key
    health_findings.record_findings("drive", [warning], database_now())
    assert not waits(ada, "finding")


def test_a_finding_in_a_form_of_another_version_is_called_what_was_looked_for(ada: Person) -> None:
    health_findings.record_findings("drive", [FOUND], database_now())
    HealthFinding.objects.update(finding={"from": "another version"})
    item = the_one(ada, "finding")
    assert item.what.english == "A check of the drive failed: administrator."
    health_findings.record_findings("drive", [FOUND], database_now())
    assert the_one(ada, "finding").why == quote_words("The account is no administrator.")


def test_a_finding_that_comes_and_goes_is_one_thing(ada: Person) -> None:
    now = database_now()
    other = FOUND.model_copy(update={"name": "another"})
    health_findings.record_findings("drive", [FOUND, other], now)
    first, _ = waits(ada, "finding")
    health_findings.record_findings("drive", [other], now + timedelta(minutes=5))
    health_findings.record_findings("drive", [FOUND], now + timedelta(minutes=60))
    assert the_one(ada, "finding") == first
    health_findings.record_findings("drive", [FOUND, FOUND, other], now + timedelta(minutes=125))
    assert HealthFinding.objects.count() == 4, "one of the same name besides, and another later"
    assert HealthFinding.objects.filter(closed_at=None).count() == 3
