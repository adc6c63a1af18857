"""Compile the translations: every `.po` that changed becomes the `.mo` beside it that is read.

Two kinds: `locale/de/LC_MESSAGES/django.po`, which Django reads, and `messages.de.po` beside
the module or folder that has the English. Done with Babel and not with `django-admin
compilemessages`, because that needs gettext and the demo must start without it. Unlike gettext's
compiler this also refuses a translation that would break its page: a placeholder that is missing or
of another name.

The build backend loads this file too, as its hook (pyproject.toml), so whatever is built carries
its translations.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = (ROOT / "src", ROOT / "sandbox", ROOT / "tests")
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|\{\w*\}")


class CompileMessages(BuildHookInterface[Any]):
    """Compile before a wheel is put together, or the package installed from its folder."""

    # called by name
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        if main(Path(self.root) / "src"):
            raise RuntimeError("a translation cannot be used; which and why stands above")


def main(*folders: Path) -> int:
    """Compile what is older than its source; says what is wrong and gives 1 when a translation
    cannot be used.
    """
    broken = [wrong for po, language in sources(folders) for wrong in compiled(po, language)]
    for sentence in broken:
        print(sentence, file=sys.stderr)
    return int(bool(broken))


def sources(folders: tuple[Path, ...]) -> Iterator[tuple[Path, str]]:
    """Every file of translations, and its language."""
    for folder in folders:
        for po in sorted(folder.rglob("locale/*/LC_MESSAGES/*.po")):
            yield po, po.parent.parent.name
        for po in sorted(folder.rglob("*.??.po")):
            yield po, po.name.split(".")[1]


def compiled(po: Path, language: str) -> list[str]:
    """Compile one file if it changed; gives what is wrong with it, and then leaves no `.mo`."""
    mo = po.with_suffix(".mo")
    if mo.exists() and mo.stat().st_mtime > po.stat().st_mtime:
        return []
    with po.open("rb") as text:
        catalogue = read_po(text, locale=language, abort_invalid=True)
    wrong = [f"{po}:{sentence}" for sentence in mistakes(catalogue)]
    if not wrong:
        with mo.open("wb") as written:
            write_mo(written, catalogue)
        # Not to standard output: what builds a package may talk to its caller there.
        print(f"compiled {po}", file=sys.stderr)
    return wrong


def mistakes(catalogue: Catalog) -> list[str]:
    """Say which translations would break the page they stand on."""
    return [
        f"{message.lineno}: {sentence}"
        for message in catalogue
        if message.id and not message.fuzzy
        for sentence in mistakes_in(message)
    ]


def mistakes_in(message: Message) -> Iterator[str]:
    """Compare placeholders; a plural form may leave one out ("one person"), but none may have
    another name.
    """
    known = placeholders(*ids(message))
    for translated in filter(None, translations(message)):
        if surplus := placeholders(translated) - known:
            yield f"{sorted(surplus)} is not in the text {message.id!r}"
        if len(ids(message)) == 1 and (lost := known - placeholders(translated)):
            yield f"{sorted(lost)} is missing in the translation {translated!r}"


def ids(message: Message) -> tuple[str, ...]:
    return (message.id,) if isinstance(message.id, str) else tuple(message.id)


def translations(message: Message) -> tuple[str, ...]:
    text = message.string or ""
    return (text,) if isinstance(text, str) else tuple(text)


def placeholders(*texts: str) -> set[str]:
    return {found for text in texts for found in PLACEHOLDER.findall(text)}


if __name__ == "__main__":
    sys.exit(main(*FOLDERS))
