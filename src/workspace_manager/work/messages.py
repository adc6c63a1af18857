"""Messages about projects and components."""

from typing import Final

from workspace_manager.contract.message import Catalogue

PLANS: Final = {
    "component.create": "New component",
    "component.delete": "Component deletion",
    "stack.create": "New stack",
    "stack.delete": "Stack deletion",
    "project.link": "Ontology project",
    "project.rename": "Project rename",
    "project.delete": "Project deletion",
    "access.settle": "Access to shared components",
}
"""Kinds of plans. Their codes are stored, and keep the form that they had in the inbox's
catalogue.
"""

message = Catalogue(
    "projects",
    __file__,
    {
        **{f"plan.{kind}": name for kind, name in PLANS.items()},
        "step.rename_ontology_project": "Rename the ontology project",
        "step.create_ontology_project": "Create the ontology project",
        "step.delete_ontology_project": "Move the ontology project to the trash",
        "step.share_ontology_project": "Update access to the ontology project",
        "step.share_databases": "Update access to shared databases",
        "step.share_repositories": "Update access to shared repositories",
        "step.discard_restored_content": "Delete what a restore left",
        "step.discard_restored_content.ended": "Nothing of an unfinished restore is left.",
        "step.delete_snapshots": "Delete the snapshots",
        "step.delete_snapshots.ended": "The store holds nothing of these snapshots any more.",
        "step.delete_stack_record": "Delete the record of the stack",
        "step.share_knowledge_stacks": "Update the groups of knowledge stacks",
    },
    codes={f"plan.{kind}": f"inbox.plan.{kind}" for kind in PLANS},
)
