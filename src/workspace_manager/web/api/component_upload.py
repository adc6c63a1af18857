"""`POST /components` with a form: a component whose content is an uploaded file.

See docs/explanation/snapshots.md#from-a-file.
"""

import functools
from collections.abc import Callable, Iterator
from typing import Annotated, Any, Final, Literal, TypeVar

from django.http import HttpRequest, HttpResponse
from ninja.errors import ValidationError
from ninja.operation import Operation
from pydantic import BeforeValidator
from pydantic import ValidationError as Unfit

from workspace_manager.contract.member_description import ID, describe
from workspace_manager.records.models import Component, Person, Plan
from workspace_manager.snapshots.upload import UploadOrder, create_from_file
from workspace_manager.web.api.chosen_project import own_or_shared
from workspace_manager.web.api.inputs import Id, Input, Label
from workspace_manager.web.api.unknown import VALUES, Reading
from workspace_manager.web.uploads import FORM, is_upload, read_form
from workspace_manager.wiring import connected_systems

PartKind = Literal["sql_database", "triplestore_repository"]
TAKES_FORM: Final = "takes_form"

View = TypeVar("View", bound=Callable[..., Any])


class NewUpload(Input):
    """The members of the form that stand before the file."""

    kind: Annotated[PartKind, describe("What is to be made.")]
    label: Annotated[Label, describe("What people call it.", "Notes")]
    project: Annotated[
        Id | None,
        BeforeValidator(lambda sent: sent or None),
        describe("The project whose members may use it (its id); empty: for yourself.", ID),
    ] = None


def _describe_form() -> dict[str, Any]:
    schema = NewUpload.model_json_schema()
    schema["properties"]["content"] = {
        "type": "string",
        "format": "binary",
        "description": (
            "The file, as the last member: a dump of the SQL server’s product, or N-Quads; plain, "
            "or compressed with gzip or zstd. A download of a snapshot fits."
        ),
    }
    schema["required"] = [*schema["required"], "content"]
    return schema


DOCUMENTED: Final[dict[str, Any]] = {
    "requestBody": {"content": {FORM: {"schema": _describe_form()}}}
}
"""What the framework does not know of the body."""


def takes_form(view: View) -> View:
    """Mark a route whose body may be a form, too; it reads that itself."""
    setattr(view, TAKES_FORM, True)
    return view


def accept_form(operation: Operation) -> None:
    """Have the framework leave the form of such a route alone: it would read it into memory."""
    if not getattr(operation.view_func, TAKES_FORM, False):
        return
    reading: Reading = getattr(operation, VALUES)
    names = [name for model in operation.models for name in model.model_fields]

    @functools.wraps(reading)
    def either(request: HttpRequest, path: Any, response: HttpResponse) -> dict[str, Any]:
        if not is_upload(request):
            return reading(request, path, response)
        return {**dict.fromkeys(names), operation.signature.response_arg or "": response}

    setattr(operation, VALUES, either)


def create(request: HttpRequest, person: Person) -> tuple[Component, Plan]:
    """Read the form while it arrives, and store the plan that makes the component. Raises as
    `read_form` and `create_from_file` do; ValidationError for a member.
    """

    def take(members: dict[str, str], name: str, content: Iterator[bytes]) -> Any:
        asked = _validate(members)
        project = own_or_shared(person, asked.project) if asked.project else None
        order = UploadOrder(asked.kind, asked.label, project, name)
        return create_from_file(person, order, content, connected_systems())

    made: tuple[Component, Plan] = read_form(request, take)
    return made


def _validate(members: dict[str, str]) -> NewUpload:
    try:
        return NewUpload.model_validate(members)
    except Unfit as unfit:
        raise ValidationError(
            [
                {"type": one["type"], "loc": ("body", "body", *one["loc"]), "msg": one["msg"]}
                for one in unfit.errors()
            ]
        ) from None
