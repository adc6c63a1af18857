"""The steps that a page gives for a browser, done in one: each word of it is a click, a text
that is typed, or something that is to be seen.
"""

import re

from playwright.sync_api import Locator, Page, expect

from workspace_sandbox.patience import PATIENCE_S

VERBS = re.compile(
    r"opens `(?P<open>[^`]+)`"
    r"|signs in as `(?P<name>[^`]+)`, with the password "
    r"(?:in the first terminal|`(?P<password>[^`]+)`)"
    r"|(?:types )?`(?P<text>[^`]+)` into \*\*(?P<field>[^*]+)\*\*"
    r"|presses \*\*(?P<press>[^*]+)\*\*(?: at `(?P<at>[^`]+)`)?"
    r"|chooses \*\*(?P<choose>[^*]+)\*\*"
    r"|sees “(?P<see>[^”]+)”"
)
BETWEEN = re.compile(r"[\s,.]*(and)?[\s,.]*")


class Window:
    """One person's browser."""

    def __init__(self, page: Page, address: str, passwords: dict[str, str]) -> None:
        self.page, self.address, self.passwords = page, address, passwords
        page.set_default_timeout(PATIENCE_S * 1000)

    def do(self, words: str) -> None:
        """Do everything one line of the page says; nothing in it may be left over."""
        at = 0
        for verb in VERBS.finditer(words):
            assert BETWEEN.fullmatch(words[at : verb.start()]), f"what is to be done here? {words}"
            at = verb.end()
            self._one(verb)
        assert at, f"nothing is done in: {words}"
        assert BETWEEN.fullmatch(words[at:]), f"what is to be done here? {words}"

    def _one(self, verb: re.Match[str]) -> None:
        if verb["open"]:
            self.page.goto(self.address + verb["open"])
        elif verb["name"]:
            self.page.locator("#username").fill(verb["name"])
            self.page.locator("#password").fill(verb["password"] or self.passwords[verb["name"]])
            self.page.locator("#kc-form-login [type=submit]").click()
        elif verb["field"]:
            self.page.get_by_label(verb["field"], exact=True).fill(verb["text"])
        elif verb["press"]:
            # Of many buttons with one word, each has its row in its name as well.
            name = " ".join(filter(None, [verb["press"], verb["at"]]))
            self.page.get_by_role("button", name=name, exact=True).click()
        elif verb["choose"]:
            self._choose(verb["choose"])
        else:
            expect(self._shown(verb["see"])).to_be_visible()

    def _choose(self, name: str) -> None:
        option = self.page.get_by_role("radio", name=name)
        if option.count():
            option.check()
        else:
            choice = self.page.locator("select", has=self.page.locator("option", has_text=name))
            choice.first.select_option(label=name)

    def _shown(self, text: str) -> Locator:
        return self.page.get_by_text(text).filter(visible=True).first
