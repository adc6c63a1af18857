"""A reference to a secret that leads nowhere is said in the reader's language."""

import pytest

from workspace_manager.contract.errors import ConnectorError, Invalid, NotFound
from workspace_manager.contract.message import in_words
from workspace_manager.wiring import resolve

pytestmark = pytest.mark.django_db
NOBODY = "00000000-0000-4000-8000-000000000000"


@pytest.mark.parametrize(
    ("reference", "error", "german"),
    [
        (f"vault/{NOBODY}", NotFound, "das Geheimnis ist nicht mehr gespeichert"),
        ("attic/1", Invalid, "für Geheimnisse gibt es keine Ablage „attic“"),
    ],
)
def test_a_reference_that_leads_nowhere(
    reference: str, error: type[ConnectorError], german: str
) -> None:
    with pytest.raises(error) as said:
        resolve(reference)
    assert in_words(said.value.message, "de") == german
    assert in_words(said.value.doing_message, "de") == "Lesen eines Geheimnisses"
