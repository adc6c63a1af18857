"""Compile the translations: every `.po` that changed becomes the `.mo` beside it.

Those below `locale/*/LC_MESSAGES` are read by Django, those beside a `messages.py` or `labels.py` by the contract.

Done with Babel and not with `django-admin compilemessages`, because that needs gettext and the demo must start without it. Unlike
gettext's compiler this also refuses a translation that would break its page: a placeholder that is missing or of another name.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

SOURCE = Path(__file__).resolve().parent.parent / "src"
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|\{\w*\}")


def main(source: Path = SOURCE) -> int:
    """Compile what is older than its source; says what is wrong and gives 1 when a translation cannot be used."""
    broken: list[str] = []
    for po in sorted([*source.rglob("locale/*/LC_MESSAGES/*.po"), *source.rglob("*.??.po")]):
        mo = po.with_suffix(".mo")
        if mo.exists() and mo.stat().st_mtime > po.stat().st_mtime:
            continue
        beside = po.stem.rpartition(".")[2] if "." in po.stem else po.parent.parent.name
        with po.open("rb") as text:
            catalogue = read_po(text, locale=beside, abort_invalid=True)
        wrong = [f"{po}:{sentence}" for sentence in mistakes(catalogue)]
        broken += wrong
        if not wrong:
            with mo.open("wb") as compiled:
                write_mo(compiled, catalogue)
            print(f"compiled {mo.relative_to(source)}")
    for sentence in broken:
        print(sentence, file=sys.stderr)
    return int(bool(broken))


def mistakes(catalogue: Catalog) -> list[str]:
    """Say which translations would break the page they stand on."""
    return [
        f"{message.lineno}: {sentence}"
        for message in catalogue
        if message.id and not message.fuzzy
        for sentence in mistakes_in(message)
    ]


def mistakes_in(message: Message) -> Iterator[str]:
    """Compare placeholders; a plural form may leave one out ("one person"), but none may have another name."""
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
    sys.exit(main())
