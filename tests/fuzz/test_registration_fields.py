"""Any text in the fields of a registration is kept or refused with the fields named, and
nothing is kept of a refused one.
"""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.visitors import Visitor
from workspace_manager.records.models import Registration

GOOD: dict[str, Any] = {
    "username": "dora",
    "email": "dora@example.org",
    "first_name": "Dora",
    "last_name": "Beispiel",
    "password": "correct horse battery staple",
    "locale": "de",
    "timezone": "Europe/Berlin",
}
ODD = (
    "",
    " ",
    "\x00",
    "\ud800",
    "\u202e",
    "a" * 5000,
    "'; DROP TABLE x; --",
    "<script>",
    "%00",
    "../..",
)
texts = st.one_of(
    st.text(max_size=40),
    st.sampled_from(ODD),
    st.integers(),
    st.none(),
    st.lists(st.text(max_size=3), max_size=2),
)


@pytest.mark.parametrize("field", GOOD)
@settings(max_examples=15, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(value=texts)
def test_a_field_is_taken_or_named(field: str, value: Any, db: None) -> None:
    Registration.objects.all().delete()
    answer = Visitor().ask("POST", "/registrations", {**GOOD, field: value})
    assert answer.status_code in {202, 422}
    kept = list(Registration.objects.all())
    if answer.status_code == 422:
        assert not kept
        assert field in {error["field"] for error in answer.json()["errors"]}
    else:
        assert len(kept) == 1
    text = answer.content.decode()
    assert GOOD["password"] not in text
    assert not isinstance(value, str) or field != "password" or len(value) < 8 or value not in text
