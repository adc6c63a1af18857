"""What is said about projects, memberships, components and accounts."""

from workspace_manager.contract.message import Catalogue

message = Catalogue(
    "work",
    __file__,
    {
        # Accounts in the systems.
        "no_account": "{name} cannot have an account of the {system}: {why}.",
        "no_account_advice": "{name} cannot have an account of the {system}: {why}. {advice}",
        "account_own": (
            "{name} is an account that the {system} or the manager uses itself; it is nobody’s. "
            "Ask an administrator for another user name."
        ),
        "account_taken": "The account {name} of the {system} belongs to somebody else here.",
        "account_going": (
            "Your account of the {system} is just being removed with the last thing that used it. "
            "Try again in a minute."
        ),
        "key_label": "{system} of {name}",
        # Components.
        "kinds": "Choose one of {kinds}.",
        "not_configured": "The {system} is not configured; what is there cannot be deleted.",
        "not_shared_any_more": "You do not share this project any more.",
        "label_length": "Use 1 to 100 characters.",
        "component_gone": "This component is not there any more.",
        "owner_does_not_share": "The owner of the component does not share this project.",
        "component_goes": "{name} is being removed, and this component goes with that.",
        "component_deleting": "This component is being deleted already.",
        "no_sql_link": (
            "No account link: there is no user at the identity provider to keep the SQL password "
            "with."
        ),
        "sql_password_revealed": (
            "The key was revealed, so the password is not known here any more; what is stored with "
            "the user stays as it is."
        ),
        # Keys.
        "revealed": ("This key was revealed before and is not kept here. If it is lost, renew it."),
        "key_not_in_force": (
            "The account this key opens is still being made. Try again when its component is ready."
        ),
        "key_renewing": (
            "This key is just being renewed. Its new secret can be revealed once that is done."
        ),
        "key_being_set_up": "another plan is just setting this account up",
        "renewing_key": "renewing a key",
        "key_account_missing": (
            "The account this key opens was not made yet, so there is nothing to renew."
        ),
        "key_of_stack": (
            "The knowledge stack “{label}” uses this key, and nobody else does. It goes with the "
            "knowledge stack."
        ),
        "personal_key_stays": (
            "This is your own key of the {system}: it goes with your account there. Renew it if "
            "somebody else may know it."
        ),
        "key_goes": "{name} is being removed, and this key goes with that.",
        "key_going": "This key is being deleted already.",
        "component_not_ready": "“{label}” is not ready. Try again when it is.",
        "component_used_by": ("The knowledge stack “{label}” uses this. Delete that one first."),
        "key_gone": "This key is not there any more.",
        "no_machine_keys": "“{label}” has no accounts of its own that a program could use.",
        "not_yours_to_use": "“{label}” is not there to be used, or not by you any more.",
        "machine_key_there": (
            "There is a key of “{label}” for “{purpose}” already. Renew it, or name another "
            "purpose."
        ),
        # Our own records.
        "records_not_made": "records are not made by plans",
        "making_record": "making a record",
        "no_component": "The component “{label}” has no record any more.",
        "no_project": "The project “{label}” has no record any more.",
        "no_stack": "The stack “{label}” has no record any more.",
        "no_snapshot": "The snapshot “{label}” has no record any more.",
        "no_service_key": "The service key “{label}” has no record any more.",
        "looked_up_by_id": "look-up by id",
        "own_tables": "The manager reads its own tables.",
        # People and projects.
        "leaving": "{name} is leaving this workspace; nothing new is made any more.",
        "suspended": "The access of {name} is suspended; nothing new is made now.",
        "project_gone": "This project is not there any more.",
        "shared_already": "You share this project already.",
        "request_decided": "This request was {state} already.",
        "owns": "{name} owns this project.",
        "member_already": "{name} is a member of this project already.",
        "name_or_address": "Write a user name or an e-mail address, and not both.",
        "too_many_invitations": (
            "{count} invitations to this project are open. Withdraw one, or wait for answers."
        ),
        "too_many_open": (
            "{count} such things of yours are being made already. Wait until one of them is ready, "
            "or delete one that is stuck."
        ),
        "owner_leaving": "{name} is leaving, and the project ends with that.",
        "membership_goes": "{name} is being removed, and this membership ends with that.",
        "first_project": "{name}’s project",
        "project_goes": "{name} is being removed, and this project goes with that.",
        "project_deleting": "This project is being deleted already.",
        "no_ontology_project": "This project has no ontology project.",
        "editor_not_configured": "The ontology editor is not configured.",
        "not_their_project": "{id} is not a project of {name}.",
        "not_a_member": "{name} is not an active member of “{label}”.",
        # Linking projects that have none.
        "link_ends": "“{label}” of {name}: its owner is leaving, and it ends with that.",
        "linked_alone": "“{label}” of {name}: linked, without members.",
        "linked_again": "“{label}” of {name}: linked; access is given again to {names}.",
        "link_running": (
            "“{label}” of {name}: is just being linked ({state}); this is tried again."
        ),
        "link_made": "“{label}” of {name}: an ontology project is made and linked.",
    },
)
