"""The address of a webhook may hold a password to the other end: it is kept as a secret, and what
lists, documents, pages and logs show of it is where it leads to.
"""

import logging
from datetime import timedelta

import pytest
from click.testing import CliRunner
from django.conf import LazySettings
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.test import Client
from django.utils import timezone

from tests.fake_world.people import make_person
from tests.visitors import BACKEND, Visitor
from tests.webhooks.receiver import Receiver
from workspace_manager.access import tokens
from workspace_manager.audit.note import note
from workspace_manager.cli.__main__ import main
from workspace_manager.contract.secret import Secret
from workspace_manager.records.models import AuditEntry, Person, WebhookEndpoint
from workspace_manager.webhooks import endpoints, sender

CANARY = "canary-of-a-hook-pN9v3hTqk2Zb7X"
ORIGIN = "https://tools.example.org:8443"
ADDRESS = f"{ORIGIN}/hook/{CANARY}?key={CANARY}"


def rows() -> str:
    """All that the database keeps of webhooks and of what happened, as somebody reads it there."""
    found = []
    with connection.cursor() as cursor:
        for table in (WebhookEndpoint._meta.db_table, AuditEntry._meta.db_table):
            cursor.execute(f'SELECT * FROM "{table}"')
            found += [str([bytes(v) if isinstance(v, memoryview) else v for v in row])
                      for row in cursor.fetchall()]  # fmt: skip
    return "\n".join(found)


@pytest.fixture
def ada(db: None) -> Person:
    return make_person("ada", role=Person.Role.ADMINISTRATOR)


@pytest.fixture
def page(ada: Person) -> Client:
    client = Client()
    client.force_login(ada, backend=BACKEND)
    return client


@pytest.fixture
def hook(ada: Person) -> WebhookEndpoint:
    return endpoints.make(ADDRESS, label="Tools", events=["token.*"], actor="ada")[0]


def test_the_database_has_where_it_leads_and_not_the_address(hook: WebhookEndpoint) -> None:
    endpoints.change(hook.id, actor="ada", url=f"{ADDRESS}&more=1")
    assert ORIGIN in rows()
    assert CANARY not in rows()


def test_lists_documents_and_the_command_line_show_where_it_leads(
    hook: WebhookEndpoint, ada: Person
) -> None:
    scope = tokens.Scope.READ
    clear = tokens.create(ada, name="t", actor="ada", scope=scope)[1]
    reader = Visitor(headers={"Authorization": f"Bearer {clear}"})
    for address in ("/webhooks", f"/webhooks/{hook.id}", f"/webhooks/{hook.id}/deliveries"):
        answer = reader.ask("GET", address)
        assert answer.status_code == 200
        assert CANARY not in answer.content.decode()
    assert reader.ask("GET", "/webhooks").json()["items"][0]["url"] == ORIGIN
    for words, count in ((CANARY, 0), ("tools.example.org", 1)):
        assert len(reader.ask("GET", f"/webhooks?q={words}").json()["items"]) == count
    for command in (["list"], ["list", "--json"]):
        said = CliRunner().invoke(main, ["webhooks", *command])
        assert said.exit_code == 0
        assert ORIGIN in said.output
        assert CANARY not in said.output


def test_the_page_shows_it_to_whoever_asks_and_says_so(hook: WebhookEndpoint, page: Client) -> None:
    where = f"/manage/webhooks/{hook.id}"
    for shown in (page.get("/manage/webhooks"), page.get(where)):
        assert ORIGIN in shown.content.decode()
        assert CANARY not in shown.content.decode()
    assert page.get(f"{where}/reveal").status_code == 405
    assert not AuditEntry.objects.filter(event="webhook:revealed").exists()
    revealed = page.post(f"{where}/reveal")
    assert CANARY in revealed.content.decode()
    assert revealed.headers["Cache-Control"] == "no-store, private"
    entry = AuditEntry.objects.get(event="webhook:revealed")
    assert (entry.actor, entry.details["origin"]) == ("ada", ORIGIN)
    assert CANARY not in rows()


def test_what_is_left_empty_on_the_page_stays(hook: WebhookEndpoint, page: Client) -> None:
    where = f"/manage/webhooks/{hook.id}"
    assert page.post(where, {"label": "T2", "events": "*", "url": ""}).status_code == 302
    assert CANARY in page.post(f"{where}/reveal").content.decode()
    other = {"label": "T2", "events": "*", "url": "https://other.example.org/x"}
    assert page.post(where, other).status_code == 302
    hook.refresh_from_db()
    assert (hook.label, hook.origin) == ("T2", "https://other.example.org")
    assert "https://other.example.org/x" in page.post(f"{where}/reveal").content.decode()


def test_whoever_may_not_change_it_is_not_shown_it(hook: WebhookEndpoint) -> None:
    client = Client()
    client.force_login(make_person("bob"), backend=BACKEND)
    assert client.post(f"/manage/webhooks/{hook.id}/reveal").status_code == 403


def test_what_goes_wrong_says_nothing_of_it(
    receiver: Receiver, ada: Person, caplog: pytest.LogCaptureFixture, page: Client
) -> None:
    where = receiver.url.replace("/hook?key=1", f"/{CANARY}?key={CANARY}")
    hook, _ = endpoints.make(where, label="Tools", events=["token.*"], actor="ada")
    with caplog.at_level(logging.DEBUG):
        for answers in ([500], [301]):
            receiver.answers = answers
            receiver.location = f"/{CANARY}"
            note("token:created", "ada", actor="ada")
            WebhookEndpoint.objects.update(rests_until=None)
            sender.send(hook.id)
        endpoints.change(hook.id, actor="ada", url=where.replace("http:", "https:"))
        WebhookEndpoint.objects.update(rests_until=None)
        hook.deliveries.update(next_try_at=timezone.now() - timedelta(seconds=1))
        sender.send(hook.id)
        assert page.post("/manage/webhooks", {"url": f"http://x/{CANARY}"}).status_code == 422
    assert receiver.came[0].path == f"/{CANARY}?key={CANARY}", "it is sent to the whole address"
    told = "\n".join(str(one.trouble) for one in hook.deliveries.all())
    assert told
    ours = [one.getMessage() for one in caplog.records if not one.name.startswith("httpcore")]
    assert CANARY not in told + "\n".join(ours) + rows()


@pytest.mark.django_db(transaction=True)
def test_what_an_earlier_version_kept_in_clear_is_a_secret_afterwards(
    settings: LazySettings,
) -> None:
    now = MigrationExecutor(connection).loader.graph.leaf_nodes("records")
    this = next(one for one in MigrationExecutor(connection).loader.graph.nodes
                if one[1].endswith("_webhook_addresses"))  # fmt: skip
    before = MigrationExecutor(connection).loader.get_migration(*this).dependencies
    try:
        MigrationExecutor(connection).migrate(before)
        old = MigrationExecutor(connection).loader.project_state(before).apps
        old.get_model("records", "WebhookEndpoint").objects.create(
            url=ADDRESS, label="Tools", secret=Secret("whsec_x"), created_by="ada"
        )
    finally:
        MigrationExecutor(connection).migrate(now)
    hook = WebhookEndpoint.objects.get()
    assert hook.origin == ORIGIN
    assert hook.address == Secret(ADDRESS)
    assert CANARY not in rows()
