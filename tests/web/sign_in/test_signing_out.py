"""Signing out tells the identity provider whose session ends, and no address tells it."""

import re
from html import unescape
from typing import Any

from tests.access import headers
from tests.access.sign_in_setup import MANAGER
from tests.life.browser import document
from tests.systems.identity_provider.stand_in_wire import Browser
from tests.web.sign_in.conftest import Signing
from workspace_manager.access import session_check
from workspace_manager.records.models import SignIn


def form_of(page: Any) -> Any:
    return document(page.content.decode()).get_element_by_id("sign-out")


def test_the_hint_is_posted_and_in_no_address(signing: Signing) -> None:
    visitor = signing.visitor()
    row = SignIn.objects.get()
    kept = session_check.tokens_of(str(row.id), row.person_id)
    assert kept
    assert kept.id
    hint = kept.id.reveal()
    page = visitor.post("/sign-out")
    assert page.status_code == 200
    assert hint not in str(page.headers)
    form = form_of(page)
    assert form.method == "POST"
    assert (
        form.action
        == f"{signing.wire.base}/realms/{signing.wire.realm}/protocol/openid-connect/logout"
    )
    told = dict(form.form_values())
    assert told["id_token_hint"] == hint
    assert told["post_logout_redirect_uri"] == f"{MANAGER}/"
    assert hint not in form.action


def test_it_sends_itself_and_has_a_button_where_nothing_runs(signing: Signing) -> None:
    page = signing.visitor().post("/sign-out")
    form = form_of(page)
    assert "data-send" in form.attrib
    assert form.xpath(".//button")
    assert headers.wrong(page) == []
    allowed = headers.policy(page.headers["Content-Security-Policy"])["form-action"]
    assert signing.wire.base in allowed
    text = unescape(re.sub(r"<[^>]+>", " ", page.content.decode()))
    assert "You are signed out" in text
    assert "Sign out" not in text, "no form of somebody who is still in"


def test_the_identity_provider_ends_its_session_and_sends_back(signing: Signing) -> None:
    visitor = signing.visitor()
    browser = Browser(signing.wire)
    form = form_of(visitor.post("/sign-out"))
    before = signing.sessions()
    answer = browser.send("POST", form.action, data=dict(form.form_values()))
    assert (answer.status_code, answer.headers["location"]) == (302, f"{MANAGER}/")
    assert (before, signing.sessions()) == (1, 0)
    assert visitor.get("/components").status_code == 302


def test_whoever_is_not_signed_in_is_led_on(signing: Signing) -> None:
    visitor = signing.visitor()
    visitor.post("/sign-out")
    answer = visitor.post("/sign-out")
    assert answer.status_code == 302
    assert "id_token_hint" not in answer["Location"]
