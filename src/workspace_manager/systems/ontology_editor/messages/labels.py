"""Labels of the ontology editor and its things: nouns without article."""

from typing import Final

from workspace_manager.contract.message import English

LABELS: Final[dict[str, English]] = {
    "system": "ontology editor",
    "project": "ontology project",
    "counted.project": ("ontology project", "ontology projects"),
    "membership": "membership in an ontology project",
    "user": "user id in the ontology editor",
    "not_removed": (
        "The ontology editor cannot delete users. The manager removes projects and memberships one "
        "by one, and gives the name to nobody while a project with that name exists."
    ),
    "not_shut": (
        "The ontology editor cannot lock a user. People sign in there only through the identity "
        "provider, where a suspension disables the person. Memberships are removed."
    ),
    "goes_on": (
        "Ontology editor: memberships in projects are removed. The access of an owner cannot be "
        "removed there: an owner who is signed in keeps their own projects open until the session "
        "ends. Others continue to work in them."
    ),
    "step.take_ontology_memberships": "Remove the memberships in ontology projects",
    "step.take_ontology_memberships.ended": "All memberships in ontology projects are removed.",
    "step.give_ontology_memberships": "Restore the memberships in ontology projects",
    "step.give_ontology_memberships.ended": "The memberships in ontology projects are restored.",
}
