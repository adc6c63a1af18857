"""Every list of the OpenAPI document, so those to come too: words, filters, an order, and as many
queries for a long one as for a short one.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.openapi import rest_document
from tests.visitors import API, Visitor
from tests.web.api.documents import problem
from tests.web.api.growing_lists import DOES_NOT_GROW, grow
from workspace_manager.people.filters import GROUPS
from workspace_manager.records.models import Person, Project, ReconcileRun, WebhookEndpoint

OF_EVERY_LIST = ["limit", "offset", "q", "sort"]
IN_ADDRESSES = {"project_id", "username", "run_id"}
SAYS_ANYTHING = {"has_end": "ends_at", "signed_in": "last_sign_in"}
FEW, MANY = 2, 5


def _lists() -> Iterator[tuple[str, dict[str, dict[str, Any]]]]:
    """(address after `/api/v1`, schemas of its parameters by name) of each list."""
    document = rest_document()
    for address, methods in document["paths"].items():
        told = methods.get("get", {"responses": {}})
        schema = told["responses"].get("200", {}).get("content", {}).get("application/json", {})
        name = schema.get("schema", {}).get("$ref", "").rpartition("/")[2]
        members = document["components"]["schemas"].get(name, {}).get("properties", {})
        if {"items", "count"} <= members.keys():
            parameters = {one["name"]: one["schema"] for one in told["parameters"]}
            yield address.removeprefix(API), parameters


LISTS = dict(_lists())


def values_of(schema: dict[str, Any]) -> list[str]:
    """What may stand in a parameter, if that is a closed set."""
    for one in schema.get("anyOf", [schema]):
        if one.get("type") == "boolean":
            return ["true", "false"]
        if "enum" in one or "const" in one:
            return list(one.get("enum", [one.get("const")]))
    return []


@pytest.fixture
def project(ada: Person) -> Project:
    ReconcileRun.objects.create(started_by="shared")
    return Project.objects.create(owner=ada, label="Shared")


def _filled(address: str, project: Project) -> str:
    hook = WebhookEndpoint.objects.get_or_create(label="Told", origin="https://t.example.org")[0]
    run = ReconcileRun.objects.get(started_by="shared")
    return address.format(
        project_id=project.id,
        username=project.owner.username,
        webhook_id=hook.id,
        run_id=run.id,
    )


def test_there_are_lists() -> None:
    assert len(LISTS) >= 16


@pytest.mark.parametrize("address", LISTS)
def test_every_list_takes_words_an_order_and_its_filters(address: str) -> None:
    parameters = LISTS[address]
    assert set(OF_EVERY_LIST) <= parameters.keys()
    orders = set(values_of(parameters["sort"]))
    assert orders
    up = {one for one in orders if not one.startswith("-")}
    assert orders == up | {f"-{one}" for one in up}


@pytest.mark.thorough
def test_each_order_and_each_filter_is_obeyed(
    as_administrator: Visitor, ada: Person, project: Project, databases: None
) -> None:
    for n in range(3):
        grow(ada, project, n)
    wrong = []
    for address, parameters in LISTS.items():
        where = _filled(address, project)
        for sort in values_of(parameters["sort"]):
            items = as_administrator.ask("GET", f"{where}?sort={sort}").json()["items"]
            # By when a component was made, too, which it does not say.
            keys = [_key(item.get(sort.removeprefix("-"))) for item in items]
            if keys != sorted(keys, reverse=sort.startswith("-")):
                wrong.append(f"{where}?sort={sort}: {keys}")
        for name in parameters.keys() - {*OF_EVERY_LIST, *IN_ADDRESSES}:
            for value in values_of(parameters[name]):
                items = as_administrator.ask("GET", f"{where}?{name}={value}").json()["items"]
                found = {_text(_said(item, name)) for item in items}
                if found - {value, *GROUPS.get(value, ())}:
                    wrong.append(f"{where}?{name}={value}: {found}")
    assert not wrong, "\n".join(wrong)


def _said(item: dict[str, Any], name: str) -> Any:
    """What an item says to a filter: of some only whether it says anything; a snapshot names the
    kind of its source.
    """
    if name not in item and isinstance(item.get("source"), dict):
        return item["source"][name]
    return item[SAYS_ANYTHING[name]] is not None if name in SAYS_ANYTHING else item[name]


def _key(value: Any) -> tuple[bool, Any]:
    """As the database sorts: by code point, and nothing before everything."""
    return value is not None, value if value is not None else ""


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


@pytest.mark.parametrize("address", LISTS)
def test_an_unknown_order_or_filter_value_is_refused(
    as_administrator: Visitor, project: Project, address: str
) -> None:
    where = _filled(address, project)
    closed = [name for name, schema in LISTS[address].items() if values_of(schema)]
    for name in closed:
        for value in ("nonsense", "", "-", "id"):
            refused = problem(as_administrator.ask("GET", f"{where}?{name}={value}"), 422)
            assert [error["field"] for error in refused["errors"]] == [name]


def test_words_that_stand_nowhere_find_nothing(
    as_administrator: Visitor, ada: Person, project: Project, databases: None
) -> None:
    grow(ada, project, 0)
    for address in LISTS:
        where = _filled(address, project)
        every = as_administrator.ask("GET", where).json()
        assert every["count"] == len(every["items"]) > 0, where
        # A percent sign, an underscore and a backslash are what they are.
        for words in ("nonsense-of-nobody", "%25", "_", "%5C", "%27%22"):
            found = as_administrator.ask("GET", f"{where}?q={words}").json()
            assert found["count"] <= every["count"]
            if words.startswith("nonsense"):
                assert (found["items"], found["count"]) == ([], 0), where


def test_a_long_list_costs_as_many_queries_as_a_short_one(
    as_administrator: Visitor, ada: Person, project: Project, databases: None
) -> None:
    for n in range(FEW):
        grow(ada, project, n)
    few = {address: _cost(as_administrator, address, project) for address in LISTS}
    for n in range(FEW, MANY):
        grow(ada, project, n)
    wrong = []
    for address, (queries, count) in few.items():
        more, longer = _cost(as_administrator, address, project)
        if more != queries:
            wrong.append(f"{address}: {queries} queries for {count}, {more} for {longer}")
        if longer == count and address not in DOES_NOT_GROW:
            wrong.append(f"{address}: let it grow in growing_lists.py")
    assert not wrong, "\n".join(wrong)


def _cost(visitor: Visitor, address: str, project: Project) -> tuple[int, int]:
    where = f"{_filled(address, project)}?limit=200"
    visitor.ask("GET", where)
    with CaptureQueriesContext(connection) as queries:
        answer = visitor.ask("GET", where)
    assert answer.status_code == 200, where
    return len(queries), answer.json()["count"]


def test_who_is_called_exactly_so_comes_first(as_administrator: Visitor) -> None:
    for name in ("anna", "annabella", "joanna", "al-anna", "zora"):
        Person.objects.create_user(name, email=f"{name}@example.org", last_name="of anna's")
    answer = as_administrator.ask("GET", "/people?q=Anna").json()
    assert answer["items"][0]["username"] == "anna"
    assert answer["count"] == 5
    by_email = as_administrator.ask("GET", "/people?q=joanna@example.org").json()
    assert [one["username"] for one in by_email["items"]] == ["joanna"]
    # Every word has to stand somewhere; an order that is asked for is kept.
    both = as_administrator.ask("GET", "/people?q=anna%20joa").json()
    assert [one["username"] for one in both["items"]] == ["joanna"]
    sorted_ = as_administrator.ask("GET", "/people?q=anna&sort=-username").json()
    assert sorted_["items"][0]["username"] == "zora"


def test_filters_and_words_go_together(as_administrator: Visitor, alice: Person) -> None:
    Person.objects.create_user("alicia", state=Person.State.SUSPENDED)
    ask = as_administrator.ask
    assert ask("GET", "/people?q=ali&state=suspended").json()["count"] == 1
    assert ask("GET", "/people?q=ali&state=suspended&role=administrator").json()["count"] == 0
    assert (
        ask("GET", "/people?q=ali&limit=1&offset=1&sort=username").json()["items"][0]["username"]
        == "alicia"
    )


def test_a_search_shows_nobody_more_than_the_list(as_alice: Visitor, bob: Person) -> None:
    assert as_alice.ask("GET", "/people?q=bob").json() == {"items": [], "count": 0}
    assert as_alice.ask("GET", "/people?state=active").json()["count"] == 1
    Project.objects.create(owner=bob, label="Secret")
    for query in ("q=secret", "owner=bob", "sort=owner"):
        assert as_alice.ask("GET", f"/projects?{query}").json()["count"] == 0


@pytest.mark.parametrize("query", ["q=%00", f"q={'a' * 101}", "limit=0", "offset=-1", "q=a&Q=a"])
def test_odd_searches_are_refused(as_administrator: Visitor, query: str) -> None:
    problem(as_administrator.ask("GET", f"/people?{query}"), 422)
