"""Personal API tokens on their page: made and shown once, listed, ended; good for the API until
then.
"""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from tests.clock import just_over
from workspace_manager.access import tokens
from workspace_manager.records.models import ApiToken, Person


def _asked_with(clear: str) -> int:
    answer = Client().get("/api/v1/me", headers={"Authorization": f"Bearer {clear}"})
    return answer.status_code


def test_a_token_is_shown_once_and_works_until_it_is_ended(as_anna: Client, anna: Person) -> None:
    assert "No tokens yet" in as_anna.get("/tokens").content.decode()
    answer = as_anna.post("/tokens", {"name": "Night import"})
    page = answer.content.decode()
    found = re.search(r'value="(wsm_[^"]+)"', page)
    assert found
    clear = found.group(1)
    assert 'type="password"' in page
    assert "no-store" in answer.headers["Cache-Control"]
    assert "never used" in as_anna.get("/tokens").content.decode()
    assert _asked_with(clear) == 200
    listed = as_anna.get("/tokens").content.decode()
    assert "Night import" in listed
    assert "last used" in listed
    assert clear not in listed
    token = ApiToken.objects.get(person=anna)
    done = as_anna.post(f"/tokens/{token.id}/end", follow=True).content.decode()
    assert "The token “Night import” is revoked." in done
    assert _asked_with(clear) == 401


@pytest.mark.parametrize("name", ["", "   ", "x" * 101])
def test_a_name_that_cannot_be_used_makes_none(as_anna: Client, name: str) -> None:
    answer = as_anna.post("/tokens", {"name": name})
    assert answer.status_code == 422
    assert "Use 1 to 100 characters." in answer.content.decode()
    assert not ApiToken.objects.exists()


def test_the_page_offers_what_the_role_allows_and_an_end(as_anna: Client, as_ada: Client) -> None:
    assert 'value="administration"' not in as_anna.get("/tokens").content.decode()
    assert 'value="administration"' in as_ada.get("/tokens").content.decode()
    for scope in ("administration", "operation", "nonsense"):
        answer = as_anna.post("/tokens", {"name": "x", "scope": scope})
        assert answer.status_code == 422
    assert as_ada.post("/tokens", {"name": "x", "scope": "operation"}).status_code == 422
    wrong = as_anna.post("/tokens", {"name": "kept words", "scope": "read", "until": "2999-01-01"})
    assert wrong.status_code == 422
    assert 'value="kept words"' in wrong.content.decode()
    assert '<option value="read" selected>' in wrong.content.decode()
    assert not ApiToken.objects.exists()
    day = (timezone.now() + timedelta(days=9)).date().isoformat()
    made = as_anna.post("/tokens", {"name": "x", "scope": "read", "until": day})
    assert made.status_code == 200
    assert ApiToken.objects.get().scope == "read"


def test_a_token_that_ended_says_so(as_anna: Client, anna: Person) -> None:
    token, clear = tokens.create(anna, name="old", actor="anna")
    ApiToken.objects.filter(id=token.id).update(expires_at=just_over())
    assert "<strong>ended</strong>" in as_anna.get("/tokens").content.decode()
    assert _asked_with(clear) == 401


def test_an_administrator_sees_and_ends_those_of_others(as_ada: Client, anna: Person) -> None:
    token, clear = tokens.create(anna, name="Night import", actor="anna")
    assert "/manage/people/anna/tokens" in as_ada.get("/manage/people/anna").content.decode()
    page = as_ada.get("/manage/people/anna/tokens").content.decode()
    assert "Night import" in page
    assert "read and write" in page
    assert token.digest not in page
    done = as_ada.post(f"/manage/people/anna/tokens/{token.id}/end", follow=True)
    assert "The token “Night import” is revoked." in done.content.decode()
    assert _asked_with(clear) == 401
    assert as_ada.post(f"/manage/people/anna/tokens/{token.id}/end").status_code == 404


def test_nobody_ends_the_token_of_another(as_ada: Client, anna: Person) -> None:
    token, clear = tokens.create(anna, name="mine", actor="anna")
    assert as_ada.post(f"/tokens/{token.id}/end").status_code == 404
    assert "mine" not in as_ada.get("/tokens").content.decode()
    assert _asked_with(clear) == 200
