"""A message is a code with parameters, put into words when it is shown
(docs/explanation/messages.md).

A sentence that is stored as a sentence can be neither translated nor compared. So whoever says
something names it: `message("drive.no_answer", seconds=30)`. The English text stands in the
`messages.py` of the folder that says it, the German one in the `.po` file beside it, under the code
as its context. `in_words` uses the standard library's gettext alone: contract and systems know no
web framework.

Two messages are the same when code and parameters are. The English text is kept with a stored
message, and shown when its code is no longer known: an upgrade or an uninstalled system leaves
nothing unreadable.
"""

import gettext
import string
from collections.abc import Mapping
from datetime import UTC, datetime, tzinfo
from functools import cache, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Final, TypeAlias, Union

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, field_validator

from workspace_manager.contract.earlier_names import keep_earlier_names
from workspace_manager.contract.member_description import describe
from workspace_manager.contract.storable import storable

MONTHS: Final = {
    "en": "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec",
    "de": "Jan.|Feb.|März|April|Mai|Juni|Juli|Aug.|Sept.|Okt.|Nov.|Dez.",
}
"""As the pages write them, so that a day has one form."""
QUOTED: Final = "quoted"
"""The code of another system's own words, or a person's: shown as they are, in every language."""

Text: TypeAlias = Annotated[str, AfterValidator(storable)]
"""Whatever somebody else said: a message that was made can be stored, and a stored one shown."""


class Person(BaseModel):
    """A person's user name: never translated, and never the beginning of a sentence's grammar."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    person: Annotated[Text, describe("A user name, as it is.", "anna")]


class Moment(BaseModel):
    """A moment in UTC, shown in the reader's time zone."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    at: Annotated[datetime, describe("A moment in UTC.", "2026-03-02T08:15:00Z")]


class Message(BaseModel):
    """One thing to say. Made by a folder's `message(…)`, never by hand.

    `english` is what it said when it was made; it counts for nothing when two messages are
    compared.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    code: Annotated[str, describe("Which message it is.", "engine.waits_for")]
    params: Annotated[dict[str, "Param"], describe("What the message is about.", {"n": 2})] = Field(
        default_factory=dict
    )
    english: Annotated[
        Text, describe("What it said in English when it was made.", "waits for step 2")
    ] = ""

    @field_validator("params", mode="before")
    @classmethod
    def _times(cls, params: Any) -> Any:
        if not isinstance(params, Mapping):
            return params
        return {
            name: Moment(at=value.astimezone(UTC)) if isinstance(value, datetime) else value
            for name, value in params.items()
        }

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Message):
            return NotImplemented
        return (self.code, self.params) == (other.code, other.params)

    def __hash__(self) -> int:
        return hash((self.code, repr(sorted(self.params.items()))))

    def __str__(self) -> str:
        return self.english


# pydantic resolves it later
Param: TypeAlias = Union[int, Text, Person, Moment, Message]  # noqa: UP007
Message.model_rebuild()

Words: TypeAlias = Message | str
"""A message; or the words of somebody else, which are quoted."""

English: TypeAlias = str | tuple[str, str]
"""A sentence with `{name}` for its parameters; of a pair, the parameter `n` decides: one,
or more.
"""


class Catalogue:
    """The English sentences of one folder, by key, and where their translations are: beside the
    module, or the folder `messages` where they are a table for each subject.

    Calling it makes a message: `message = Catalogue("drive", __file__, {…})`, then
    `message("no_answer", seconds=30)`. `name` is the first part of every code; no two catalogues
    may have one. `codes`: the codes of sentences that stood in another catalogue before, by key;
    codes are stored, and a sentence that moves keeps its code. Raises KeyError for an unknown key
    and ValueError for parameters that the sentence does not have, or lacks.
    """

    def __init__(
        self,
        name: str,
        file: str,
        english: Mapping[str, English],
        *,
        codes: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.name = name
        self.file = Path(file)
        if self.file.name == "__init__.py":
            self.file = self.file.parent
        self.english = dict(english)
        self.codes = dict(codes)
        _catalogues[name] = self
        _moved.update({code: (self, key) for key, code in codes.items()})

    def __call__(self, key: str, **params: "int | str | datetime | Person | Message") -> Message:
        asked = fields(self.english[key])
        if asked != params.keys():
            raise ValueError(f"{self.name}.{key} takes {sorted(asked)}, not {sorted(params)}")
        bare = Message.model_validate({"code": self.code(key), "params": params})
        return bare.model_copy(update={"english": in_words(bare)})

    def code(self, key: str) -> str:
        """The code of a sentence's messages, which is also its context in the translations."""
        return self.codes.get(key, f"{self.name}.{key}")

    def translation(self, language: str) -> gettext.NullTranslations:
        """The catalogue's sentences in a language; English where there is no file for it."""
        return _translation(self.file.with_suffix(f".{language}.mo"))


_catalogues: dict[str, Catalogue] = {}
_moved: dict[str, tuple[Catalogue, str]] = {}
"""Sentences whose code names another catalogue than the one they stand in."""


def catalogues() -> Mapping[str, Catalogue]:
    """Every catalogue whose `messages` module was imported, by name."""
    return _catalogues


@cache
def fields(english: English) -> frozenset[str]:
    """The names of the parameters of a sentence; `n` is one of every sentence that has a plural.
    Read once: a sentence is made and said many times.
    """
    forms = (english,) if isinstance(english, str) else english
    named = {name for form in forms for _, name, _, _ in string.Formatter().parse(form) if name}
    return frozenset(named if isinstance(english, str) else named | {"n"})


@lru_cache(maxsize=64)
def _translation(file: Path) -> gettext.NullTranslations:
    if not file.is_file():
        return gettext.NullTranslations()
    with file.open("rb") as compiled:
        return gettext.GNUTranslations(compiled)


def quote_words(words: Words) -> Message:
    """A message as it is; somebody else's words as a message that quotes them."""
    if isinstance(words, Message):
        return words
    return Message(code=QUOTED, params={"text": words}, english=words)


def in_words(message: Message, language: str = "en", zone: tzinfo = UTC) -> str:
    """The message as a sentence. A code that nobody knows any more is said in the English it was
    stored with.
    """
    if message.code == QUOTED:
        return str(message.params["text"])
    name, _, key = message.code.partition(".")
    catalogue, key = _moved.get(message.code, (_catalogues.get(name), key))
    english = catalogue.english.get(key) if catalogue else None
    if catalogue is None or english is None or fields(english) != message.params.keys():
        return message.english
    said = {one: _said(value, language, zone) for one, value in message.params.items()}
    translation = catalogue.translation(language)
    if isinstance(english, str):
        template = translation.pgettext(message.code, english)
    else:
        n = message.params["n"]
        many = n if isinstance(n, int) else 2
        template = translation.npgettext(message.code, *english, many)
    return template.format(**said)


def _said(value: Param, language: str, zone: tzinfo) -> str | int:
    match value:
        case Person():
            return value.person
        case Moment():
            at = value.at.astimezone(zone)
            months = MONTHS.get(language, MONTHS["en"]).split("|")
            return (
                f"{at.day}{'.' if language == 'de' else ''} {months[at.month - 1]} {at:%Y, %H:%M}"
            )
        case Message():
            return in_words(value, language, zone)
        case _:
            return value


keep_earlier_names(__name__, quoted="quote_words")
