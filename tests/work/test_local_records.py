"""Findings of a look into our own tables, in the reader's language."""

import uuid

import pytest

from workspace_manager.contract.connector import Change
from workspace_manager.contract.message import in_words
from workspace_manager.work.local_records import RecordsSystem

pytestmark = pytest.mark.django_db


def test_evidence_says_how_it_was_looked_up() -> None:
    target = {"id": str(uuid.uuid4()), "label": "Notes"}
    change = Change(kind="records.project", subject="", target=target)
    seen = RecordsSystem().connectors["records.project"].verify(change)
    assert seen is not None
    assert seen.method == "look-up by id"
    assert seen.method_message is not None
    assert in_words(seen.method_message, "de") == "Nachschlagen nach der Kennung"
