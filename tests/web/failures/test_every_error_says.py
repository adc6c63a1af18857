"""Each of the five errors that meets a person directly: the same what, why and what to do on page,
command line and API.
"""

import html
import re
import uuid
from typing import Any

import pytest
from click.testing import CliRunner

from tests.visitors import Visitor
from tests.web.failures.kinds import FAILURES
from workspace_manager.cli.__main__ import main
from workspace_manager.contract.errors import Conflict, Unavailable
from workspace_manager.people import approve
from workspace_manager.records.models import Registration

STATUS = {Unavailable: 503, Conflict: 409}
"""A name that is taken is a state that does not allow it; what other systems refuse or garble is
theirs.
"""


@pytest.mark.parametrize("failure", FAILURES)
def test_an_error_says_the_same_at_every_door(
    failure: str, as_administrator: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    error = FAILURES[failure]("creating the user")

    def refused(_id: uuid.UUID, **_: Any) -> None:
        raise error

    monkeypatch.setattr(approve, "approve", refused)
    row = Registration.objects.create(username="erin", email="erin@example.org")
    answer = as_administrator.ask("POST", f"/registrations/{row.id}/approve")
    document = answer.json()
    page = as_administrator.post(
        f"/manage/registrations/{row.id}/approve", headers={"HX-Request": "true"}
    )
    terminal = CliRunner().invoke(main, ["registrations", "approve", str(row.id)])
    assert answer.status_code == STATUS.get(type(error), 502)
    assert error.detail in document["detail"]
    assert error.advice in f"{document['detail']} {document.get('advice')}"
    assert document.get("system", "drive") == "drive"
    assert (answer.headers.get("Retry-After") is not None) is isinstance(error, Unavailable)
    if error.retry_after:
        assert answer.headers["Retry-After"] == "1800"
    shown = html.unescape(re.sub(r"<[^>]+>", " ", page.content.decode()))
    assert terminal.exit_code == 1
    for text in (error.detail[1:], error.advice):
        assert text in shown
        assert text in terminal.stderr
    # It stays: nobody is approved by a call that failed.
    assert Registration.objects.get().status == "pending"
