"""Shows pages in a frame of several widths, and names what sticks out of it.

A page is rendered by Django's test client and handed to the browser as the answer to its address:
so the answer to a form is measured like any other, and no server is needed. A page is loaded once,
and the frame around it is made narrower: a window that changes its size draws each of them, which
takes five times as long.
"""

import functools
import itertools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from django.contrib.staticfiles import finders
from django.http import HttpResponse
from playwright.sync_api import Page, Route

from workspace_sandbox.patience import PATIENCE_S

HOST: Final = "http://workspace.example.org"
FRAME: Final = '<!doctype html><iframe style="height: 900px; border: 0"></iframe>'
APART: Final = re.compile("frame-ancestors 'none'|sandbox")
"""What of the policy of a page would keep it out of the frame, or its elements from the ruler; the
rest of it stays.
"""
WIDTHS: Final = (1440, 1024, 820, 390, 320)
KINDS: Final = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
STICKS_OUT: Final = """
view => {
  const { document, getComputedStyle } = view;
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
MEASURE: Final = f"""
async ([address, widths]) => {{
  const sticksOut = {STICKS_OUT.strip()};
  const frame = document.querySelector("iframe");
  await new Promise(done => {{ frame.onload = done; frame.src = address; }});
  const view = frame.contentWindow;
  const found = [];
  for (const state of ["", ", all open"]) {{
    if (state) view.document.querySelectorAll("details").forEach(one => {{ one.open = true; }});
    for (const width of widths) {{
      frame.style.width = width + "px";
      found.push(...sticksOut(view).map(text => width + state + ": " + text));
      if (view.innerWidth !== width) found.push(view.innerWidth + " is not " + width);
    }}
  }}
  return found;
}}
"""


@functools.cache
def style(path: str) -> tuple[bytes, str]:
    """A file of the style, and what kind it is."""
    file = Path(str(finders.find(path.removeprefix("/static/"))))
    return file.read_bytes(), KINDS[file.suffix]


class Ruler:
    """One frame; `measure` says what sticks out, and at which width."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.answer: HttpResponse | None = None
        self.loads = itertools.count()
        page.set_default_timeout(PATIENCE_S * 1000)
        page.route("**/*", self._serve)
        page.goto(f"{HOST}/frame")

    def _serve(self, route: Route) -> None:
        """The page itself, or a file of the style; what a page asks for by itself stays open."""
        path = route.request.url.removeprefix(HOST).partition("?")[0]
        if path == "/frame":
            route.fulfill(body=FRAME, content_type="text/html")
        elif path == "/" and self.answer is not None:
            headers = {
                name: APART.sub("", text) for name, text in self.answer.headers.items()
                if name != "X-Frame-Options"
            } | {"Content-Type": "text/html; charset=utf-8"}  # fmt: skip
            route.fulfill(status=200, headers=headers, body=self.answer.content)
        elif path.startswith("/static/"):
            body, kind = style(path)
            route.fulfill(body=body, content_type=kind)
        else:
            route.fulfill(status=204)

    def measure(self, name: str, answer: Any) -> Iterator[str]:
        """What sticks out on this page, folded and with all that can be opened open."""
        self.answer = answer
        address = f"{HOST}/?{next(self.loads)}"
        for text in self.page.evaluate(MEASURE, [address, WIDTHS]):
            yield f"{name} at {text}"
