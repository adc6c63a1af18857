"""How a component is shown by the API."""

from collections.abc import Sequence
from typing import Annotated, Any, Final, Literal, NamedTuple
from uuid import UUID

from pydantic import BaseModel

from workspace_manager.contract.member_description import SystemName, UserName, Uuid, describe
from workspace_manager.records.models import Account, Component, Person, ServiceKey
from workspace_manager.web.api.lists import MadeState
from workspace_manager.web.api.rows import columns, values
from workspace_manager.web.api.shown import AccountShown
from workspace_manager.web.pages.component_systems import system_of, system_states
from workspace_manager.web.pages.translate import as_text
from workspace_manager.work import placing
from workspace_manager.work.wait_reasons import explain_waits

Kind = Literal["sql_database", "triplestore_repository", "knowledge_stack"]
PartKind = Literal["sql_database", "triplestore_repository"]


class ComponentShown(BaseModel):
    """A component; never a secret. `accounts`: whose accounts open it."""

    id: Annotated[Uuid, describe("The id of the component.")]
    kind: Annotated[Kind, describe("What it is.")]
    label: Annotated[str, describe("What people call it.", "Notes")]
    owner: Annotated[UserName, describe("Whose it is.")]
    project: Annotated[Uuid | None, describe("The project whose members may use it.")]
    state: Annotated[MadeState, describe("How it stands.")]
    system: Annotated[SystemName, describe("The system it lies in.", "sql_server")]
    system_state: Annotated[
        str,
        describe(
            "How that system stands: `up`, `degraded`, `down`, `paused` or `not_asked`. What is "
            "ready in one that is `down` or `paused` is not reached.",
            "up",
        ),
    ]
    address: Annotated[
        str,
        describe(
            "Where programs find it; empty until it is ready.",
            "mysql://sql.example.org:3306/anna_notes",
        ),
    ]
    accounts: Annotated[
        list[AccountShown],
        describe("Whose accounts open it; of a knowledge stack, the accounts it has of its own."),
    ]
    template: Annotated[
        str | None, describe("Of a knowledge stack: the template it was made from.", "herbarium")
    ]
    stack: Annotated[Uuid | None, describe("The stack it is a part of.")]
    reason: Annotated[
        str,
        describe("Why it failed or waits; empty where it does not.", "The engine does not answer"),
    ]
    mine: Annotated[bool, describe("Whether whoever asks owns it.", True)]
    public_read: Annotated[
        bool, describe("Whether everybody may read it, without signing in: of a repository.", False)
    ]


class Row(NamedTuple):
    """What is read of a component that is shown."""

    id: UUID
    kind: str
    label: str
    owner_id: UUID
    owner: str
    project_id: UUID | None
    state: str
    address: str
    made_from: dict[str, Any]
    stack_id: UUID | None
    public_read: bool


COLUMNS: Final = columns(Row._fields)


def shown(component: Component, reader: Person) -> dict[str, Any]:
    """One component for somebody who may see it."""
    (document,) = all_shown([Row(*values(component, Row._fields))], reader)
    return document


def all_shown(components: Sequence[Row], reader: Person) -> list[dict[str, Any]]:
    """Each of many, with as many queries as for one."""
    owners = {component.owner_id for component in components}
    accounts = list(Account.objects.filter(person__in=owners, gone_at=None, machine=False))
    stacks = [one.id for one in components if one.kind == Component.Kind.KNOWLEDGE_STACK]
    keys = list(ServiceKey.objects.filter(used_by__in=stacks)) if stacks else []
    reasons, states = explain_waits(components), system_states(one.kind for one in components)
    return [
        {
            **_shown(component, reader),
            "system": system_of(component.kind),
            "system_state": states[system_of(component.kind)],
            "accounts": _accounts(component, accounts, keys),
            "reason": as_text(reasons[component.id]) if component.id in reasons else "",
        }
        for component in components
    ]


def _shown(component: Row, reader: Person) -> dict[str, Any]:
    return {
        "id": str(component.id),
        "kind": component.kind,
        "label": component.label,
        "owner": component.owner,
        "project": str(component.project_id) if component.project_id else None,
        "state": component.state,
        "address": component.address,
        "template": component.made_from.get("template"),
        "stack": str(component.stack_id) if component.stack_id else None,
        "mine": component.owner_id == reader.id,
        "public_read": component.public_read,
    }


def _accounts(
    component: Row, accounts: Sequence[Account], keys: Sequence[ServiceKey]
) -> list[dict[str, str]]:
    own = placing.KINDS[Component.Kind(component.kind)].account
    if own is None:
        return [
            {"system": key.system, "kind": f"{key.system}.user", "name": key.account}
            for key in keys
            if key.used_by_id == component.id
        ]
    return [
        {"system": row.system, "kind": row.kind, "name": row.name}
        for row in accounts
        if row.person_id == component.owner_id and row.kind == own.kind
    ]
