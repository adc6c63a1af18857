"""Pictures of what administrators do around people in motion: administrators, letters, owners who
leave, tokens, systems.
"""

import os
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.utils import timezone

from tests.web.pages import scenes
from tools.screenshot_scenarios.shared import DAY, ada, for_docs
from workspace_manager.access import tokens
from workspace_manager.engine import pause as pausing
from workspace_manager.letters import emails, mail_outbox
from workspace_manager.people import roles
from workspace_manager.records.models import Mail, Membership, PlanStep


def scenarios() -> list[Callable[[Any], None]]:
    return [administrators, mail, owner_leaves, keys_and_tokens, systems]


def administrators(studio: Any) -> None:
    """One active administrator, one suspended, one announced; and the removal that is refused."""
    scenes.set_up_systems()
    ada()
    scenes.person("otto", "Otto Ruhland", administrator=True, state="suspended")
    roles.make_administrator("nina", actor="ada")
    studio.everywhere("administrators", "/manage/administrators", "ada")
    for_docs(studio, "administrators", "/manage/administrators", height=760)
    for_docs(studio, "oneself", "/manage/people/ada", height=720)


def mail(studio: Any) -> None:
    """Every letter, and a mail server that is down."""
    ada()
    here, settings.BASE_URL = settings.BASE_URL, "https://workspace.example.org"
    for name in ("carla", "daniel", "mira"):
        emails.write_rejection(
            scenes.registration(name, name.title(), age=DAY, status="rejected", reason="Full.")
        )
    oldest = Mail.objects.order_by("id").first()
    assert oldest is not None
    Mail.objects.filter(id=oldest.id).update(
        attempts=3,
        trouble=mail_outbox.MailFailure.UNREACHABLE,
        next_try_at=timezone.now() + timedelta(minutes=4),
        created_at=timezone.now() - timedelta(minutes=9),
    )
    studio.everywhere("letters", "/manage/letters", "ada")
    studio.everywhere("letter", "/manage/letters/rejected", "ada")
    for_docs(studio, "letters", "/manage/letters", height=860)
    for_docs(studio, "letter", "/manage/letters/rejected?language=en", height=1130)
    for_docs(studio, "letter-de", "/manage/letters/approved?language=de", height=1080)
    settings.BASE_URL = here


def owner_leaves(studio: Any) -> None:
    """The removal of an owner whose default project others use."""
    scenes.set_up_systems()
    admin, anna = ada(), scenes.person("anna", "Anna Beispiel")
    bela, dora = scenes.person("bela", "Béla Horváth"), scenes.person("dora", "Dora Nowak")
    shared = scenes.project(anna, "Anna’s project", bela, dora, default=True)
    scenes.account(anna, "sql_server.user", "ws_anna")
    scenes.database(anna, "Letter index", project=shared)
    scenes.database(bela, "Transcriptions", project=shared)
    scenes.project(bela, "Watermarks of Augsburg", anna)
    draft = scenes.removal(anna, admin)
    page = f"/manage/plans/{draft.id}"
    for_docs(studio, "owner-preview", page, height=820)
    studio.everywhere("owner-preview", page, "ada")
    for_docs(
        studio,
        "owner-confirm",
        page,
        height=620,
        before="#confirm-title ~ form select << bela;#confirm << anna",
        below="#confirm-title",
    )
    assert Membership.objects.filter(project=shared).count() == 2


def keys_and_tokens(studio: Any) -> None:
    """Tokens, and one that was just made."""
    anna = scenes.person("anna", "Anna Beispiel")
    for name, used in (("Night import", 0.2), ("Laptop", 30)):
        token, _ = tokens.create(anna, name=name, actor="anna")
        type(token).objects.filter(id=token.id).update(last_used_at=timezone.now() - used * DAY)
    studio.everywhere("tokens", "/tokens", "anna")
    for_docs(studio, "tokens", "/tokens", "anna", height=640)
    for_docs(
        studio,
        "token-fresh",
        "/tokens",
        "anna",
        height=560,
        before="#name << Reading room terminal;main form.form button",
    )


def systems(studio: Any) -> None:
    """Paused, pinned, and tried out before saving."""
    pins = {"WORKSPACE_DRIVE__BASE_URL": "https://drive.example.org"}
    os.environ.update(pins)
    scenes.set_up_systems("identity_provider", "drive", "sql_server")
    ada()
    pausing.pause("sql_server", actor="ada", reason="Moves to the new host until noon")
    pausing.pause("drive", actor="manager", reason="the drive refused our administrator's password")
    held = scenes.person("carl", "Carl Ostrom")
    scenes.set_up_work(held)
    for_docs(studio, "systems-paused", "/manage/systems", height=760)
    for_docs(
        studio,
        "systems-test",
        "/manage/systems",
        height=900,
        before="#settings-identity_provider > summary;#id_identity_provider-url << "
        "http://127.0.0.1:9;"
        "#id_identity_provider-admin_password << of the other address;"
        "#id_identity_provider-client_secret << of the other address;"
        "#settings-identity_provider .actions .quiet",
        below="~#tested-identity_provider",
    )
    for_docs(
        studio,
        "systems-pinned",
        "/manage/systems",
        height=760,
        before="#settings-drive > summary",
        below="#drive",
    )
    for name in pins:
        del os.environ[name]
    assert PlanStep.objects.count() == 0
