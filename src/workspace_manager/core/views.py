"""A thing as every door shows it: one model beside its story, read from the row
(docs/decisions/0060-one-view-of-each-thing.md).

REST answers the view, the command line prints it, and files hold it. Texts are in the language and
the time zone of whoever reads.
"""

from collections.abc import Iterable
from functools import cache
from typing import Annotated, Any, Self, TypeAlias

from django.utils import timezone
from django.utils.translation import get_language
from pydantic import (
    AliasChoices,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    WithJsonSchema,
    model_validator,
)

from workspace_manager.contract.member_description import describe
from workspace_manager.contract.message import Message, in_words
from workspace_manager.core.messages import StoredMessage, encode_message, parse_message


def language() -> str:
    """The language of whoever reads."""
    return (get_language() or "en").partition("-")[0]


def as_text(value: StoredMessage | None) -> str:
    """A message as plain text, in the reader's language and time zone; "" where there is none."""
    if not value:
        return ""
    told = value if isinstance(value, Message) else parse_message(value)
    return in_words(told, language(), timezone.get_current_timezone())


class CodedMessage(BaseModel):
    """A message as data: a code and its parameters. A moment is `{at}`; a message within has this
    shape again.
    """

    code: Annotated[str, describe("Which message it is.", "web.not_here")]
    params: Annotated[dict[str, Any], describe("What the message is about.", {})]

    @model_validator(mode="before")
    @classmethod
    def _of_message(cls, value: Any) -> Any:
        return encode_message(value) if isinstance(value, Message) else value


SAID: Any = BeforeValidator(lambda value: as_text(value) if isinstance(value, Message) else value)
"""Makes a text of a message."""
OR_NONE: Any = BeforeValidator(lambda value: value or None)
"""Shows a blank as null."""
OptionalText: TypeAlias = Annotated[str | None, OR_NONE]


def one_of(words: Iterable[str]) -> Any:
    """Declares that a text is one of a set."""
    return WithJsonSchema({"type": "string", "enum": list(words)})


def as_data(text: str) -> Any:
    """Declares `…_message`: the message of the member `text`, as code and parameters."""
    return Field(validation_alias=AliasChoices(f"{text}_message", text))


class View(BaseModel):
    """A thing as every door shows it."""

    model_config = ConfigDict(frozen=True, populate_by_name=True)

    @classmethod
    def from_row(cls, row: object, **more: Any) -> Self:
        """Read a row; `more` is what its columns do not say."""
        # Not in the configuration: an answer would be read anew for each model it may be.
        if not more:
            return cls.model_validate(row, from_attributes=True)
        # A dictionary is read in a third of the time.
        names = _properties(cls, row.__class__)  # type: ignore[arg-type]  # classes have a hash
        properties = {name: getattr(row, name) for name in names}
        # Whoever asks is a `LazyObject` around the row of the person.
        columns = vars(getattr(row, "_wrapped", row))
        return cls.model_validate({**columns, **properties, **more}, from_attributes=True)


@cache
def _properties(view: type[View], row: type) -> tuple[str, ...]:
    """Return which members of a view are properties of a row."""
    return tuple(
        name for name in view.model_fields if isinstance(getattr(row, name, None), property)
    )
