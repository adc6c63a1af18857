"""Copy recorded exchanges into `tests/recorded/`, without the secrets in them: `python -m
tools.copy_recordings SOURCE`.

SOURCE holds folders named after the recorded systems. Tokens, passwords, keys, cookies and hashes
become placeholders of the same length; of a token its claims are noted. Bodies in HTML are cut to
their first line. Nothing is written when anything secret would survive.
"""

import argparse
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.recorded.placeholders import Claims, placeholder, redact
from tests.recorded.reading import NOT_EXCHANGES, SYSTEMS, recordings

HOME = Path("tests/recorded")
LEAST = 8
"""Characters of a secret that is also looked for where nothing marks it as one; shorter ones are
ordinary words.
"""

_HTML = re.compile(r"^< content-type: *text/html", re.IGNORECASE | re.MULTILINE)
_MACHINE = re.compile(r"/(?:home|root|Users)/[\w.]+/")
"""A path on the machine of whoever recorded."""
_LEFT = re.compile(r"eyJ[\w-]{10,}\.[\w-]+\.|\$2[aby]\$\d\d\$|BEGIN [A-Z ]*PRIVATE KEY")
_TOOL = re.compile(r"^\$ \S*/occ ", re.MULTILINE)


def main(source: Path, home: Path) -> int:
    """Copy every system's folder; give 1, and say why, when a folder is missing or a secret would
    survive.
    """
    missing = [system for system in SYSTEMS if not (source / system).is_dir()]
    if missing:
        print(f"{source}: has no folder {', '.join(missing)}")
        return 1
    copies: dict[Path, str] = {}
    bad: list[str] = []
    for system in SYSTEMS:
        found: dict[str, str] = {}
        made = dict(_copied(source / system, found))
        for name, text in made.items():
            hidden = _hidden(text, found)
            bad += [f"{system}/{name}: {what}" for what in survivors(hidden, found)]
            copies[home / system / name] = hidden
    if bad:
        print("\n".join(bad))
        return 1
    for path, text in copies.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
    print(f"{len(copies)} files copied")
    return 0


def _copied(folder: Path, found: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Every file of a folder with what is marked as secret replaced; `found` collects
    the secrets.
    """
    others = [path for path in folder.iterdir() if path.name in NOT_EXCHANGES]
    for path in [*recordings(folder), *others]:
        with path.open(encoding="utf-8", errors="replace", newline="") as file:
            text, claims = redact(file.read(), found)
        text = _TOOL.sub("$ occ ", first_line_of_pages(text))
        yield path.name, text + _notes(claims)


def first_line_of_pages(text: str) -> str:
    """Cut an answer in HTML to its first line; comments behind it stay."""
    head, gap, body = text.partition("\n\n< ")
    answer, blank, rest = body.partition("\n\n")
    if not gap or not _HTML.search(f"\n< {answer}"):
        return text
    lines = rest.split("\n")
    comments = [line for line in lines if line.startswith("# ")]
    first = next((line for line in lines if line.strip() and line not in comments), "")
    return "\n".join([f"{head}{gap}{answer}{blank}{first}", "", *comments, ""])


def _notes(claims: Claims) -> str:
    return "".join(f"# claims of {shown}: {json.dumps(said)}\n" for shown, said in claims.items())


def _hidden(text: str, found: dict[str, str]) -> str:
    """Replace what was found to be secret elsewhere also where nothing marks it so."""
    for secret in sorted(found, key=len, reverse=True):
        if len(secret) >= LEAST and secret in text:
            text = text.replace(secret, found[secret])
    return text


def survivors(text: str, found: dict[str, str]) -> Iterator[str]:
    """Return what may not be in a copy: a secret, something that looks like one, a path of
    somebody's machine.
    """
    for secret in found:
        if len(secret) >= LEAST and secret in text and placeholder(secret) != secret:
            yield "holds a secret that should have been replaced"
    if redact(text)[0] != text:
        yield "still holds something that is marked as secret"
    for pattern in (_LEFT, _MACHINE):
        if hit := pattern.search(text):
            yield f"holds {hit[0][:12]}…"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=Path)
    arguments = parser.parse_args()
    sys.exit(main(arguments.source, HOME))
