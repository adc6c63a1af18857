"""Everything that people read: catalogues, pages, e-mails, OpenAPI, `--help`, and the documentation
for people who use or run the product.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import click
from babel.messages.pofile import read_po

from tests.openapi import rest_document
from workspace_manager.cli.__main__ import main

ROOT: Final = Path(__file__).resolve().parents[2]
PACKAGE: Final = ROOT / "src/workspace_manager"
PAGES: Final = ("explanation", "howto", "tutorial")
NO_PROSE: Final = re.compile(r"```[\s\S]*?```|`[^`]*`|\]\([^)]*\)")
"""Code, and where a link leads."""
TEXTS_OF_OPENAPI: Final = {"description", "summary"}


def texts_of(value: str | Iterable[str] | None) -> tuple[str, ...]:
    """One text, or those of a singular and its plural."""
    return (value,) if isinstance(value, str) else tuple(value or ())


def catalogue_texts() -> Iterator[tuple[str, str, str]]:
    """Language, place and text of every message; pages and e-mails are made of these."""
    for file in sorted(PACKAGE.rglob("*.po")):
        for message in read_po(file.open("rb"), locale="de"):
            where = f"{file.relative_to(PACKAGE)}: {message.context or message.id}"
            for text in texts_of(message.id):
                yield "en", where, text
            for text in texts_of(message.string) if message.id else ():
                yield "de", where, text


def documentation_texts() -> Iterator[tuple[str, str]]:
    """Yield the file and the text of each paragraph, without code and addresses."""
    files = [ROOT / "README.md", *(one for page in PAGES for one in ROOT.glob(f"docs/{page}/*.md"))]
    for file in sorted(files):
        for paragraph in NO_PROSE.sub(" ", file.read_text()).split("\n\n"):
            yield str(file.relative_to(ROOT)), " ".join(paragraph.split())


def openapi_texts() -> Iterator[tuple[str, str]]:
    """Where and text of every summary and description."""

    def below(value: Any, where: str) -> Iterator[tuple[str, str]]:
        if isinstance(value, dict):
            for key, one in value.items():
                if key in TEXTS_OF_OPENAPI and isinstance(one, str):
                    yield f"{where}.{key}", one
                else:
                    yield from below(one, f"{where}.{key}")
        elif isinstance(value, list):
            for one in value:
                yield from below(one, where)

    yield from below(rest_document(), "openapi")


def help_texts() -> Iterator[tuple[str, str]]:
    """Command and text of every `--help`, without the names of commands and options."""

    def below(command: click.Command, path: str) -> Iterator[tuple[str, str]]:
        yield path, command.help or ""
        yield path, command.short_help or ""
        for parameter in command.params:
            if isinstance(parameter, click.Option):
                yield f"{path} {parameter.opts[0]}", parameter.help or ""
        if isinstance(command, click.Group):
            context = click.Context(command)
            for name in command.list_commands(context):
                one = command.get_command(context, name)
                if one:
                    yield from below(one, f"{path} {name}")

    yield from below(main, "workspace-manager")
