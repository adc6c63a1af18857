"""Shows pages in one window at several widths, and names what sticks out of it.

A page is rendered by Django's test client and handed to the browser as the answer to its address:
so the answer to a form is measured like any other, and no server is needed.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from django.contrib.staticfiles import finders
from django.http import HttpResponse
from playwright.sync_api import Page, Route

from workspace_sandbox.patience import PATIENCE_S

HOST: Final = "http://workspace.example.org"
WIDTHS: Final = (1440, 1024, 820, 390, 320)
KINDS: Final = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
STICKS_OUT: Final = """
() => {
  const root = document.documentElement;
  const right = one => one.getBoundingClientRect().right;
  const inSight = one => one.checkVisibility()
    && !one.closest("svg, .visually-hidden, .trap, .skip, datalist, option");
  const isClipped = one => {
    for (let up = one.parentElement; up; up = up.parentElement)
      if (getComputedStyle(up).overflowX !== "visible") return true;
    return false;
  };
  const drawsOver = one => {
    const { display, overflowX } = getComputedStyle(one);
    return display !== "inline" && overflowX === "visible";
  };
  const innermost = some => some.filter(one =>
    !some.some(other => other !== one && one.contains(other))).slice(0, 3);
  const words = one => one.tagName.toLowerCase()
    + [...one.classList].map(name => "." + name).join("")
    + " (" + one.textContent.trim().replace(/\\s+/g, " ").slice(0, 40) + ")";
  const all = [...document.body.querySelectorAll("*")];
  const outside = all.filter(one =>
    right(one) > root.clientWidth + 1 && inSight(one) && !isClipped(one));
  // What is wider than the box around it is drawn over its edge.
  const over = all.filter(one =>
    one.scrollWidth > one.clientWidth + 1 && drawsOver(one) && inSight(one));
  const wide = root.scrollWidth - root.clientWidth;
  return [
    ...(wide > 0 ? ["the page is " + wide + " px too wide"] : []),
    ...innermost(outside).map(one => "out of the window: " + words(one)),
    ...innermost(over).map(one => "over the edge of its box: " + words(one)),
  ];
}
"""
OPEN_ALL: Final = """
() => document.querySelectorAll("details").forEach(one => { one.open = true; })
"""


class Ruler:
    """One window; `measure` says what sticks out, and at which width."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.answer: HttpResponse | None = None
        page.set_default_timeout(PATIENCE_S * 1000)
        page.route("**/*", self._serve)

    def _serve(self, route: Route) -> None:
        """The page itself, or a file of the style; what a page asks for by itself stays open."""
        path = route.request.url.removeprefix(HOST).partition("?")[0]
        if path == "/" and self.answer is not None:
            headers = {**self.answer.headers, "Content-Type": "text/html; charset=utf-8"}
            route.fulfill(status=200, headers=headers, body=self.answer.content)
        elif path.startswith("/static/"):
            file = Path(str(finders.find(path.removeprefix("/static/"))))
            route.fulfill(body=file.read_bytes(), content_type=KINDS[file.suffix])
        else:
            route.fulfill(status=204)

    def measure(self, name: str, answer: Any) -> Iterator[str]:
        """What sticks out on this page, folded and with all that can be opened open."""
        self.answer = answer
        self.page.goto(HOST)
        for state in ("", ", all open"):
            if state:
                self.page.evaluate(OPEN_ALL)
            for width in WIDTHS:
                self.page.set_viewport_size({"width": width, "height": 900})
                for text in self.page.evaluate(STICKS_OUT):
                    yield f"{name} at {width}{state}: {text}"
