"""What people call the ontology editor and its things: nouns without article."""

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
    "step.take_ontology_memberships": "Take the memberships in ontology projects",
    "step.take_ontology_memberships.ended": "No membership in an ontology project is left.",
    "step.give_ontology_memberships": "Give the memberships in ontology projects back",
    "step.give_ontology_memberships.ended": "The memberships in ontology projects are back.",
}
