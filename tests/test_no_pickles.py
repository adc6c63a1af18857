"""Nothing of ours unpickles: no module, no setting, and no row that is kept."""

import ast
import importlib
from pathlib import Path

from django.conf import settings
from django.core.cache.backends.db import DatabaseCache
from django.core.cache.backends.filebased import FileBasedCache
from django.core.cache.backends.locmem import LocMemCache

import workspace_manager
from workspace_manager.core.signed_cache import SignedCache

PACKAGE = Path(workspace_manager.__file__).parent
UNPICKLES = {"pickle", "_pickle", "cPickle", "marshal", "shelve", "dill", "cloudpickle", "joblib"}


def test_nothing_is_configured_that_unpickles() -> None:
    assert {one["BACKEND"] for one in settings.CACHES.values()} == {
        f"{SignedCache.__module__}.{SignedCache.__name__}"
    }
    assert not issubclass(SignedCache, DatabaseCache | FileBasedCache | LocMemCache)
    for name in (settings.SESSION_SERIALIZER, settings.SESSION_ENGINE):
        assert "ickle" not in name
    engine = importlib.import_module(settings.SESSION_ENGINE)
    assert "JSON" in engine.SessionStore().serializer.__name__


def test_no_module_of_ours_unpickles() -> None:
    found = []
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            match node:
                case ast.Import():
                    names = {one.name.partition(".")[0] for one in node.names}
                case ast.ImportFrom():
                    names = {(node.module or "").partition(".")[0], *(x.name for x in node.names)}
                case ast.Attribute():
                    names = {node.attr} & {"DatabaseCache", "PickleSerializer"}
                case _:
                    continue
            if names & (UNPICKLES | {"DatabaseCache", "PickleSerializer"}):
                found.append(f"{path}:{node.lineno}")
    assert found == []
