"""Nothing of ours unpickles: no module, no setting, and no row that is kept."""

import ast
import base64
import importlib
import pickle
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.sessions.serializers import JSONSerializer
from django.core import signing
from django.core.cache.backends.db import DatabaseCache
from django.core.cache.backends.filebased import FileBasedCache
from django.core.cache.backends.locmem import LocMemCache
from huey import serializer as of_huey

from tests.pickles import RAN, Attack, is_pickle
from workspace_manager import worker
from workspace_manager.core.signed_cache import SignedCache
from workspace_manager.core.signed_tasks import SignedTasks
from workspace_manager.task_queue import open_queue

ROOT = Path(__file__).parents[1]
CODE = (
    ROOT / "src",
    ROOT / "sandbox" / "src",
    ROOT / "deploy",
)
UNPICKLES = {"pickle", "_pickle", "cPickle", "marshal", "shelve", "dill", "cloudpickle", "joblib"}
WITH_ONE_INSIDE = {"DatabaseCache", "PickleSerializer", "Serializer", "SignedSerializer"}
"""Of Django and of Huey."""


def test_nothing_is_configured_that_unpickles() -> None:
    assert {one["BACKEND"] for one in settings.CACHES.values()} == {
        f"{SignedCache.__module__}.{SignedCache.__name__}"
    }
    assert not issubclass(SignedCache, DatabaseCache | FileBasedCache | LocMemCache)
    for name in (settings.SESSION_SERIALIZER, settings.SESSION_ENGINE):
        assert "ickle" not in name
    engine = importlib.import_module(settings.SESSION_ENGINE)
    assert engine.SessionStore().serializer in {JSONSerializer, signing.JSONSerializer}
    assert type(worker.queue.serializer) is SignedTasks
    assert not issubclass(SignedTasks, of_huey.Serializer)


def imported(node: ast.AST) -> set[str]:
    """The names of modules and of what comes from them."""
    match node:
        case ast.Import():
            return {part for one in node.names for part in one.name.split(".")}
        case ast.ImportFrom():
            return {*(node.module or "").split("."), *(one.name for one in node.names)}
        case ast.Attribute():
            return {node.attr}
    return set()


def unpickling(source: str) -> Iterator[int]:
    """The lines that name what unpickles."""
    for node in ast.walk(ast.parse(source)):
        if imported(node) & (UNPICKLES | WITH_ONE_INSIDE):
            yield getattr(node, "lineno", 0)


def test_no_module_of_ours_unpickles() -> None:
    found = {
        f"{path}:{line}"
        for folder in CODE
        for path in folder.rglob("*.py")
        for line in unpickling(path.read_text())
    }
    assert found == set()


@pytest.mark.parametrize(
    "source",
    [
        "import pickle",
        "import os, _pickle as p",
        "from pickle import loads",
        "from django.core.cache.backends.db import DatabaseCache",
        "from huey.serializer import SignedSerializer as S",
        "from django.core.cache.backends import db; db.DatabaseCache",
        "import huey; huey.serializer.pickle.loads",
    ],
)
def test_one_that_did_would_be_found(source: str) -> None:
    assert list(unpickling(source))


def test_a_task_passes_the_queue_without_a_pickle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever Huey does on its way from who asks to who has done it."""
    monkeypatch.setattr("workspace_manager.task_queue.close_old_connections", lambda: None)
    monkeypatch.setattr(of_huey, "pickle", None)
    queue, done = open_queue(f"sqlite:///{tmp_path / 'queue.sqlite3'}"), list[int]()
    note = queue.task(name="note")(done.append)
    note(1)
    note.schedule((2,), delay=0.001)
    queue.execute(queue.dequeue())
    while not done[1:]:
        for task in queue.read_schedule():
            queue.execute(task)
    assert done == [1, 2]


def test_an_attack_that_is_unpickled_is_seen() -> None:
    assert RAN == []
    pickle.loads(pickle.dumps(Attack()))
    assert RAN == ["ran"]
    RAN.clear()


def test_a_row_that_is_a_pickle_would_be_found() -> None:
    made = pickle.dumps({"a": [1]})
    ours = SignedTasks().serialize(worker.queue._registry.create_message(worker.sweep.s()))
    for pickled in (
        made,
        pickle.dumps((1,), protocol=2),
        base64.b64encode(made).decode(),
        base64.urlsafe_b64encode(made).rstrip(b"="),
        b"0" * 64 + b":" + made,
        "0" * 64 + ":" + base64.b64encode(made).decode(),
        of_huey.SignedSerializer(secret="s").serialize((1,)),
    ):
        assert is_pickle(pickled), pickled
    for other in (None, 7, "", b"", b"\x80", "text", "gAAAAAB", ours, ours.decode(), "a:b"):
        assert not is_pickle(other), other
