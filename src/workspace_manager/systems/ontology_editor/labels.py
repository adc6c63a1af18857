"""What people call the ontology editor and its things: nouns without article."""

from workspace_manager.contract.message import Catalogue

label = Catalogue(
    "ontology_editor_labels",
    __file__,
    {
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
            "Nobody signs in to the ontology editor without the identity provider, where a "
            "suspension disables the person."
        ),
    },
)
