"""For every answer of a system, its client comes to one of the five errors or to a success, and no
error carries the answer along.
"""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzz.answers import CANARY, each_place_changed, made_of, templates
from tests.recorded import (
    client_container_manager,
    client_keycloak,
    client_nextcloud,
    client_ontology_editor,
    client_triplestore,
    expected_meaning_container_manager,
    expected_meaning_keycloak,
    expected_meaning_nextcloud,
    expected_meaning_ontology_editor,
    expected_meaning_triplestore,
)
from tests.recorded.reading import Exchange
from workspace_manager.contract.errors import ConnectorError

EXAMPLES = 8
CLIENTS = (
    (expected_meaning_container_manager.TABLE, client_container_manager.classify),
    (expected_meaning_keycloak.TABLE, client_keycloak.classify),
    (expected_meaning_nextcloud.TABLE, client_nextcloud.classify),
    (expected_meaning_ontology_editor.TABLE, client_ontology_editor.classify),
    (expected_meaning_triplestore.TABLE, client_triplestore.classify),
)
EVERY = [
    (f"{table.system} {name}", template, classify)
    for table, classify in CLIENTS
    for name, template in templates(table).items()
]
PLACES = [pytest.param(template, classify, id=name) for name, template, classify in EVERY]


@pytest.fixture(autouse=True)
def logged(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the errors say that are made meanwhile."""
    texts: list[str] = []
    make = ConnectorError.__init__

    def listen(self: ConnectorError, *args: Any, **more: Any) -> None:
        make(self, *args, **more)
        texts.append(f"{self} {self.detail} {self.advice} {self.retry_after}")

    monkeypatch.setattr(ConnectorError, "__init__", listen)
    return texts


@pytest.mark.parametrize(("template", "classify"), PLACES)
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
@given(data=st.data())
@pytest.mark.one_in(6)
def test_no_answer_breaks_a_client(
    data: st.DataObject, template: Exchange, classify: Callable[[Exchange], str], logged: list[str]
) -> None:
    logged.clear()
    classify(data.draw(made_of(template)))
    assert not [text for text in logged if CANARY in text]


SUCCESSES = [
    pytest.param(template, classify, id=name)
    for name, template, classify in EVERY
    if (template.status or 0) in range(300) and template.json()
]


@pytest.mark.parametrize(("template", "classify"), SUCCESSES)
@pytest.mark.one_in(3)
def test_a_member_of_another_kind_breaks_no_client(
    template: Exchange, classify: Callable[[Exchange], str], logged: list[str]
) -> None:
    broken = []
    for what, exchange in each_place_changed(template):
        logged.clear()
        try:
            classify(exchange)
        except Exception as error:  # noqa: BLE001  whatever it is, it is the finding
            broken.append(f"{what}: {error!r}"[:300])
        broken += [f"{what}: {text}"[:300] for text in logged if CANARY in text]
    assert not broken, "\n".join(broken[:40])
