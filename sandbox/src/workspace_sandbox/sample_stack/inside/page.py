"""The page: what was noted, wherever it was written, and the form that notes more."""

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from string import Template

_PAGE = Template("""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>$name</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>body{font:1rem/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem}
section{border:1px solid #8a8a8a;border-radius:.4rem;padding:0 1rem;margin:1rem 0}</style></head>
<body><main><h1>$name</h1>$inside</main></body></html>
""")


@dataclass(frozen=True)
class NoteSection:
    """One place and what is in it, or why that cannot be said."""

    name: str
    lines: list[str]
    trouble: str = ""


@dataclass(frozen=True)
class Visitor:
    """The person who looks at the page. `token`: the value that a form must send back; "" without a
    sign-in.
    """

    name: str
    role: str
    token: str


def page(name: str, inside: str) -> str:
    return _PAGE.substitute(name=escape(name), inside=inside)


def render_message(name: str, text: str) -> str:
    """Return a page with one sentence."""
    return page(name, f"<p>{escape(text)}</p><p><a href='/'>Back</a></p>")


def render_front_page(name: str, greeting: str) -> str:
    """Return the page for somebody who is not signed in."""
    return page(name, f"{_greeting(greeting)}<p><a href='/sign-in'>Sign in</a></p>")


def notes(name: str, greeting: str, who: Visitor, places: Iterable[NoteSection], since: str) -> str:
    """Return the page for somebody who is signed in."""
    token = f"<input type='hidden' name='token' value='{who.token}'>"
    form = (
        f"<form method='post' action='/notes'>{token}"
        "<p><label>Note <input name='said' required maxlength='500'></label> "
        "<button>Write it down</button></p></form>"
    )
    out = f"<form method='post' action='/sign-out'>{token}<button>Sign out</button></form>"
    head = f"<p>Signed in as <strong>{escape(who.name)}</strong> ({escape(who.role)}).</p>"
    kept = f"<p id='since'>Its volume is kept since {escape(since)}.</p>" if since else ""
    parts = "".join(_section(one) for one in places)
    return page(name, _greeting(greeting) + head + form + parts + kept + (out if who.token else ""))


def _section(one: NoteSection) -> str:
    lines = "".join(f"<li>{escape(line)}</li>" for line in one.lines) or "<li>nothing yet</li>"
    inside = f"<p role='alert'>{escape(one.trouble)}</p>" if one.trouble else f"<ul>{lines}</ul>"
    return f"<section id='{escape(one.name)}'><h2>{escape(one.name)}</h2>{inside}</section>"


def _greeting(text: str) -> str:
    return f"<p id='greeting'>{escape(text)}</p>" if text else ""
