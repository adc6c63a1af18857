"""Views of components, for REST, pages and the command line."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Final, Literal, NamedTuple
from uuid import UUID

from pydantic import Field

from workspace_manager.accounts.views import AccountView
from workspace_manager.contract.member_description import SystemName, UserName, Uuid, describe
from workspace_manager.core.views import SAID, View
from workspace_manager.records.models import Account, Component, Person, ServiceKey
from workspace_manager.work import reservation
from workspace_manager.work.component_systems import system_of, system_states
from workspace_manager.work.rows import columns, values
from workspace_manager.work.wait_reasons import explain_waits

Kind = Literal["sql_database", "triplestore_repository", "knowledge_stack"]
MadeState = Literal["creating", "ready", "waiting", "failed", "deleting"]
"""The state of a component or stack."""


class ComponentView(View):
    """A component, without secrets. `accounts`: the owner of the accounts that open it."""

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
        str | None, describe("Of a knowledge stack: the template it was made from.", "herbarium")
    ]
    stack: Annotated[
        Uuid | None, Field(validation_alias="stack_id"), describe("The stack it is a part of.")
    ]
    reason: Annotated[
        str,
        SAID,
        describe("Why it failed or waits; empty where it does not.", "The engine does not answer"),
    ]
    mine: Annotated[bool, describe("Whether you own it.", True)]
    public_read: Annotated[
        bool, describe("Whether everybody may read it, without signing in: of a repository.", False)
    ]


class Row(NamedTuple):
    """The columns that a view needs."""

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
    (view,) = view_components([values(component, Row._fields)], reader)
    return view


def view_components(rows: Iterable[Any], reader: Person) -> list[ComponentView]:
    """Return views; the number of queries does not grow with the rows. `rows`: values of
    `COLUMNS`.
    """
    components = [Row(*one) for one in rows]
    accounts, reasons = _accounts(components), explain_waits(components)
    states = system_states(one.kind for one in components)
    return [
        ComponentView(
            **component._asdict(),
            system=system_of(component.kind),
            system_state=states[system_of(component.kind)],
            accounts=accounts[_opened_by(component)],
            reason=reasons.get(component.id, ""),
            template=component.made_from.get("template"),
            mine=component.owner_id == reader.id,
        )
        for component in components
    ]


def _opened_by(component: Row) -> tuple[UUID, str]:
    """Return the owner and kind of the accounts that open a component; a knowledge stack has its
    own.
    """
    own = reservation.KINDS[Component.Kind(component.kind)].account
    return (component.owner_id, own.kind) if own else (component.id, "")


def _accounts(components: Sequence[Row]) -> Mapping[tuple[UUID, str], list[AccountView]]:
    found: dict[tuple[UUID, str], list[AccountView]] = defaultdict(list)
    owners = {component.owner_id for component in components}
    for row in Account.objects.filter(person__in=owners, gone_at=None, machine=False):
        if row.person_id:
            found[row.person_id, row.kind].append(AccountView.from_row(row))
    stacks = [one.id for one in components if one.kind == Component.Kind.KNOWLEDGE_STACK]
    for key in ServiceKey.objects.filter(used_by__in=stacks) if stacks else ():
        if key.used_by_id:
            view = AccountView(system=key.system, kind=f"{key.system}.user", name=key.account)
            found[key.used_by_id, ""].append(view)
    return found
