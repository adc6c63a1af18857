"""The triplestore: OpenGDB in front of RDF4J, or Ontotext GraphDB, whose user interface OpenGDB
imitates.

What can go wrong, all of it seen on a running OpenGDB:

* a call without the right is redirected to a login page that answers 200; if the redirect is
  followed, a failed deletion looks like a success;
* creating an existing repository deletes its data, and doing so twice leaves an id that no call can
  repair;
* a user whose creation failed exists, without a password;
* rights are only added: a shorter list takes nothing away;
* deleting a repository answers 200 even if its data remained;
* 500 does not mean "not done".
"""

from workspace_manager.contract.system import Credential, KindSpec, SystemSpec
from workspace_manager.systems.triplestore.accounts import (
    accounts,
    goes_on,
    own_names,
    reopen,
    shut,
)
from workspace_manager.systems.triplestore.messages import message
from workspace_manager.systems.triplestore.settings import Settings

SYSTEM = SystemSpec(
    name="triplestore",
    label=message("system"),
    icon="triplestore_repository",
    order=40,
    settings=Settings,
    connect="workspace_manager.systems.triplestore.connector:connect",
    look="workspace_manager.systems.triplestore.client.look:look",
    inventory="workspace_manager.systems.triplestore.inventory:inventory",
    snapshots="workspace_manager.systems.triplestore.snapshots:snapshots",
    kinds=(
        KindSpec(
            "triplestore.user",
            message("user"),
            counted_as=message("counted.account", n=1),
            holds_account=True,
            exclusive="triplestore.user:{user}",
            takes=frozenset({"shut"}),
            restored=frozenset({"authorities"}),
            actions={
                "password": (message("action.renew"), message("action.renew")),
                "shut": (message("action.revoke_rights"), message("action.restore_rights")),
                "authorities": (message("action.grant"), message("action.grant")),
            },
        ),
        KindSpec(
            "triplestore.repository",
            message("repository"),
            counted_as=message("counted.repository", n=1),
        ),
        KindSpec(
            "triplestore.public",
            message("public"),
            actions={"read": (message("action.publish"), message("action.unpublish"))},
        ),
    ),
    accounts=accounts,
    shut=shut,
    open=reopen,
    shut_step="take_triplestore_rights",
    open_step="give_triplestore_rights",
    step_labels={
        step: message(f"step.{step}")
        for step in ("take_triplestore_rights", "give_triplestore_rights")
    },
    step_ends={
        step: message(f"step.{step}.ended")
        for step in ("take_triplestore_rights", "give_triplestore_rights")
    },
    goes_on=goes_on,
    credentials=(Credential("triplestore_password", message("password"), "triplestore.user"),),
    own_names=own_names,
    sandbox="workspace_sandbox.stand_ins.triplestore:TriplestoreStandIn",
)
