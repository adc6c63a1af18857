"""A state is called what its declaration says, in both languages."""

import pytest
from django.utils import translation
from pydantic import JsonValue

from workspace_manager.contract.connector import Severity
from workspace_manager.engine.extras import CredentialState
from workspace_manager.engine.view import ChangeView
from workspace_manager.people.filters import AbsentState
from workspace_manager.records.models import Plan, Snapshot
from workspace_manager.web.pages import labels, plan_labels


@pytest.mark.parametrize(
    ("state", "english", "german"),
    [
        (Severity.FAILING, "failing", "fehlgeschlagen"),
        (Plan.RecheckState.REMOVED, "removed again", "wieder entfernt"),
        (CredentialState.NOT_SHOWN, "not proven", "nicht belegt"),
        (AbsentState.FORMER, "former", "ehemalig"),
        (Snapshot.State.RESTORING, "being restored", "wird wiederhergestellt"),
    ],
)
def test_a_state_has_the_label_of_its_declaration(state: str, english: str, german: str) -> None:
    with translation.override("en"):
        assert labels.state(str(state)) == english
    with translation.override("de"):
        assert labels.state(str(state)) == german


@pytest.mark.parametrize(
    ("kind", "count", "english", "german"),
    [
        ("drive.account", 1, "account", "Konto"),
        ("sql_server.user", 2, "accounts", "Konten"),
        ("records.snapshot", 2, "snapshots", "Schnappschüsse"),
        ("records.component", 2, "", ""),
        ("of_nobody.thing", 2, "", ""),
    ],
)
def test_a_thing_is_counted_by_the_noun_of_its_kind(
    kind: str, count: int, english: str, german: str
) -> None:
    with translation.override("en"):
        assert plan_labels.count_label(kind, count) == english
    with translation.override("de"):
        assert plan_labels.count_label(kind, count) == german


@pytest.mark.parametrize(
    ("kind", "after", "english", "german"),
    [
        ("sql_server.user", {"locked": True}, "Lock", "Sperren:"),
        ("sql_server.user", {"locked": False}, "Unlock", "Entsperren:"),
        ("sql_server.user", {"exists": True}, "Create", "Anlegen:"),
        (
            "sql_server.user",
            {"exists": True, "password": "renewed"},
            "Set a new password of",
            "Neues Passwort setzen:",
        ),
        ("triplestore.user", {"authorities": ["ROLE_USER"]}, "Grant access to", "Zugang geben:"),
        ("identity_provider.user", {"enabled": False, "sessions": 0}, "Disable", "Sperren:"),
        ("identity_provider.user", {"sessions": 0}, "Sign out", "Abmelden:"),
        ("identity_provider.attributes", {"a": None, "b": None}, "Clear", "Leeren:"),
        ("notebook_hub.container", {"running": False}, "Stop", "Anhalten:"),
        ("drive.app_password", None, "Revoke", "Widerrufen:"),
        ("drive.account", None, "Delete", "Löschen:"),
        ("of_nobody.thing", {"exists": True}, "Create", "Anlegen:"),
    ],
)
def test_a_change_is_called_as_its_kind_declares(
    kind: str, after: JsonValue, english: str, german: str
) -> None:
    change = ChangeView(
        kind=kind, id="x", target={}, action="apply", before=None, after=after, state="pending"
    )
    with translation.override("en"):
        assert plan_labels.action_label(change) == english
    with translation.override("de"):
        assert plan_labels.action_label(change) == german


def test_states_that_share_a_name_share_a_label() -> None:
    """A badge knows a state by its name alone."""
    declared = (Plan.State, Plan.RecheckState, CredentialState, AbsentState, Snapshot.State)
    states = [one for states in declared for one in states]
    assert [str(one.label) for one in states] == [labels.state(one.value) for one in states]
