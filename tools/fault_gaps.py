"""Planted faults that no test of their room found: the test that finds each now, by its id, and why
nothing can be seen of the others.

    python -m tools.planted_faults since RESULT

tries the tests.
"""

from collections.abc import Mapping
from typing import Final

REVISION: Final = "0c074eb0f0af"
"""Lines are of this source."""

_SYSTEMS = "tests/systems"
FOUND_BY: Final[Mapping[str, str]] = {
    "systems/drive/connector/account.py:54": (
        f"{_SYSTEMS}/drive/test_connector.py"
        "::TestAccount::test_without_an_administrator_it_is_left_by_hand"
    ),
    "systems/identity_provider/realm/stack_clients.py:89": (
        f"{_SYSTEMS}/identity_provider/test_life.py"
        "::TestStandIn::test_a_sign_out_leads_nowhere_unless_it_is_wished"
    ),
    "systems/ontology_editor/client/calls.py:87": (
        f"{_SYSTEMS}/ontology_editor/test_connector.py"
        "::test_a_project_that_is_named_by_its_id_is_renamed"
    ),
    "systems/ontology_editor/connector/membership.py:166": (
        f"{_SYSTEMS}/ontology_editor/test_connector_membership.py::test_the_life_of_a_membership"
    ),
    "systems/sql_server/checks.py:29": (
        f"{_SYSTEMS}/sql_server/test_faults.py::test_a_check_of_a_dead_server_is_a_finding"
    ),
    "removal/approve.py:89": (
        "tests/removal/test_stale.py::test_nobody_approves_a_plan_that_is_over"
    ),
    "people/bulk_actions.py:153": (
        "tests/web/pages/test_people_chosen_result.py"
        "::test_a_process_that_was_ended_says_so_after_a_while"
    ),
    "letters/access_letters.py:41": (
        "tests/web/pages/test_people_chosen.py::test_letters_are_of_each_alone_and_run_nothing"
    ),
}
NOT_SEEN: Final[Mapping[str, str]] = {
    "systems/container_manager/inventory.py:44": (
        "nothing changes: a part of the listing is named here alone, for its cursor; a cursor that "
        "names none, as one of another version does, begins the listing again"
    ),
    "engine/invariants.py:118": (
        "nothing changes: `sent_at` is read only while something is being brought about anew, and "
        "is written with the note that it is"
    ),
}
