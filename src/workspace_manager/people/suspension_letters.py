"""Letters to suspended people, once everything is shut and once it is open again; without the
reason, which is for administrators.
"""

from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.letters import change_notices
from workspace_manager.letters.messages import message
from workspace_manager.records.models import Person, Plan, Suspension


def suspension_stands(plan: Plan, _systems: ConnectedSystems) -> None:
    """Tell the person of a suspension once, and again of another end."""
    row = Suspension.objects.filter(person__id=plan.subject).select_related("person").first()
    if plan.state != Plan.State.DONE or row is None:
        return
    if row.person.state == Person.State.SUSPENDED:
        until = row.until
        what = message("suspended.until", until=until) if until else message("suspended")
        about = until.isoformat() if until else ""
        change_notices.tell([row.person], what, about=about, since=row.since)


def back_in(plan: Plan, _systems: ConnectedSystems) -> None:
    """Tell the person that everything is given back."""
    here = Person.objects.filter(id=plan.subject, state=Person.State.ACTIVE)
    if plan.state == Plan.State.DONE:
        change_notices.tell(here, message("resumed"), about=str(plan.id), since=plan.created_at)
