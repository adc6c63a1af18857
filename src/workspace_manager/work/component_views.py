"""Components as every door shows them."""

from collections.abc import Iterable, Iterator, Sequence
from operator import methodcaller
from typing import Annotated, Any, Final, Literal, NamedTuple
from uuid import UUID

from pydantic import BeforeValidator, Field

from workspace_manager.accounts.views import AccountView
from workspace_manager.contract.member_description import SystemName, UserName, Uuid, describe
from workspace_manager.core.views import SAID, View
from workspace_manager.records.models import Account, Component, Person, ServiceKey
from workspace_manager.work import placing
from workspace_manager.work.component_systems import system_of, system_states
from workspace_manager.work.rows import columns, values
from workspace_manager.work.wait_reasons import explain_waits

Kind = Literal["sql_database", "triplestore_repository", "knowledge_stack"]
MadeState = Literal["creating", "ready", "waiting", "failed", "deleting"]
"""How what somebody made in the systems stands."""


class ComponentView(View):
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
        list[AccountView],
        describe("Whose accounts open it; of a knowledge stack, the accounts it has of its own."),
    ]
    template: Annotated[
        str | None,
        Field(validation_alias="made_from"),
        BeforeValidator(methodcaller("get", "template")),
        describe("Of a knowledge stack: the template it was made from.", "herbarium"),
    ]
    stack: Annotated[
        Uuid | None, Field(validation_alias="stack_id"), describe("The stack it is a part of.")
    ]
    reason: Annotated[
        str,
        SAID,
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
    project: UUID | None
    state: str
    address: str
    made_from: dict[str, Any]
    stack_id: UUID | None
    public_read: bool


COLUMNS: Final = columns(Row._fields)


def view_component(component: Component, reader: Person) -> ComponentView:
    """One component for somebody who may see it."""
    (view,) = view_components([values(component, Row._fields)], reader)
    return view


def view_components(rows: Iterable[Any], reader: Person) -> list[ComponentView]:
    """Each of many, with as many queries as for one. `rows`: the values of `COLUMNS`."""
    components = [Row(*one) for one in rows]
    owners = {component.owner_id for component in components}
    accounts = list(Account.objects.filter(person__in=owners, gone_at=None, machine=False))
    stacks = [one.id for one in components if one.kind == Component.Kind.KNOWLEDGE_STACK]
    keys = list(ServiceKey.objects.filter(used_by__in=stacks)) if stacks else []
    reasons, states = explain_waits(components), system_states(one.kind for one in components)
    return [
        ComponentView(
            **component._asdict(),
            system=system_of(component.kind),
            system_state=states[system_of(component.kind)],
            accounts=list(_accounts(component, accounts, keys)),
            reason=reasons.get(component.id, ""),
            mine=component.owner_id == reader.id,
        )
        for component in components
    ]


def _accounts(
    component: Row, accounts: Sequence[Account], keys: Sequence[ServiceKey]
) -> Iterator[AccountView]:
    own = placing.KINDS[Component.Kind(component.kind)].account
    for key in keys:
        if own is None and key.used_by_id == component.id:
            yield AccountView(system=key.system, kind=f"{key.system}.user", name=key.account)
    for row in accounts:
        if own and row.person_id == component.owner_id and row.kind == own.kind:
            yield AccountView.from_row(row)
