"""The OpenAPI document is complete, and its page loads nothing from anywhere else."""

import json
import re
from typing import Any

import pytest

from tests.visitors import Visitor
from workspace_manager.web.api.openapi import operations, role_of
from workspace_manager.web.api.router import api

SUCCESS = {"200", "201", "202", "204"}


@pytest.fixture
def document(as_nobody: Visitor) -> dict[str, Any]:
    response = as_nobody.ask("GET", "/openapi.json")
    assert response.status_code == 200
    found: dict[str, Any] = response.json()
    return found


def test_every_operation_says_who_and_every_error(document: dict[str, Any]) -> None:
    seen = set()
    for path, methods in document["paths"].items():
        assert path.startswith("/api/v1/")
        for method, told in methods.items():
            where = f"{method} {path}"
            seen.add(told["operationId"])
            assert {"session": []} in told["security"], where
            assert "Who: " in told["description"], where
            answers = set(told["responses"])
            assert answers & SUCCESS, where
            assert {"401", "403", "503"} <= answers, where
            assert ("404" in answers) >= ("{" in path), where
            if method in {"post", "put", "patch"}:
                assert {"400", "413", "415"} <= answers, where
            for status in answers - SUCCESS:
                assert list(told["responses"][status]["content"]) == ["application/problem+json"], (
                    where
                )
            assert not [name for name in told if name.startswith("x-")], where
    assert len(seen) == len(list(operations(api)))


def test_every_reference_leads_somewhere(document: dict[str, Any]) -> None:
    names = re.findall(r'"#/components/schemas/([^"]+)"', json.dumps(document))
    assert set(names) <= document["components"]["schemas"].keys()
    assert "Problem" in names


def test_every_operation_has_exactly_one_role() -> None:
    open_to_all = [o.view_func.__name__ for o in operations(api) if role_of(o).may_be_nobody]
    assert open_to_all == ["ask"]


def test_the_page_lists_every_operation_and_loads_nothing_from_elsewhere(
    as_nobody: Visitor, document: dict[str, Any]
) -> None:
    response = as_nobody.ask("GET", "/docs")
    html = response.content.decode()
    for methods in document["paths"].values():
        for told in methods.values():
            assert f'id="{told["operationId"]}"' in html
    loaded = re.findall(r'(?:src|href|action)="([^"]*)"', html)
    assert not [address for address in loaded if re.match(r"(?:https?:)?//", address)]
    assert "<script>" not in html
    assert "default-src 'none'" in response.headers["Content-Security-Policy"]


def test_the_page_for_programmers_shows_code_as_code(as_administrator: Visitor) -> None:
    page = as_administrator.get("/api/v1/docs").content.decode()
    main = page[page.index("<main") :]
    assert "`" not in main
    assert "<code>Authorization: Bearer &lt;api token&gt;</code>" in main
    assert "<br>" not in main
