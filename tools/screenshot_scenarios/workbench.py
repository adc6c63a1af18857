"""Two thousand people: the list, what is done with several, and where an administrator begins."""

import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any, Final

from django.utils import timezone

from tests.web.pages import scenes
from tests.web.pages.healthy import healthy
from tools.screenshot_scenarios.shared import ada
from workspace_manager.people.end_dates import today
from workspace_manager.records.models import Account, HealthSpan, Person, Plan, Tombstone
from workspace_manager.systems import registry

MANY: Final = 2_000
SYSTEMS: Final = (
    ("drive", "drive.account"),
    ("sql_server", "sql.user"),
    ("triplestore", "triplestore.user"),
    ("identity_provider", "identity.user"),
)
FIRST: Final = ("Anna", "Béla", "Chiara", "Dominik", "Elif", "Florence", "Gustaf", "Hedwig")
LAST: Final = ("Beispiel", "Horváth", "Rossi", "Nowak", "Yılmaz", "Nightingale", "Mahler")
GERMAN: Final = [{"wide": True, "dark": False}, {"wide": False, "dark": False}]


def scenarios() -> list[Callable[[Any], None]]:
    return [nobody_yet, two_thousand]


def nobody_yet(studio: Any) -> None:
    """A workspace on its first day."""
    ada()
    studio.everywhere("overview-empty", "/manage", "ada")


def two_thousand(studio: Any) -> None:
    """A university: some never came, some are about to end, some left."""
    scenes.set_up_systems()
    ada()
    everybody()
    studio.everywhere("overview", "/manage", "ada")
    studio.everywhere("workbench", "/manage/people", "ada", height=1000)
    asked = "/manage/people?system=drive&signed_in=yes&has_end=yes&sort=ends_at"
    studio.everywhere("workbench-filtered", asked, "ada", height=1000)
    studio.everywhere("workbench-former", "/manage/people?state=former", "ada", height=900)
    studio.everywhere("former-person", "/manage/people/left000", "ada")
    studio.everywhere("plans-filtered", "/manage/plans?stands=stuck", "ada", height=900)
    chosen = 'input[name="chosen"] >> nth=0;input[name="chosen"] >> nth=1;'
    for act in ("suspend", "letter", "end_date"):
        before = f"{chosen}#act << {act};#several button"
        studio.everywhere(f"several-{act}", "/manage/people?q=a", "ada", before=before)
    done = f"{chosen}#act << removal;#several button;button[name=confirmed]"
    studio.everywhere("several-done", "/manage/people?q=a", "ada", before=done)
    Person.objects.filter(username="ada").update(locale="de")
    studio.everywhere("overview-de", "/manage", "ada", looks=GERMAN)
    studio.everywhere("workbench-de", asked, "ada", looks=GERMAN, height=1000)


def everybody() -> None:
    """Rows alone: nothing is connected to them."""
    now, day = timezone.now(), today()
    people = [
        Person(
            username=f"{FIRST[n % 8].lower().replace('é', 'e')}.{n:04}",
            email=f"{n:04}@uni.example.org",
            first_name=FIRST[n % 8],
            last_name=LAST[n % 7],
            state="suspended" if n % 41 == 0 else "active",
            created_at=now - timedelta(days=(n * 7) % 400),
            last_sign_in=None if n % 9 == 0 else now - timedelta(hours=n),
            ends_at=day + timedelta(days=n % 200) if n % 4 == 0 else None,
        )
        for n in range(MANY)
    ]
    Person.objects.bulk_create(people)
    Account.objects.bulk_create(
        Account(system=system, kind=kind, name=one.username, person=one, username=one.username)
        for n, one in enumerate(people)
        for system, kind in SYSTEMS[: n % 5]
    )
    Tombstone.objects.bulk_create(
        Tombstone(
            username=f"left{n:03}",
            sub=str(uuid.UUID(int=n)),
            created_at=now - timedelta(days=n * 2),
            expires_at=now + timedelta(days=90 - n),
        )
        for n in range(120)
    )
    Plan.objects.bulk_create(
        Plan(
            kind="removal" if n % 3 else "suspension",
            document_text='{"steps": [], "sub": ""}',
            person=f"left{n % 120:03}",
            state="stuck" if n % 29 == 0 else "done",
            approved_at=now - timedelta(days=n % 40, hours=n % 24),
            finished_at=None if n % 29 == 0 else now - timedelta(days=max(n % 40 - n % 4, 0)),
        )
        for n in range(150)
    )
    for name in registry().names():
        healthy(name, "down" if name == "triplestore" else "up")
        HealthSpan.objects.bulk_create(
            HealthSpan(
                system=name,
                unit="day",
                begins=(now - timedelta(days=back)).replace(
                    hour=0, minute=0, second=0, microsecond=0
                ),
                up=86_400 - (40_000 if back % 17 == 0 else 0),
                down=40_000 if back % 17 == 0 else 0,
            )
            for back in range(1, 80)
        )
