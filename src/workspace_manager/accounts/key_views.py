"""Service keys as every door shows them."""

from collections.abc import Sequence
from typing import Annotated

from workspace_manager.accounts.keys import under_way_with
from workspace_manager.contract.member_description import UserName, Uuid, When, describe
from workspace_manager.core.views import View
from workspace_manager.records.models import Plan, ServiceKey


class KeyView(View):
    """A key without its secret. A personal one opens everything of its owner's in that system; a
    machine key one component.
    """

    id: Annotated[Uuid, describe("The id of the key.")]
    label: Annotated[str, describe("What people call it.", "Triplestore")]
    owner: Annotated[UserName, describe("Whose it is, and nobody else's.")]
    system: Annotated[str, describe("The system it opens.", "triplestore")]
    account: Annotated[str, describe("The account it is for.", "anna")]
    created_at: Annotated[When, describe("When it was made.")]
    revealed_at: Annotated[When | None, describe("When its secret was revealed.")]
    revealable: Annotated[
        bool,
        describe("Whether its secret can be revealed: not revealed yet, and no plan is at it."),
    ]
    renewed_at: Annotated[When | None, describe("When it was last renewed.")]
    component: Annotated[
        Uuid | None, describe("Of a machine key: the component it opens. null: a personal key.")
    ]
    purpose: Annotated[str, describe("Of a machine key: which program uses it.", "Nightly import")]
    used_by: Annotated[
        Uuid | None, describe("Of a machine key: the knowledge stack that it was made for.")
    ]
    plan: Annotated[
        Uuid | None, describe("The plan that makes, renews or deletes it, while one does.")
    ]


def view_key(key: ServiceKey) -> KeyView:
    """One key, without its secret."""
    (view,) = view_keys([key])
    return view


def view_keys(keys: Sequence[ServiceKey]) -> list[KeyView]:
    """Each of many, with as many queries as for one."""
    plans = under_way_with(keys)
    return [_view(key, plans.get(str(key.id))) for key in keys]


def _view(key: ServiceKey, plan: Plan | None) -> KeyView:
    return KeyView.from_row(
        key,
        owner=key.owner.username,
        revealable=key.secret is not None and key.used_by_id is None and plan is None,
        component=key.component_id,
        used_by=key.used_by_id,
        plan=plan and plan.id,
    )
