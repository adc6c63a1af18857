"""An item that is hidden for a while is not over: nobody is told so, and its end is told once it is
seen.
"""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from tests.web.pages.healthy import healthy
from workspace_manager.contract.connector import Finding, Severity
from workspace_manager.core.clock import database_now
from workspace_manager.engine import pause
from workspace_manager.notices import choices, letters, waiting_events
from workspace_manager.operations import health_findings
from workspace_manager.records.models import (
    Health,
    Mail,
    NoticeSent,
    Person,
    Plan,
    PlanStep,
    SystemStatus,
    WaitingTold,
    WebhookDelivery,
    WebhookEndpoint,
)
from workspace_manager.webhooks import outbox

pytestmark = pytest.mark.django_db
LONG = timedelta(minutes=10)
FOUND = Finding(
    system="drive", name="mapper", severity=Severity.FAILING, text="Deleted.", remedy="Add it."
)


@pytest.fixture(autouse=True)
def webhook() -> None:
    WebhookEndpoint.objects.create(label="T", origin="https://x.org", events=["waiting.*"])


def finding() -> None:
    healthy("drive", "up")
    health_findings.record_findings("drive", [FOUND], timezone.now() - LONG)


def break_health(state: str) -> Callable[[], None]:
    def begin() -> None:
        healthy("drive", state, "it does not answer")
        Health.objects.update(since=timezone.now() - LONG)

    return begin


def plan() -> None:
    made = Plan.objects.create(kind="component.create", person="bob", state="stuck")
    made.steps.create(
        n=1, name="x", system="drive", state="stuck", cause="denied", reason="no", attempts=1,
        since=timezone.now() - LONG,
    )  # fmt: skip


def waiting_plan() -> None:
    plan()
    put(Plan, state="waiting")
    put(PlanStep, state="waiting", cause="unavailable", since=timezone.now() - 2 * LONG)


def put(table: type[Health | Plan | PlanStep], **columns: object) -> None:
    table.objects.update(**columns)


def unseen() -> None:
    put(Health, looked_at=timezone.now() - timedelta(minutes=11))


def seen_again() -> None:
    put(Health, looked_at=timezone.now())


def state(name: str) -> Callable[[], None]:
    return lambda: put(Health, state=name, looked_at=timezone.now())


def pause_drive() -> None:
    pause.pause("drive", actor="ada", reason="moving house")
    SystemStatus.objects.update(paused_at=timezone.now())


def resumed() -> None:
    pause.resume("drive", actor="ada")
    put(Health, looked_at=timezone.now())


def run_step() -> None:
    put(PlanStep, state="running")
    put(Plan, state="running")


def stuck_again() -> None:
    put(PlanStep, state="stuck")
    put(Plan, state="stuck")


def waits_again() -> None:
    put(PlanStep, state="waiting")
    put(Plan, state="waiting")


def finish_step() -> None:
    put(PlanStep, state="done")
    put(Plan, state="done")


def closed() -> None:
    health_findings.record_findings("drive", [], database_now())


CASES = {
    "a finding of a system that is down": (finding, state("down"), state("up"), closed),
    "a finding of a system that is paused": (finding, pause_drive, resumed, closed),
    "a system at which nobody looked": (break_health("down"), unseen, seen_again, state("up")),
    ", is paused at the moment.": (break_health("down"), pause_drive, resumed, state("degraded")),
    "a slow system that goes down": (
        break_health("degraded"), state("down"), state("degraded"), state("up"),
    ),
    "a step that is tried again": (plan, run_step, stuck_again, finish_step),
    "a step that waits and is tried again": (waiting_plan, run_step, waits_again, finish_step),
}  # fmt: skip


def collect_notices() -> list[str]:
    """Of the first thing: what its person and webhooks were told, in order."""
    letters.tell_everybody()
    waiting_events.tell()
    row = NoticeSent.objects.order_by("id").first()
    assert row is not None
    assert row.what is not None
    what = row.what.english
    sent = Mail.objects.filter(subject__endswith=what).order_by("created_at", "id")
    asked = WebhookDelivery.objects.filter(body__contains=f'"key": "{row.key}"')
    calls = asked.order_by("created_at", "id").values_list("type", flat=True)
    return [*sent.values_list("subject", flat=True), *calls]


@pytest.mark.parametrize(("begin", "hide", "show", "end"), CASES.values(), ids=CASES)
def test_what_is_hidden_for_a_while_is_not_over(
    ada: Person,
    begin: Callable[[], None],
    hide: Callable[[], None],
    show: Callable[[], None],
    end: Callable[[], None],
) -> None:
    begin()
    choices.choose(ada, {"plan_waiting": "at_once"})
    first = collect_notices()
    assert len(first) == 2
    hide()
    assert collect_notices() == first
    show()
    assert collect_notices() == first
    end()
    what, call = first
    over = [what, f"Resolved: {what}", call, outbox.ENDED]
    assert collect_notices() == over
    assert collect_notices() == over


def test_what_was_said_to_be_over_and_is_there_is_told_again(ada: Person) -> None:
    break_health("down")()
    first = collect_notices()
    now = timezone.now()
    NoticeSent.objects.update(ended_at=now, sent_at=now - letters.AGAIN_AFTER)
    WaitingTold.objects.update(ended_at=now)
    assert collect_notices() == [first[0], first[0], first[1], first[1]]
    assert NoticeSent.objects.get().ended_at is None
    assert WaitingTold.objects.get().ended_at is None
    assert len(collect_notices()) == 4
    state("up")()
    assert collect_notices()[2] == f"Resolved: {first[0]}"


def test_what_began_anew_is_not_over(ada: Person) -> None:
    """Webhooks are told of each time; a letter would say of what waits that it is over."""
    break_health("down")()
    first = collect_notices()
    put(Health, since=timezone.now() - timedelta(minutes=5))
    assert collect_notices() == [*first, outbox.ENDED, outbox.BEGAN]
    NoticeSent.objects.update(sent_at=timezone.now() - letters.AGAIN_AFTER)
    assert collect_notices() == [first[0], *first, outbox.ENDED, outbox.BEGAN]
    assert NoticeSent.objects.filter(ended_at=None).count() == 1


def test_who_administers_no_more_is_not_told_that_it_is_over(ada: Person) -> None:
    break_health("down")()
    first = collect_notices()
    Person.objects.filter(pk=ada.pk).update(role=Person.Role.USER)
    assert collect_notices() == first
    Person.objects.create_user("eva", role=Person.Role.ADMINISTRATOR)
    Health.objects.update(state="up")
    letters.tell(Person.objects.get(pk=ada.pk), timezone.now() + timedelta(days=1))
    assert Mail.objects.count() == 1


def test_a_finding_that_comes_and_goes_is_told_once_an_hour(ada: Person) -> None:
    healthy("drive", "up")
    began_at = timezone.now() - timedelta(minutes=90)
    for minutes in range(0, 90, 10):
        for found, at in (([FOUND], minutes), ([], minutes + 5)):
            now = began_at + timedelta(minutes=at)
            health_findings.record_findings("drive", found, now)
            letters.tell(ada, now)
    kinds = Mail.objects.order_by("created_at", "id").values_list("kind", flat=True)
    assert list(kinds) == ["notice", "notice_over", "notice", "notice_over"]
