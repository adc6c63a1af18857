"""Snapshots of whole stacks by REST, on pages and on the command line."""

import io
import tarfile
from pathlib import Path
from typing import Any

import pytest
import zstandard
from click.testing import CliRunner
from django.test import Client

from tests.fake_world.people import make_person
from tests.fake_world.work import work
from tests.fake_world.world import World
from tests.snapshots import source
from tests.snapshots.stack_of_all import part_of
from tests.snapshots.test_doors import read_answer, signed_in
from tests.snapshots.test_stacks import take
from tests.visitors import BACKEND
from tests.web.api.documents import problem
from workspace_manager.cli.__main__ import main
from workspace_manager.records.models import (
    Component,
    Membership,
    Person,
    Plan,
    Project,
    Snapshot,
    Stack,
)
from workspace_manager.snapshots import creation
from workspace_manager.work.content_address import address_of

pytestmark = pytest.mark.django_db(transaction=True)


def typed(*words: str) -> str:
    done = CliRunner().invoke(main, ["snapshots", *words])
    assert done.exit_code == 0, done.output
    return done.output


def test_it_is_made_and_shown_by_rest(stack: Stack, owner: Person, world: World) -> None:
    visitor = signed_in(owner)
    where = f"/stacks/{stack.id}/snapshots"
    asked = visitor.ask("POST", where, {"label": "Before the exam"})
    assert asked.status_code == 202, asked.content
    said = asked.json()
    made = said["snapshot"]
    assert asked.headers["Location"].endswith(f"/snapshots/{made['id']}")
    assert made["source"] == {"type": "stack", "id": str(stack.id), "label": "Ferns", "kind": ""}
    assert (made["label"], made["state"], made["plan"]) == (
        *("Before the exam", "creating"),
        said["plan"],
    )
    again = problem(visitor.ask("POST", where), 409)
    assert again["plan"] == said["plan"]
    work(world)
    [shown] = visitor.ask("GET", "/snapshots?kind=stack").json()["items"]
    assert (shown["state"], shown["consistent"], shown["notes"]) == ("ready", True, None)
    assert visitor.ask("GET", "/snapshots?kind=sql_database").json()["items"] == []
    assert visitor.ask("GET", f"/snapshots?source={stack.id}").json()["count"] == 1
    assert visitor.ask("POST", f"/snapshots/{made['id']}/verify").json()["ok"] is True
    in_place = problem(
        visitor.ask("POST", f"/snapshots/{made['id']}/restore", {"in_place": True}), 409
    )
    assert "restore it as a new stack" in in_place["reason"]


def test_members_of_its_project_make_and_see_none(stack: Stack, owner: Person) -> None:
    stack.project = Project.objects.create(owner=owner, label="Plants")
    stack.save()
    member = make_person("carl", sub="carl-sub")
    Membership.objects.create(project=stack.project, person=member)
    visitor = signed_in(member)
    assert visitor.ask("GET", f"/stacks/{stack.id}").status_code == 200
    problem(visitor.ask("POST", f"/stacks/{stack.id}/snapshots"), 403)
    assert not Snapshot.objects.exists()


def test_it_is_made_and_restored_on_pages(stack: Stack, owner: Person, world: World) -> None:
    browser = Client()
    browser.force_login(owner, backend=BACKEND)

    def text(address: str) -> str:
        return browser.get(address).content.decode()

    page = text(f"/stacks/{stack.id}")
    assert "Create a snapshot" in page
    assert "The programs of the stack stop while a snapshot is created." in page
    Component.objects.filter(stack=stack, kind="knowledge_stack").update(stack=None)
    page = text(f"/stacks/{stack.id}")
    assert "A snapshot holds all components of the stack." in page
    assert "The programs of the stack" not in page
    Component.objects.filter(kind="knowledge_stack").update(stack=stack)
    asked = browser.post(f"/stacks/{stack.id}/snapshots", {"label": "Before the exam"})
    made = Snapshot.objects.get()
    assert asked.headers["Location"] == f"/snapshots/{made.id}"
    twice = browser.post(f"/stacks/{stack.id}/snapshots", follow=True)
    assert "is being made already" in twice.content.decode()
    database, seen = part_of(stack, "sql_database").address, []

    def write(verb: str) -> None:
        seen.append(verb)
        if seen.count("capture") == 3:
            source.CONTENT[database] = {}

    source.MEANWHILE.append(write)
    work(world)
    page = text(f"/snapshots/{made.id}")
    assert f'<a href="/stacks/{stack.id}">Ferns</a> · Stack' in page
    assert "no, parts of it are of different moments" in page
    assert f"other accounts may have written to {database}" in page
    assert f'href="/snapshots/{made.id}"' in text(f"/stacks/{stack.id}")
    assert "Before the exam" in text("/snapshots?kind=stack")
    assert "Restore as a new stack" in page
    assert "Restore in place" not in page
    asked = browser.post(f"/snapshots/{made.id}/restore", {"label": "Again"})
    again = Stack.objects.get(label="Again")
    assert asked.headers["Location"] == f"/stacks/{again.id}"
    page = text(f"/snapshots/{made.id}")
    assert "The snapshot is being restored as a new stack." in page
    assert f'href="/stacks/{again.id}"' in page
    Component.objects.filter(stack=stack).update(state=Component.State.FAILED)
    refused = browser.post(f"/stacks/{stack.id}/snapshots", follow=True)
    assert "is not ready" in refused.content.decode()


def test_it_is_made_on_the_command_line(stack: Stack, world: World) -> None:
    assert "makes the snapshot" in typed("create", str(stack.id)[:8], "--label", "Monday")
    work(world)
    assert Snapshot.objects.get().state == Snapshot.State.READY
    assert "Monday" in typed("list", "--kind", "stack")
    assert "as the stack" in typed("restore", str(Snapshot.objects.get().id)[:8], "--label", "B")
    assert Stack.objects.filter(label="B").exists()
    database = part_of(stack, "sql_database")
    assert "makes the snapshot" in typed("create", str(database.id)[:8])


def test_its_owner_downloads_an_archive_of_all_parts(
    stack: Stack, owner: Person, world: World, tmp_path: Path
) -> None:
    snapshot = take(world, stack)
    visitor = signed_in(owner)
    where = f"/snapshots/{snapshot.id}/content"
    answer: Any = visitor.ask("GET", where)
    content = read_answer(answer)
    assert answer.headers["Content-Type"] == "application/x-tar"
    assert answer.headers["Content-Disposition"].endswith('.tar"')
    assert int(answer.headers["Content-Length"]) == len(content)
    for asked, said in (
        ("bytes=0-9", content[:10]),
        ("bytes=500-1100", content[500:1101]),
        ("bytes=-2000", content[-2000:]),
    ):
        part: Any = visitor.ask("GET", where, headers={"Range": asked})
        assert (part.status_code, read_answer(part)) == (206, said), asked
    file = tmp_path / "ferns.tar"
    typed("download", str(snapshot.id), str(file))
    assert file.read_bytes() == content
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        names = archive.getnames()
        packed = archive.extractfile("sql_database/database.sql.zst")
        assert packed
        plain = zstandard.ZstdDecompressor().decompressobj().decompress(packed.read())
    assert names == [
        *("knowledge_stack/database.sql.zst", "sql_database/database.sql.zst"),
        "triplestore_repository/database.sql.zst",
    ]
    assert b"thyme" in plain


def test_the_page_of_a_knowledge_stack_says_that_its_programs_stop(
    stack: Stack, owner: Person, world: World
) -> None:
    browser, component = Client(), part_of(stack, "knowledge_stack")
    browser.force_login(owner, backend=BACKEND)
    snapshot, _ = creation.create(component, actor="alice", systems=world.systems())
    work(world)
    where = f"/snapshots/{snapshot.id}"
    page = browser.get(where).content.decode()
    assert "Its programs are stopped while the present content is kept" in page
    assert "all connections to the component end" not in page
    asked = browser.post(f"{where}/restore-in-place", {"confirm": component.label})
    assert asked.headers["Location"] == where
    work(world)
    assert not Plan.objects.filter(state__in=Plan.OPEN).exists()
    source.CONTENT[address_of(component)] = {"files": ["spoiled"]}
    assert "replaces it" in typed("restore", str(snapshot.id), "--in-place")
    work(world)
    assert source.CONTENT[address_of(component)] == {"files": ["pages"]}
    assert not [name for name in source.CONTENT if name.startswith(("stopped", "switch"))]
