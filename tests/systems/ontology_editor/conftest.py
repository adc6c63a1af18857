"""One stand-in per test and a connected system beside it."""

from collections.abc import Iterator

import pytest

from workspace_manager.contract.connector import CallPolicy
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.ontology_editor.client.calls import CALLS
from workspace_manager.systems.ontology_editor.connector import OntologyEditor, connect, membership
from workspace_manager.systems.ontology_editor.settings import Settings
from workspace_sandbox.server import running
from workspace_sandbox.stand_ins.ontology_editor import OntologyEditorStandIn

KEY = "canary-0c0f6a3e-not-to-be-seen"


def no_secrets(ref: str) -> Secret:
    raise AssertionError(f"nothing here needs the secret {ref}")


def connected(
    stand_in: OntologyEditorStandIn, *, calls: CallPolicy = CALLS, **changes: object
) -> OntologyEditor:
    values = {"host": stand_in.url, "api_key": Secret(KEY), **changes}
    return connect(Settings(**values), no_secrets, calls=calls)  # type: ignore[arg-type]


@pytest.fixture(autouse=True)
def forget_what_was_accepted() -> None:
    membership._accepted.clear()


@pytest.fixture
def stand_in() -> Iterator[OntologyEditorStandIn]:
    found = OntologyEditorStandIn(api_key=KEY)
    with running(found):
        yield found


@pytest.fixture
def upstream() -> Iterator[OntologyEditorStandIn]:
    found = OntologyEditorStandIn(api_key=KEY, flavour="upstream")
    with running(found):
        yield found
