"""Templates and knowledge stacks for tests, made by their stories."""

from tests.fake_world.world import World
from workspace_manager.knowledge_stacks import templates
from workspace_manager.knowledge_stacks.stack_choice import StackRequest
from workspace_manager.records.models import Account, Person, StackTemplate

COMPOSE = """
services:
  web:
    image: example/web:1
    environment:
      TITLE: ${TITLE}
      SECRET: ${OIDC_CLIENT_SECRET}
      DATABASE: ${SQL_USER}:${SQL_PASSWORD}@${SQL_HOST}:${SQL_PORT}/${SQL_DATABASE}
      SPARQL: ${SPARQL_URL} ${SPARQL_USER} ${SPARQL_PASSWORD}
      DRIVE: ${DRIVE_URL} ${DRIVE_LOGIN} ${DRIVE_PASSWORD}
    volumes: [files:/data]
volumes: {files: }
"""
PLAIN = "services: {web: {image: example/web:1, environment: {TITLE: '${TITLE}'}}}"
NEEDS = ("sign_in", "sql_database", "triplestore_repository", "drive")
TITLE = templates.Parameter(name="TITLE", label="Title", default="Untitled")


def draft(name: str, *, needs: tuple[str, ...] = NEEDS, compose: str = "") -> templates.Draft:
    return templates.Draft(
        name=name,
        label=name.title(),
        compose=compose or (COMPOSE if needs == NEEDS else PLAIN),
        parameters=[TITLE],
        needs=needs,
        web_service="web",
        web_port=8080,
        health_path="/health",
        open_path="/start",
    )


def offer_template(
    world: World, name: str = "sample", *, needs: tuple[str, ...] = NEEDS
) -> StackTemplate:
    """A template that everybody may make knowledge stacks from."""
    template = templates.add(draft(name, needs=needs), actor="root-admin", systems=world.systems())
    return templates.offer(template, actor="root-admin", systems=world.systems())


def with_drive(person: Person) -> Person:
    """Whose drive is connected, as far as our records know."""
    sub = f"sub-of-{person.username}"
    Account.objects.create(
        system="drive", kind="drive.account", name=sub, username=person.username, person=person
    )
    return person


def make_stack_request(name: str = "sample", title: str = "Ferns", **uses: str) -> StackRequest:
    return StackRequest(template=name, parameters={"TITLE": title}, uses=uses)
