"""Shapes of answers of the triplestore, checked before use."""

from dataclasses import dataclass
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, Field, JsonValue, TypeAdapter, ValidationError

from workspace_manager.contract.answer import Answer
from workspace_manager.contract.errors import Invalid
from workspace_manager.systems.triplestore.messages import message

T = TypeVar("T")


class Account(BaseModel):
    """An account in the server's list; OpenGDB shows a superuser as ROLE_USER."""

    model_config = ConfigDict(frozen=True)
    username: str
    authorities: tuple[str, ...] = Field(alias="grantedAuthorities")


class Repository(BaseModel):
    """A repository in the server's list; GraphDB has no public flags."""

    model_config = ConfigDict(frozen=True)
    id: str
    title: str | None = ""
    public_read: bool = Field(default=False, alias="publicRead")
    public_write: bool = Field(default=False, alias="publicWrite")


class Term(BaseModel):
    """A value in a row of a SPARQL result; `type`: uri, literal or bnode."""

    value: str
    type: str = "literal"


class _Bindings(BaseModel):
    bindings: list[dict[str, Term]]


class _Results(BaseModel):
    results: _Bindings


ACCOUNT = TypeAdapter(Account)
ACCOUNTS = TypeAdapter(list[Account])
REPOSITORY = TypeAdapter(Repository)
REPOSITORIES = TypeAdapter(list[Repository])
RESULTS = TypeAdapter(_Results)


@dataclass(frozen=True)
class Odd:
    """An entry of a list with another shape than expected. `id`: its own name, if it has one."""

    id: str
    place: int
    """Counted from 1."""

    @property
    def name(self) -> str:
        return self.id or f"#{self.place}"


def parse_entries(
    answer: Answer, shape: TypeAdapter[T], found: JsonValue, named_by: str
) -> list[T | Odd]:
    """Read the entries of a list one by one, so that an odd entry hides no other. Raises Invalid if
    every entry is odd.
    """
    entries = list(found.values()) if isinstance(found, dict) else found
    if not isinstance(entries, list):
        raise answer.error(Invalid, message("other_shape", shape=answer.shape))
    read: list[T | Odd] = []
    for place, one in enumerate(entries, start=1):
        try:
            read.append(shape.validate_python(one))
        except ValidationError:
            name = one.get(named_by) if isinstance(one, dict) else None
            read.append(Odd(name if isinstance(name, str) else "", place))
    if read and all(isinstance(one, Odd) for one in read):
        raise answer.error(Invalid, message("other_shape", shape=answer.shape))
    return read


def parse(answer: Answer, shape: TypeAdapter[T], found: JsonValue) -> T:
    """Check a decoded answer. Raises Invalid without repeating any of it."""
    try:
        return shape.validate_python(found)
    except ValidationError:
        # The chained error would repeat the answer.
        raise answer.error(Invalid, message("other_shape", shape=answer.shape)) from None


def column(answer: Answer, name: str) -> set[str]:
    """Return one column of a SPARQL result. Raises Invalid."""
    rows = parse(answer, RESULTS, answer.json()).results.bindings
    return {row[name].value for row in rows if name in row}
