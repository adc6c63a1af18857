"""The kinds of plans there are: the one list, handed to the engine by whoever runs plans, and what
doors show.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Final

from django.db.models import Prefetch, prefetch_related_objects

from workspace_manager.accounts import keys, public_read, renewal
from workspace_manager.contract.member_description import describe
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.lists import Choice, ListSpec, Member
from workspace_manager.engine.extras import NotedView, PlanExtras
from workspace_manager.engine.kind import PlanKind
from workspace_manager.engine.note_comparison import compare_note, in_a_list
from workspace_manager.engine.view import PlanView, plan_view
from workspace_manager.operations import realm
from workspace_manager.people import confirm_email, make_accounts, suspend, undo_approval
from workspace_manager.reconcile.plan import REPAIR, SETTLE
from workspace_manager.records.models import Person, Plan, PlanStep
from workspace_manager.removal.kind import LEFT_ACCOUNT, REMOVAL
from workspace_manager.removal.preview_changes import SinceView, since_preview
from workspace_manager.removal.recheck import RECHECK
from workspace_manager.snapshots import creation, deletion, in_place_restoration, restoration
from workspace_manager.work import components, ontology_names, projects, sharing, stacks
from workspace_manager.work.project_transfer import Transferable, transfer_candidates

PLAN_KINDS: Final[Mapping[str, PlanKind]] = {
    kind.name: kind
    for kind in (
        REMOVAL,
        LEFT_ACCOUNT,
        RECHECK,
        components.CREATION,
        components.DELETION,
        stacks.CREATION,
        stacks.DELETION,
        public_read.PUBLISHING,
        creation.CREATION,
        restoration.RESTORATION,
        in_place_restoration.IN_PLACE_RESTORATION,
        deletion.DELETION,
        projects.LINKING,
        ontology_names.RENAMING,
        projects.DELETION,
        sharing.SETTLING,
        keys.CREATION,
        keys.DELETION,
        renewal.RENEWAL,
        suspend.SUSPENSION,
        suspend.RESUMPTION,
        make_accounts.MAKING,
        undo_approval.UNDOING,
        confirm_email.CONFIRMATION,
        realm.SET_UP,
        REPAIR,
        SETTLE,
    )
}
PLANS: Final = ListSpec(
    "plans_list",
    __file__,
    searched=("person", "kind"),
    order=("-created_at",),
    search_for="Search by user name",
    by_itself="the newest first",
    members=(
        Member("created_at", label="Begun", order="created_at"),
        Member("finished_at", label="Ended", order="finished_at"),
        Member(
            "state",
            Choice(tuple(map(str, Plan.State.values))),
            "State",
            "Only plans that stand so.",
            filter="state",
            order="state",
        ),
        Member(
            "kind",
            Choice(tuple(sorted(PLAN_KINDS)), "plan"),
            "Kind",
            "Only plans of this kind.",
            filter="kind",
            order="kind",
        ),
        Member(
            "person",
            label="User name",
            help="Only plans about this person.",
            example="anna",
            filter="person",
            order="person",
        ),
    ),
)


class PlanPreviewView(PlanView):
    """A plan. `digest` is opaque: echo it when you approve what you were shown. Its parts may gain
    members.
    """

    transferable: Annotated[
        tuple[Transferable, ...],
        describe(
            "Projects that the approval may hand over; of a removal that is a draft, else empty."
        ),
    ] = ()
    since_preview: Annotated[
        SinceView | None,
        describe("What joined the draft of a removal since it was made; null where nothing did."),
    ] = None


def preview_plan(plan: Plan, systems: ConnectedSystems) -> PlanPreviewView:
    """A plan; while it is the draft of a removal also what its approval may hand over, and what
    became of it since it was made: it is looked at again.
    """
    view = vars(view_plan(plan))
    draft = plan.subject and plan.state == Plan.State.DRAFT and removes_person(plan)
    leaver = Person.objects.filter(id=plan.subject).first() if draft else None
    if leaver is None:
        return PlanPreviewView(**view)
    since = since_preview(plan, systems)
    return PlanPreviewView(
        **view,
        transferable=tuple(transfer_candidates(leaver)),
        since_preview=since if since.text else None,
    )


def view_plan(plan: Plan) -> PlanView:
    """A plan as every door shows it."""
    return _view(plan, list(_STEPS.filter(plan=plan)), compare_note(plan))


def view_plans(plans: Sequence[Plan]) -> list[PlanView]:
    """Each of many plans, with as many queries as for one."""
    prefetch_related_objects(plans, Prefetch("steps", _STEPS.all(), to_attr="steps_in_order"))
    subjects = {plan.subject for plan in plans if plan.subject}
    here = Person.objects.filter(id__in=subjects).values_list("id", flat=True)
    present = {str(one) for one in here}
    for plan in plans:
        plan.subject_is_here = plan.subject in present
    return [_view(plan, plan.steps_in_order, in_a_list(plan)) for plan in plans]


_STEPS = PlanStep.objects.order_by("n").prefetch_related("changes")


def _view(plan: Plan, steps: list[PlanStep], noted: NotedView) -> PlanView:
    kind = PLAN_KINDS.get(plan.kind)
    return plan_view(plan, steps, kind.extras(plan, steps) if kind else PlanExtras(), noted)


def removes_person(plan: Plan) -> bool:
    """Return whether a plan ends somebody's stay here."""
    kind = PLAN_KINDS.get(plan.kind)
    return bool(kind and kind.removes_person)


def names_person(plan: Plan) -> bool:
    """Return whether a plan is about a person; else its `person` names what it is about."""
    kind = PLAN_KINDS.get(plan.kind)
    return kind is None or kind.names_person


def names_realm(plan: Plan) -> bool:
    """Return whether a plan is about a realm of the identity provider."""
    return plan.kind == realm.SET_UP.name
