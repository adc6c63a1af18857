"""Pictures of every page in its states: wide and phone, light and dark, empty, ordinary, long,
failing and busy.

Starts the pages on a database of their own in a temporary folder, puts rows there for each state,
and looks at them with Chromium. `--out FOLDER` keeps all pictures there, `--language de` shows them
in German; `--docs` makes those that the documentation shows, in `docs/images`.
"""

# ruff: noqa: PLC0415  Django may only be imported once its settings are in the environment

import argparse
import os
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from http import HTTPStatus
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PORT = 8765
FOR_DOCS = "docs-"
"""How the names of pictures begin that the documentation shows."""
IMAGES = ROOT / "docs" / "images"
sys.path.insert(0, str(ROOT))


def prepare(folder: Path) -> None:
    """Settings of a manager that only these pictures know; before anything of Django
    is imported.
    """
    os.chdir(folder)
    os.environ.update(
        DJANGO_SETTINGS_MODULE="workspace_manager.settings",
        WORKSPACE_SECRET_KEYS="only-for-these-pictures-and-for-nothing-else",
        WORKSPACE_BASE_URL=f"http://127.0.0.1:{PORT}",
        WORKSPACE_DATABASE_URL=f"sqlite:///{folder / 'pictures.sqlite3'}",
        WORKSPACE_QUEUE_URL=f"sqlite:///{folder / 'queue.sqlite3'}",
        WORKSPACE_LOG_LEVEL="ERROR",
        WORKSPACE_REGISTRATION_RATE="0",
    )


@dataclass(frozen=True)
class Picture:
    """One picture: where, as whom, and how."""

    name: str
    path: str
    who: str = ""
    wide: bool = True
    dark: bool = False
    height: int = 0
    """How much of the page; 0: all of it."""
    before: str = ""
    """What to click first, one after the other, separated by `;`; `field << text` fills a field
    instead.
    """
    below: str = ""
    """What to scroll to the top; after `~` to the middle."""
    html: str = ""
    """What stands at this address, instead of what the pages would answer: for those that only a
    sign-in leads to.
    """

    @property
    def title(self) -> str:
        """Name and look; pictures of the documentation have names of their own."""
        if self.name.startswith(FOR_DOCS):
            return self.name
        return f"{self.name}-{'wide' if self.wide else 'phone'}-{'dark' if self.dark else 'light'}"


SIZES = {True: (1440, 900), False: (390, 844)}
LANGUAGES = {"en": "en-GB", "de": "de-DE"}
"""What a browser asks for, for each language of readers."""
SIZE_IN_DOCS = (900, 860)
"""A page of documentation is about as wide, so that nobody has to enlarge a picture to read it."""
LOOKS = [{"wide": wide, "dark": dark} for wide in (True, False) for dark in (False, True)]


class Studio:
    """A running manager and a browser before it."""

    def __init__(self, browser: Any, out: Path, only: str, language: str) -> None:
        self.browser, self.out, self.only, self.language = browser, out, only, language

    def everywhere(
        self,
        name: str,
        path: str,
        who: str = "",
        *,
        looks: Sequence[Mapping[str, Any]] = LOOKS,
        **more: Any,
    ) -> None:
        """One page in its looks: the four usual ones, unless others are named."""
        for look in looks:
            picture = replace(Picture(name, path, who, **more), **look)
            wanted = self.out != IMAGES or name.startswith(FOR_DOCS)
            if wanted and self.only in picture.title:
                self._take(picture)

    def _take(self, picture: Picture) -> None:
        in_docs = picture.wide and picture.name.startswith(FOR_DOCS)
        width, height = SIZE_IN_DOCS if in_docs else SIZES[picture.wide]
        height = picture.height or height
        context = self.browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if picture.dark else "light",
            device_scale_factor=1,
            timezone_id="Europe/Berlin",
            locale=LANGUAGES[self.language or "en"],
            reduced_motion="reduce",
        )
        if picture.who:
            context.add_cookies(
                [
                    {
                        "name": "sessionid",
                        "value": session_of(picture.who, self.language),
                        "url": f"http://127.0.0.1:{PORT}",
                    }
                ]
            )
        page = context.new_page()
        page.on(
            "console",
            lambda message: (
                print(f"{picture.title}: {message.type}: {message.text}")
                if message.type in {"error", "warning"}
                else None
            ),
        )
        if picture.html:
            page.route(
                f"**{picture.path}",
                lambda route: route.fulfill(body=picture.html, content_type="text/html"),
            )
        answer = page.goto(f"http://127.0.0.1:{PORT}{picture.path}")
        if answer and answer.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            sys.exit(f"{picture.title}: {picture.path} answered {answer.status}")
        for deed in filter(None, picture.before.split(";")):
            selector, fills, text = deed.partition(" << ")
            found = page.locator(selector).first
            if fills and found.evaluate("one => one.tagName") == "SELECT":
                found.select_option(text)
            elif fills:
                found.fill(text)
            else:
                found.click()
                page.wait_for_timeout(500)
        if picture.below:
            block = "center" if picture.below.startswith("~") else "start"
            page.locator(picture.below.lstrip("~")).first.evaluate(
                "(one, block) => one.scrollIntoView({block})", block
            )
        overflow = page.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )
        if overflow > 0:
            print(f"{picture.title}: {overflow} px wider than the window")
        name = picture.title.removeprefix(FOR_DOCS) if self.out == IMAGES else picture.title
        page.screenshot(path=self.out / f"{name}.png", full_page=not picture.height)
        context.close()


def session_of(username: str, language: str) -> str:
    """A session of somebody, as signing in would make it. `language`: what they read from now on;
    "" leaves that to the scenario.
    """
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY

    from workspace_manager.access.session_store import SessionStore
    from workspace_manager.records.models import Person

    if language:
        Person.objects.filter(username=username).update(locale=language)
    person = Person.objects.get(username=username)
    session = SessionStore()
    session[SESSION_KEY] = str(person.pk)
    session[BACKEND_SESSION_KEY] = "allauth.account.auth_backends.AuthenticationBackend"
    session[HASH_SESSION_KEY] = person.get_session_auth_hash()
    session["proved_at"] = time.time()
    session.save()
    return session.session_key or ""


@contextmanager
def serving() -> Iterator[None]:
    """The pages on loopback."""
    from django.core.servers.basehttp import ThreadedWSGIServer, WSGIRequestHandler

    from workspace_manager.web.wsgi import application

    class Quiet(WSGIRequestHandler):
        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            pass

    server = ThreadedWSGIServer(("127.0.0.1", PORT), Quiet)
    server.set_app(application)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.shutdown()


def main() -> int:
    """Take the pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--out", type=Path, default=Path("screenshots"), help="folder for all pictures"
    )
    parser.add_argument("--only", default="", help="only pictures with this in their name")
    parser.add_argument("--language", choices=LANGUAGES, default="", help="of every reader")
    parser.add_argument("--docs", action="store_true", help="only those of docs/images, in there")
    parser.add_argument(
        "--chromium", default=shutil.which("chromium") or "", help="the browser's program"
    )
    asked = parser.parse_args()
    if asked.docs:
        asked.out = IMAGES
    out = asked.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        prepare(Path(folder))
        run(asked, out)
    return 0


def run(asked: argparse.Namespace, out: Path) -> None:
    import django

    django.setup()
    from django.core.management import call_command
    from playwright.sync_api import sync_playwright

    from tools.screenshot_scenarios.everyday import scenarios

    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = (
        "1"  # playwright's loop runs in this thread; nothing here is async
    )
    call_command("migrate", verbosity=0)
    call_command("createcachetable", verbosity=0)
    with serving(), sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=asked.chromium or None, args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        studio = Studio(browser, out, asked.only, asked.language)
        for scenario in scenarios():
            perform(scenario, studio)
        browser.close()


def perform(scenario: Callable[[Studio], None], studio: Studio) -> None:
    """One state of the world, from an empty database."""
    from django.core.management import call_command

    call_command("flush", verbosity=0, interactive=False)
    scenario(studio)
    print(f"{scenario.__name__}: done")


if __name__ == "__main__":
    sys.exit(main())
