"""Labels of the ontology editor and its things: nouns without article."""

from typing import Final

from workspace_manager.contract.message import English

LABELS: Final[dict[str, English]] = {
    "system": "ontology editor",
    "project": "ontology project",
    "membership": "membership in an ontology project",
    "user": "user id in the ontology editor",
    "not_removed": (
        "The ontology editor has no way to delete a user. Projects and memberships are "
        "removed one by one, and the name is given to nobody while a project of that "
        "name is there."
    ),
    "not_shut": (
        "The ontology editor cannot lock a user. Nobody signs in there without the identity "
        "provider, where a suspension disables the person, and memberships are taken."
    ),
    "goes_on": (
        "Ontology editor: memberships in projects are taken. An owner's access cannot be taken "
        "there: who is signed in at this moment keeps own projects open until that session "
        "ends. Others go on working in them."
    ),
    "step.take_ontology_memberships": "Remove the memberships in ontology projects",
    "step.take_ontology_memberships.ended": "All memberships in ontology projects are removed.",
    "step.give_ontology_memberships": "Restore the memberships in ontology projects",
    "step.give_ontology_memberships.ended": "The memberships in ontology projects are restored.",
}
