"""Templates of knowledge stacks as every door shows them."""

from typing import Annotated, Final, Literal

from pydantic import Field

from workspace_manager.contract.member_description import UserName, When, describe
from workspace_manager.core.views import View

Need = Literal["sign_in", "sql_database", "triplestore_repository", "drive"]
COMPOSE: Final = "services:\\n  web:\\n    image: registry.example.org/herbarium:4\\n"


class ParameterView(View):
    """A question to whoever creates a knowledge stack."""

    name: Annotated[str, describe("As which the compose file has it.", "TITLE")]
    label: Annotated[str, describe("What people are asked.", "Title")]
    default: Annotated[str, describe("What it is when nobody answers.", "Herbarium")]
    required: Annotated[bool, describe("Whether there has to be an answer.", False)]


class TemplateView(View):
    """A template."""

    name: Annotated[str, describe("What programs call it.", "herbarium")]
    label: Annotated[str, describe("What people call it.", "Herbarium")]
    description: Annotated[str, describe("What it is good for.", "A catalogue with pictures.")]
    state: Annotated[
        Literal["draft", "offered", "withdrawn"],
        describe(
            "`draft`: administrators may try it; `offered`: everybody may; `withdrawn`: nobody."
        ),
    ]
    compose: Annotated[str, describe("The compose file.", COMPOSE)]
    parameters: Annotated[list[ParameterView], describe("What is asked for.")]
    needs: Annotated[list[Need], describe("Which accesses it is given.", ["sign_in"])]
    web_service: Annotated[str, describe("The service that people open.", "web")]
    web_port: Annotated[int, describe("Where that service listens inside.", 8080)]
    health_path: Annotated[str, describe("What has to answer.", "/health")]
    health_text: Annotated[str, describe("What the answer has to contain.", "ready")]
    open_path: Annotated[str, describe("Where people are led to.", "/")]
    redirect_path: Annotated[
        str, describe("Where people come back to after they signed in.", "/oidc/callback")
    ]
    made: Annotated[
        int,
        Field(validation_alias="made_count"),
        describe("How many knowledge stacks are made from it.", 3),
    ]
    created_at: Annotated[When, describe("When it was added.")]
    changed_at: Annotated[When, describe("When it was last changed.")]
    created_by: Annotated[UserName, describe("Who added it.")]
