"""The ontology editor: WebProtégé with the project interface patched in, called with a service
account's key.

What can go wrong, all of it seen on a running server:

* creating a project is not idempotent: every repetition makes another one, and a creation whose
  caller gave up still happens;
* an unpatched server cannot delete projects or change members; it answers 405, or 404 without a
  `Link` header;
* one 404 means "no such project", another "wrong address";
* every trouble is a page titled "Initialization Error", after 30 seconds if the database is away;
* the members of a project cannot be listed;
* names like `est` count as guests, and two names that sanitise alike become one account.
"""

from workspace_manager.contract.system import KindSpec, SystemSpec
from workspace_manager.systems.ontology_editor.accounts import goes_on, own_names, reopen, shut
from workspace_manager.systems.ontology_editor.messages import message
from workspace_manager.systems.ontology_editor.realm import client
from workspace_manager.systems.ontology_editor.settings import Settings

SYSTEM = SystemSpec(
    name="ontology_editor",
    label=message("system"),
    icon="ontology_editor",
    order=50,
    settings=Settings,
    connect="workspace_manager.systems.ontology_editor.connector:connect",
    look="workspace_manager.systems.ontology_editor.client.look:look",
    inventory="workspace_manager.systems.ontology_editor.inventory:inventory",
    kinds=(
        KindSpec(
            "ontology_editor.project",
            message("project"),
            counted_as=message("counted.project", n=1),
            named_by=("project_id", "mark"),
        ),
        KindSpec("ontology_editor.membership", message("membership"), named_by=("project_id",)),
        KindSpec(
            "ontology_editor.user",
            message("user"),
            holds_account=True,
            comes_by_itself=True,
            not_removed=message("not_removed"),
            not_shut=message("not_shut"),
        ),
    ),
    shut=shut,
    open=reopen,
    shut_step="take_ontology_memberships",
    open_step="give_ontology_memberships",
    step_labels={
        step: message(f"step.{step}")
        for step in ("take_ontology_memberships", "give_ontology_memberships")
    },
    step_ends={
        step: message(f"step.{step}.ended")
        for step in ("take_ontology_memberships", "give_ontology_memberships")
    },
    goes_on=goes_on,
    own_names=own_names,
    keeps_by_name=True,
    realm_client=client,
    sandbox="workspace_sandbox.stand_ins.ontology_editor:OntologyEditorStandIn",
)
