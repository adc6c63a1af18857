"""What somebody uses of things that others own, as a suspension takes it and its end gives it back.

What is given back is asked from the records once more at the moment of acting: a membership may
have ended meanwhile, and a right that came with it must not come back.
"""

from workspace_manager.contract.connector import Change
from workspace_manager.contract.system import Wish
from workspace_manager.core import access
from workspace_manager.records.models import Account, Component, Person, Project
from workspace_manager.systems.ontology_editor import names as ontology_names
from workspace_manager.systems.triplestore import names as triplestore_names
from workspace_manager.work import repositories
from workspace_manager.work.sharing import EDITOR_USER, MEMBERSHIP, desired


def shared_with(person: Person) -> tuple[Wish, ...]:
    """Every membership in an ontology project, by the account that is recorded."""
    account = Account.objects.filter(kind=EDITOR_USER, person=person, gone_at=None).first()
    if account is None:
        return ()
    rows = Project.objects.exclude(ontology_project_id="").select_related("owner").order_by("id")
    return tuple(
        Wish(
            MEMBERSHIP,
            ontology_names.membership(project.ontology_project_id, account.name),
            {"permission": permission},
        )
        for project in rows
        for permission in [access.ontology_permission(person, project)]
        if permission
    )


def on_return(change: Change) -> Change:
    """What the end of a suspension gives back now: of what was taken, all that nobody took for good
    meanwhile.
    """
    if change.kind == MEMBERSHIP:
        return desired(change)
    rights = (change.after or {}).get("given_back")
    if change.kind != repositories.USER or not isinstance(rights, list):
        return change
    person = Person.objects.filter(id=change.subject).first()
    allowed = set(repositories.rights(person)) if person else set()
    kept = [right for right in rights if right in allowed or not _ours(str(right))]
    return change.model_copy(update={"after": {**(change.after or {}), "given_back": kept}})


def _ours(right: str) -> bool:
    """Whether a right is about a repository of ours, so that our records say who has it."""
    repository = triplestore_names.repository_of(right)
    return Component.objects.filter(name=repository or "").exists()
