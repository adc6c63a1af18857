"""Shapes of answers of the ontology editor, checked before use."""

from typing import TypeVar

from pydantic import BaseModel, ConfigDict, Field, JsonValue, TypeAdapter, ValidationError

from workspace_manager.contract.answer import Answer
from workspace_manager.contract.errors import Invalid
from workspace_manager.systems.ontology_editor.messages import message

T = TypeVar("T")


class Language(BaseModel):
    """A project's language; a project made with an empty tag has none."""

    model_config = ConfigDict(frozen=True)
    lang: str = ""


class Project(BaseModel):
    """A project in the answer about a single one, where the id is `_id`.

    See docs/systems/ontology-editor.md#reading-projects.
    """

    model_config = ConfigDict(frozen=True)
    id: str = Field(alias="_id")
    title: str = Field(alias="displayName")
    description: str
    owner: str
    in_trash: bool = Field(alias="inTrash")
    language: Language = Field(default=Language(), alias="defaultLanguage")


class ProjectEntry(BaseModel):
    """A project in the list, where the id is `projectId`.

    See docs/systems/ontology-editor.md#reading-projects.
    """

    model_config = ConfigDict(frozen=True)
    id: str = Field(alias="projectId")
    title: str = Field(alias="displayName")
    description: str
    owner: str
    in_trash: bool = Field(alias="inTrash")


PROJECT = TypeAdapter(Project)
LIST = TypeAdapter(list[ProjectEntry])


def parse_entry(entry: object) -> ProjectEntry | None:
    """Return a project of a list; None for an entry of another shape."""
    try:
        return ProjectEntry.model_validate(entry)
    except ValidationError:
        return None


def parse(answer: Answer, shape: TypeAdapter[T], found: JsonValue) -> T:
    """Check a decoded answer. Raises Invalid without repeating any of it."""
    try:
        return shape.validate_python(found)
    except ValidationError:
        # The chained error would repeat the answer.
        raise answer.error(Invalid, message("other_shape", shape=answer.shape)) from None
