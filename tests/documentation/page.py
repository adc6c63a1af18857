"""A page of the documentation as somebody follows it: what is typed, what is printed, what is done
in a browser.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"
ROOM_FOR_ANYTHING = "…"
LATER = "A few seconds later"
ID = re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b")
SHORT_ID = re.compile(r"(?<![0-9a-f-])[0-9a-f]{8}(?![0-9a-f-])")


@dataclass(frozen=True)
class Typed:
    """A command, and what the page says it prints. `later`: it may take some seconds to be so."""

    section: str
    command: str
    printed: tuple[str, ...]
    later: bool


@dataclass(frozen=True)
class Clicked:
    """What somebody does in a browser."""

    section: str
    who: str
    words: str


def shell_blocks(text: str) -> list[str]:
    """Return the blocks of shell commands, in order."""
    return re.findall(r"^```sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def steps(page: Path) -> list[Typed | Clicked]:
    """Everything a page tells its reader to do, in order."""
    return list(_steps(page.read_text().splitlines()))


def _steps(lines: list[str]) -> Iterator[Typed | Clicked]:
    section, before, n = "", "", 0
    while n < len(lines):
        line = lines[n]
        if line.startswith("## "):
            section = line.removeprefix("## ")
        if line == "```console":
            end = lines.index("```", n + 1)
            yield from _typed(section, lines[n + 1 : end], later=LATER in before)
            n, before = end, ""
        elif line.startswith("- *"):
            while lines[n + 1].startswith("  "):
                n += 1
                line += f" {lines[n].strip()}"
            _, who, words = line.split("*", 2)
            yield Clicked(section, who, words.strip())
        elif line:
            before += f" {line}"
        elif lines[n + 1] != "```console":
            before = ""
        n += 1


def _typed(section: str, lines: list[str], *, later: bool) -> Iterator[Typed]:
    begins = [n for n, line in enumerate(lines) if line.startswith("$ ")]
    for begin, end in zip(begins, [*begins[1:], len(lines)], strict=True):
        yield Typed(section, lines[begin][2:], tuple(lines[begin + 1 : end]), later)


@dataclass
class Ids:
    """Which id of this run stands for which of the page."""

    of_the_page: dict[str, str]

    def in_command(self, command: str) -> str:
        """A command as the reader types it: with ids, or their beginnings, of their own."""
        for told, mine in self.of_the_page.items():
            command = command.replace(told, mine).replace(told[:8], mine[:8])
        left = [
            i
            for i in SHORT_ID.findall(command)
            if i not in {m[:8] for m in self.of_the_page.values()}
        ]
        assert not left, f"{left} is an id that nothing printed before"
        return command

    def fits(self, printed: tuple[str, ...], seen: str) -> bool:
        """Whether what was seen is what the page says, but for ids and `…`; learns the ids."""
        names: dict[str, str] = {}
        pattern = re.compile(
            "".join(self._part(part, names) for part in _parts("\n".join(printed)))
        )
        found = pattern.fullmatch(
            "\n".join(line.rstrip() for line in seen.strip("\n").splitlines())
        )
        if found:
            self.of_the_page |= {told: found[name] for told, name in names.items()}
        return bool(found)

    def _part(self, part: str, names: dict[str, str]) -> str:
        if part == ROOM_FOR_ANYTHING:
            return r"[\s\S]*?"
        if not ID.fullmatch(part):
            return re.escape(part)
        if part in self.of_the_page:
            return re.escape(self.of_the_page[part])
        if part in names:
            return f"(?P={names[part]})"
        names[part] = f"id{len(names)}"
        return f"(?P<{names[part]}>{ID.pattern})"


def _parts(text: str) -> list[str]:
    return [
        part for part in re.split(f"({ROOM_FOR_ANYTHING}|{ID.pattern})", text.strip("\n")) if part
    ]
