"""Each door has one place that answers what stories raise; no view and no command catches it."""

import ast
import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.exceptions import ObjectDoesNotExist

import workspace_manager

PACKAGE = Path(workspace_manager.__file__).parent
ROOM = f"{workspace_manager.__name__}."
DOORS = ("web/pages", "web/api", "web/sign_in/views.py", "cli")
ANSWERS = {"web/pages/answers.py", "cli/output.py"}
"""REST's one place names handlers of exceptions, and catches none."""
EXEMPT: dict[str, str] = {
    "web/api/registrations.py:approve": (
        "a name that is taken at the identity provider is a state of the registration (409) here, "
        "and trouble of another system (502) everywhere else"
    ),
}
"""`file:function` of an exception that is caught elsewhere, and why."""


def files() -> list[Path]:
    found = [path for door in DOORS for path in sorted((PACKAGE / door).rglob("*.py"))]
    single = [PACKAGE / door for door in DOORS if door.endswith(".py")]
    return [path for path in [*found, *single] if name(path) not in ANSWERS]


def name(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def caught(path: Path) -> Iterator[tuple[str, type]]:
    """Each exception that a file catches, with the function that does."""
    module = importlib.import_module(ROOM + name(path).removesuffix(".py").replace("/", "."))
    tree = ast.parse(path.read_text())
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        for handler in ast.walk(function):
            if isinstance(handler, ast.ExceptHandler) and handler.type is not None:
                code = compile(ast.Expression(handler.type), str(path), "eval")
                kinds = eval(code, vars(module))
                for kind in kinds if isinstance(kinds, tuple) else (kinds,):
                    yield f"{name(path)}:{function.name}", kind


def is_ours(kind: type) -> bool:
    return kind.__module__.startswith(ROOM) or issubclass(kind, ObjectDoesNotExist)


@pytest.mark.parametrize("path", files(), ids=name)
def test_no_view_catches_what_a_story_raises(path: Path) -> None:
    assert [
        f"{where} catches {kind.__qualname__}"
        for where, kind in caught(path)
        if is_ours(kind) and where not in EXEMPT
    ] == []


def test_no_exemption_is_left_over() -> None:
    used = {where for path in files() for where, kind in caught(path) if is_ours(kind)}
    assert set(EXEMPT) <= used


def test_the_places_that_answer_catch_them() -> None:
    """Otherwise nothing above says anything."""
    for place in ANSWERS:
        assert any(is_ours(kind) for _, kind in caught(PACKAGE / place))
