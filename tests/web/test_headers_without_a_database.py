"""Answers have their headers while the database cannot be asked, too."""

import pytest
from django.db import OperationalError

from tests.visitors import Visitor
from workspace_manager.web import headers
from workspace_manager.web.headers import identity_provider_origin

pytestmark = pytest.mark.django_db


def test_what_was_read_last_stands(as_nobody: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    def none_free() -> str:
        raise OperationalError("couldn't get a connection after 5.00 sec")

    monkeypatch.setattr(identity_provider_origin, "text", "https://sign-in.example.org")
    monkeypatch.setattr(identity_provider_origin, "until", 0.0)
    monkeypatch.setattr(headers, "origin", none_free)
    answer = as_nobody.get("/health/ready")
    assert answer.status_code == 200
    assert "https://sign-in.example.org" in answer.headers["Content-Security-Policy"]
