"""Properties of a kind of plan are asked of its value; nothing compares with its name."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.utils import translation

import workspace_manager
from workspace_manager.operations.realm import SET_UP
from workspace_manager.plan_kinds import PLAN_KINDS, names_person, names_realm, removes_person
from workspace_manager.reconcile.plan import REPAIR
from workspace_manager.records.models import Plan
from workspace_manager.removal.kind import REMOVAL
from workspace_manager.web.pages import plan_labels

PACKAGE = Path(workspace_manager.__file__).parent
IN_TEMPLATE = re.compile(r"(?:==|!=|\bin)\s*(['\"])(?P<text>[^'\"]*)\1")


@pytest.mark.parametrize("name", sorted(PLAN_KINDS))
def test_doors_ask_the_kind(name: str) -> None:
    plan = Plan(kind=name)
    assert removes_person(plan) is (name == REMOVAL.name)
    assert names_person(plan) is (name not in {SET_UP.name, REPAIR.name})
    assert names_realm(plan) is (name == SET_UP.name)


@pytest.mark.parametrize("name", sorted(PLAN_KINDS))
def test_pages_call_a_kind_by_words_in_both_languages(name: str) -> None:
    english, german = plan_labels.plan(name), ""
    with translation.override("de"):
        german = plan_labels.plan(name)
    assert english != german
    assert name.replace(".", " ") not in {english, german}
    assert english == PLAN_KINDS[name].label.english
    assert PLAN_KINDS[name].label.code == f"inbox.plan.{name}", "stored messages name it"


def test_a_kind_that_is_no_more_is_a_plain_plan_of_a_person() -> None:
    plan = Plan(kind="of an older version")
    assert (removes_person(plan), names_person(plan)) == (False, True)


def test_no_code_compares_with_a_name() -> None:
    found = [
        f"{path.relative_to(PACKAGE)}:{line}"
        for path in PACKAGE.rglob("*.py")
        for line, text in _compared(ast.parse(path.read_text()))
        if text in PLAN_KINDS
    ]
    assert found == []


def test_no_template_compares_with_a_name() -> None:
    found = [
        f"{path.relative_to(PACKAGE)}: {match[0]}"
        for path in PACKAGE.rglob("*.html")
        for match in IN_TEMPLATE.finditer(path.read_text())
        if set(match["text"].split()) & set(PLAN_KINDS)
    ]
    assert found == []


def _compared(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """The texts that something is compared with, alone or in a collection, or that rows are
    chosen by.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            sides: list[ast.expr] = [node.left, *node.comparators]
        elif isinstance(node, ast.match_case) and isinstance(node.pattern, ast.MatchValue):
            sides = [node.pattern.value]
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("filter", "exclude")):
            sides = [one.value for one in node.keywords if one.arg in {"kind", "kind__in"}]
        else:
            continue
        for side in sides:
            for inner in ast.walk(side):
                if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
                    yield inner.lineno, inner.value
