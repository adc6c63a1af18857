"""Swagger in Chromium, under our content security policy: it shows every operation, asks no other
host, and its "Try it out" acts as whoever is signed in.
"""

from urllib.parse import urlsplit

import pytest

from tests.browser.conftest import Window
from tests.web.pages import scenes
from workspace_manager.records.models import Project
from workspace_manager.web.api.openapi import operations
from workspace_manager.web.api.router import api

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_every_operation_is_shown_and_nothing_is_asked_elsewhere(window: Window) -> None:
    """An operation is opened and closed in a wide window and in one of a phone."""
    page = window.open("/register", color_scheme="light")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{window.address}/api/v1/docs")
    page.wait_for_selector(".opblock")
    assert page.locator(".opblock").count() == len(list(operations(api)))
    opened = page.locator("#operations-people-people_list_ .opblock-body")
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 844})
        page.locator("#operations-people-people_list_ .opblock-summary-control").click()
        opened.wait_for()
        page.locator("#operations-people-people_list_ .opblock-summary-control").click()
        opened.wait_for(state="detached")
    assert page.title() == "Programming interface · Workspace"
    assert "swagger-ui-bundle.js" in " ".join(asked)
    ours = urlsplit(window.address).netloc
    assert [
        url for url in asked if urlsplit(url).scheme != "data" and urlsplit(url).netloc != ours
    ] == []
    assert not window.complaints


def test_who_is_signed_in_tries_a_route_out(window: Window) -> None:
    anna = scenes.person("anna")
    page = window.open("/api/v1/docs", anna)
    operation = page.locator("#operations-projects-projects_create")
    operation.locator(".opblock-summary-control").click()
    operation.locator(".try-out__btn").click()
    operation.locator("textarea.body-param__text").fill('{"label": "Herbarium"}')
    operation.locator(".execute").click()
    operation.locator(".live-responses-table .response-col_status").first.wait_for()
    assert "201" in operation.locator(".live-responses-table").inner_text()
    assert Project.objects.filter(owner=anna, label="Herbarium").exists()
    assert not window.complaints
