"""People with a browser each in a running workspace, and what they do with a stack."""

import re
from http import HTTPStatus
from typing import Any, Final

from playwright.sync_api import APIResponse, Browser, Locator, Page, expect
from playwright.sync_api import Error as PlaywrightError

from tests.life.person import Workspace
from workspace_sandbox.patience import PATIENCE_S, eventually

QUOTED: Final = """it's "data": {privileged: true} # $HOME"""
"""A greeting that would be something else if it were not taken as data."""


class Visitor:
    """One person of the workspace before a real browser."""

    def __init__(self, workspace: Workspace, chromium: Browser, name: str) -> None:
        told = [workspace.told["administrator"], *workspace.told["people"]]
        self.name = name
        self.password = next(one["password"] for one in told if one["username"] == name)
        self.workspace, self.manager = workspace, workspace.manager
        self.context = chromium.new_context(
            locale="en-GB", timezone_id="Europe/Berlin", reduced_motion="reduce"
        )
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE_S * 1000)

    def open(self, path: str) -> Page:
        """Go there; again where the page just loads itself anew, as one does when what it shows has
        ended.
        """

        def opened() -> bool:
            try:
                self.page.goto(self.manager + path)
            except PlaywrightError as error:
                if "interrupted by another navigation" not in error.message:
                    raise
                return False
            return True

        eventually(f"{path} is opened", opened)
        return self.page

    def sign_in(self) -> None:
        """Through the identity provider's own form; done once the workspace greets."""
        self.open("/sign-in?next=/components")
        self.page.locator("#username").fill(self.name)
        self.page.locator("#password").fill(self.password)
        self.page.locator("#kc-form-login [type=submit]").click()
        expect(self.page.get_by_role("heading", name="Components").first).to_be_visible()

    def fill(self, **texts: str) -> None:
        """Fill in fields by the beginnings of what stands before them."""
        for label, text in texts.items():
            self.page.get_by_label(label).fill(text)

    def press(self, name: str, *, within: Locator | None = None) -> None:
        (within or self.page).get_by_role("button", name=name).first.click()

    def submit(self, name: str) -> None:
        """Press what leads to another page; again where the answer is that a system is busy or does
        not answer, as the page asks for.
        """

        def answered() -> bool:
            with self.page.expect_navigation() as opened:
                self.press(name)
            return bool(opened.value.status != HTTPStatus.SERVICE_UNAVAILABLE)

        eventually(f"{name}: a system answers", answered)

    def api(self, method: str, path: str, **more: Any) -> APIResponse:
        """Call the REST API with the session of the pages."""
        kept = {one["name"]: one["value"] for one in self.context.cookies()}
        headers = {"Origin": self.manager, "Referer": f"{self.manager}/"}
        headers["X-CSRFToken"] = kept.get("csrftoken", "")
        url = f"{self.manager}/api/v1{path}"
        return self.context.request.fetch(url, method=method, headers=headers, **more)

    def items(self, path: str) -> list[dict[str, Any]]:
        answer = self.api("GET", path)
        assert answer.status == 200, answer.text()
        found: list[dict[str, Any]] = answer.json()["items"]
        return found


# --- the stack ------------------------------------------------------------------------------------


def make(owner: Visitor, label: str, *, project: str = "") -> str:
    """Ask for one of the sample template; gives the path of its page."""
    page = owner.open("/stacks/new")
    page.get_by_role("link", name="Sample stack").click()
    page.get_by_label("Name").fill(label)
    page.get_by_label("Greeting").fill(QUOTED)
    if project:
        page.get_by_label("Project").select_option(project)
    owner.submit("Create")
    assert re.search("/stacks/.*-.*-", page.url), page.locator("main").inner_text()
    return page.url.removeprefix(owner.manager)


def ready(owner: Visitor) -> None:
    """Watch the page of the stack until everything of it is ready, without reloading."""
    expect(owner.page.locator("#stack-state")).to_contain_text("ready")


def delete(owner: Visitor, stack: str, label: str) -> None:
    """As the page asks for it, watched until nothing of it is left."""
    page = owner.open(stack)
    page.get_by_label(f"Type {label} to confirm").fill(label)
    owner.submit("Delete this stack")
    page.wait_for_url("**/stacks")
    assert owner.api("GET", stack).status == 404


def go_to(who: Visitor, stack: str) -> Page:
    """From the page of the stack to the stack itself."""
    page = who.open(stack)
    page.get_by_role("link", name="Open", exact=True).click()
    return page


def go_in(who: Visitor, stack: str) -> Page:
    """The same, and through its own sign-in, which the identity provider answers by itself."""
    page = go_to(who, stack)
    page.get_by_role("link", name="Sign in").click()
    return page


def note(page: Page, text: str) -> None:
    """Write something down, and see it in database, repository and drive."""
    page.get_by_label("Note").fill(text)
    page.get_by_role("button", name="Write it down").click()
    for place in ("database", "repository", "drive"):
        expect(page.locator(f"#{place}")).to_contain_text(text)


# --- keys -----------------------------------------------------------------------------------------


def reveal(owner: Visitor, system: str) -> tuple[str, str]:
    """Account and password of a personal key, as the page shows them once."""
    page = owner.open("/service-keys")
    own = page.locator("#keys section", has=page.get_by_role("heading", name="Your own keys"))
    own.locator("li.card", has_text=system).get_by_role("button", name="Show once").click()
    account = page.get_by_label("Account").input_value()
    return account, page.locator("#secret").input_value()


def renew(owner: Visitor, system: str) -> None:
    page = owner.open("/service-keys")
    own = page.locator("#keys section", has=page.get_by_role("heading", name="Your own keys"))
    card = own.locator("li.card", has_text=system)
    card.get_by_text("Renew", exact=True).click()
    card.get_by_role("button", name="Renew now").click()
    expect(card.get_by_role("button", name="Show once")).to_be_visible()
