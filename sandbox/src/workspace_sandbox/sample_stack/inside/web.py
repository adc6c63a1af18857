"""The web part as a WSGI application: `/health`, signing in and out, and notes."""

import threading
import time
from collections.abc import Callable, Iterable
from http.cookies import CookieError, SimpleCookie
from typing import Any, Final, TypeAlias
from urllib.parse import parse_qs

from workspace_sandbox.sample_stack.inside import page
from workspace_sandbox.sample_stack.inside.calls import Failed
from workspace_sandbox.sample_stack.inside.notes import NoteStore, kept_since, make_note_stores
from workspace_sandbox.sample_stack.inside.rows import Note
from workspace_sandbox.sample_stack.inside.sign_in import CALLBACK, Entrance, NotLetIn, Session
from workspace_sandbox.sample_stack.inside.values import Values

Environ: TypeAlias = dict[str, Any]
Answer: TypeAlias = tuple[str, list[tuple[str, str]], str]
Start: TypeAlias = Callable[[str, list[tuple[str, str]]], object]

HTML, TEXT = "text/html; charset=utf-8", "text/plain; charset=utf-8"
HEALTHY_S: Final = 3.0
"""Seconds for which a result about its health is kept: asking costs a call of each system."""
MOST_FORM: Final = 10_000
SAFE: Final = [
    ("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; form-action *"),
    ("Referrer-Policy", "no-referrer"),
    ("X-Content-Type-Options", "nosniff"),
    ("Cache-Control", "no-store"),
]
NOBODY: Final = Session(username="everybody", administrator=False, id_token="", token="")


class Web:
    """One web part: `Web(told(os.environ))`."""

    def __init__(self, values: Values) -> None:
        self._values = values
        self._places: list[NoteStore] = make_note_stores(values)
        self._entrance = Entrance(values.sign_in, values.url) if values.sign_in else None
        self._health: tuple[float, str] = (0.0, "")
        self._lock = threading.Lock()

    def __call__(self, environ: Environ, start: Start) -> Iterable[bytes]:
        status, headers, body = self._answer(environ)
        content = body.encode()
        start(status, [*headers, *SAFE, ("Content-Length", str(len(content)))])
        return [content]

    def _answer(self, environ: Environ) -> Answer:
        routes: dict[tuple[str, str], Callable[[Environ], Answer]] = {
            ("GET", "/health"): self._show_health,
            ("GET", "/"): self._show,
            ("GET", "/sign-in"): self._begin,
            ("GET", CALLBACK): self._finish,
            ("POST", "/notes"): self._note,
            ("POST", "/sign-out"): self._end,
        }
        route = routes.get((environ["REQUEST_METHOD"], environ.get("PATH_INFO") or "/"))
        try:
            return (
                route(environ) if route else self._said("404 Not Found", "There is no such page.")
            )
        except NotLetIn:
            text = "You are not among those who may use this stack. Ask whoever owns it."
            return self._said("403 Forbidden", text)
        except Failed as failed:
            return self._said("502 Bad Gateway", f"It did not work: {failed}.")

    # --- health -----------------------------------------------------------------------------------

    def _show_health(self, _environ: Environ) -> Answer:
        """Its name, once it reached everything it was given; what it cannot reach yet, else."""
        with self._lock:
            at, trouble = self._health
            if time.monotonic() - at > HEALTHY_S or not at:
                trouble = self._trouble()
                self._health = (time.monotonic(), trouble)
        name = self._values.name
        if trouble:
            return "503 Service Unavailable", [("Content-Type", TEXT)], f"not yet: {trouble}\n"
        return "200 OK", [("Content-Type", TEXT)], f"ok {name}\n"

    def _trouble(self) -> str:
        found = []
        reached: list[tuple[str, Callable[[], None]]] = [
            (one.name, one.reach) for one in self._places
        ]
        if self._entrance:
            reached.append(("sign-in", self._entrance.reach))
        for name, reach in reached:
            try:
                reach()
            except Failed as failed:
                found.append(f"{name} ({failed})")
        return ", ".join(found)

    # --- signing in -------------------------------------------------------------------------------

    def _begin(self, _environ: Environ) -> Answer:
        if self._entrance is None:
            return _redirect("/")
        address, state = self._entrance.begin()
        return _redirect(address, self._cookie("begun", state, 600))

    def _finish(self, environ: Environ) -> Answer:
        query = parse_qs(environ.get("QUERY_STRING", ""))
        code, state = (query.get(name, [""])[0] for name in ("code", "state"))
        if self._entrance is None or not code:
            return self._said("400 Bad Request", "The identity provider did not let you in.")
        number = self._entrance.finish(state, _cookies(environ).get("begun", ""), code)
        return _redirect("/", self._cookie("session", number, 3600), self._cookie("begun", "", 0))

    def _end(self, environ: Environ) -> Answer:
        session, _ = self._who(environ)
        if session is None or not _brings(environ, session):
            return self._said("403 Forbidden", "This form is not from here.")
        assert self._entrance
        address = self._entrance.end(_cookies(environ).get("session", ""))
        return _redirect(address, self._cookie("session", "", 0))

    def _who(self, environ: Environ) -> tuple[Session | None, str]:
        """Return who is signed in; without a sign-in everybody is."""
        if self._entrance is None:
            return NOBODY, "no sign-in"
        session = self._entrance.session(_cookies(environ).get("session", ""))
        return session, "administrator" if session and session.administrator else "user"

    def _cookie(self, name: str, value: str, seconds: int) -> tuple[str, str]:
        secure = "; Secure" if self._values.url.startswith("https:") else ""
        text = f"{name}={value}; Path=/; HttpOnly; SameSite=Lax; Max-Age={seconds}{secure}"
        return "Set-Cookie", text

    # --- notes ------------------------------------------------------------------------------------

    def _show(self, environ: Environ) -> Answer:
        session, role = self._who(environ)
        values = self._values
        if session is None:
            return _html(page.render_front_page(values.name, values.greeting))
        shown = [self._read(one) for one in self._places]
        who = page.Visitor(session.username, role, session.token)
        return _html(page.notes(values.name, values.greeting, who, shown, kept_since(values)))

    def _read(self, one: NoteStore) -> page.NoteSection:
        try:
            return page.NoteSection(one.name, one.read())
        except Failed as failed:
            return page.NoteSection(one.name, [], f"{failed}")

    def _note(self, environ: Environ) -> Answer:
        session, _ = self._who(environ)
        if session is None or not _brings(environ, session):
            return self._said("403 Forbidden", "This form is not from here.")
        text = _form(environ).get("said", "")
        if text.strip():
            note = Note.now(session.username, text)
            for one in self._places:
                one.write(note)
        return _redirect("/")

    def _said(self, status: str, text: str) -> Answer:
        return status, [("Content-Type", HTML)], page.render_message(self._values.name, text)


def _html(text: str) -> Answer:
    return "200 OK", [("Content-Type", HTML)], text


def _redirect(address: str, *cookies: tuple[str, str]) -> Answer:
    return "303 See Other", [("Location", address), *cookies], ""


def _cookies(environ: Environ) -> dict[str, str]:
    try:
        found = SimpleCookie(environ.get("HTTP_COOKIE", ""))
    except CookieError:
        return {}
    return {name: one.value for name, one in found.items()}


def _form(environ: Environ) -> dict[str, str]:
    """Return the fields of a form, which is read once and then kept."""
    if "sample.form" not in environ:
        length = environ.get("CONTENT_LENGTH") or "0"
        size = min(int(length), MOST_FORM) if length.isdigit() else 0
        fields = parse_qs(environ["wsgi.input"].read(size).decode("utf-8", "replace"))
        environ["sample.form"] = {name: values[0] for name, values in fields.items()}
    found: dict[str, str] = environ["sample.form"]
    return found


def _brings(environ: Environ, session: Session) -> bool:
    return _form(environ).get("token", "") == session.token
