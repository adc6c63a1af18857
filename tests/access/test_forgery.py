"""Nothing is changed by a request that another site made a browser send: every route, asked without
the proof.
"""

from collections.abc import Callable

import pytest

from tests.access import figures
from tests.access.example_objects import ask
from tests.access.table import Row, rows
from tests.visitors import BACKEND, Visitor
from workspace_manager.records.models import Person

SIGNED = "/accounts/oidc/identity_provider/backchannel-logout"
"""Knows no session: who sends is known by a signature alone."""
UNSAFE = [
    row
    for row in rows()
    if row.method != "GET"
    and row.answers["administrator"] not in {404, 405}
    and row.address != SIGNED
]
ID = "00000000-0000-4000-8000-000000000000"
HOLES = {
    **dict.fromkeys(("person_id", "project_id", "request_id", "component_id", "plan_id"), ID),
    **dict.fromkeys(("stack_id", "snapshot_id", "key_id", "token_id", "registration_id"), ID),
    "stranger_id": ID,
    "run_id": ID,
    "what": "take",
    "invitation_id": ID,
    "letter": "approved",
    "token": "x",
    "username": "ada",
    "name": "drive",
    "n": "1",
    "digest": "x",
    "take_over_id": ID,
    "webhook_id": ID,
    "delivery_id": ID,
}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("row", UNSAFE, ids=str)
def test_a_session_without_its_proof_changes_nothing(
    row: Row, ada: Person, record_property: Callable[[str, object], None]
) -> None:
    visitor = Visitor(ada, enforce_csrf_checks=True)
    visitor.force_login(ada, backend=BACKEND)
    assert ask(visitor, row, HOLES).status_code == 403
    record_property(figures.PROPERTY, ("forged", 1))
