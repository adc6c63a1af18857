"""The OpenAPI document is complete, and its page loads nothing from anywhere else."""

import json
import re
from collections import Counter
from html import unescape
from typing import Any, get_args

import pytest
from pydantic import BaseModel

from tests.access import headers
from tests.visitors import Visitor
from workspace_manager.web.api.openapi import operations, role_of
from workspace_manager.web.api.router import api

SUCCESS = {"200", "206", "201", "202", "204"}


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


def test_no_two_schemas_have_one_name() -> None:
    """The framework keeps the last of them, and describes the others wrongly."""
    asked = [model for one in operations(api) for model in one.response_models.values() if model]
    seen: set[Any] = set()
    while asked:
        model = asked.pop()
        if not (isinstance(model, type) and issubclass(model, BaseModel)):
            asked += get_args(model)
        elif model not in seen:
            seen.add(model)
            asked += [member.annotation for member in model.model_fields.values()]
    names = Counter(one.__name__ for one in seen)
    del names["NinjaResponseSchema"]
    assert len(names) > 100
    assert [name for name, count in names.items() if count > 1] == []


def test_every_operation_has_exactly_one_role() -> None:
    open_to_all = [o.view_func.__name__ for o in operations(api) if role_of(o).may_be_nobody]
    assert open_to_all == ["ask"]


def test_the_page_is_made_of_files_of_this_package(as_nobody: Visitor) -> None:
    response = as_nobody.ask("GET", "/docs")
    html = response.content.decode()
    loaded = re.findall(r'(?:src|href)="([^"]*)"', html)
    assert loaded
    for address in loaded:
        assert address.startswith("/static/")
        assert as_nobody.get(address).status_code == 200
    assert headers.inline(html) == []
    assert "script-src 'self'" in response.headers["Content-Security-Policy"]
    told = json.loads(
        unescape(html.partition('id="swagger-settings" hidden>')[2].partition("<")[0])
    )
    assert (told["url"], told["validatorUrl"]) == ("/api/v1/openapi.json", "none")


def test_no_description_holds_a_name_of_the_code(document: dict[str, Any]) -> None:
    """A rename once reached into sentences: "What the message is describe."."""
    in_code = re.compile(r"\b[a-z]+_[a-z_]+\b|(?<=[a-z]) describe(?=[ .;,])")
    assert not [text for text in _descriptions(document) if in_code.search(_prose(text))]


def _descriptions(node: Any) -> list[str]:
    if isinstance(node, list):
        return [text for one in node for text in _descriptions(one)]
    if not isinstance(node, dict):
        return []
    own = [text for name in ("description", "summary") if isinstance(text := node.get(name), str)]
    return own + [text for one in node.values() for text in _descriptions(one)]


def _prose(text: str) -> str:
    """Without what is quoted, and without addresses."""
    return re.sub(r"`[^`]*`|https?://\S+", "", text)
