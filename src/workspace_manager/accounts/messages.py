"""What is said about projects, memberships, components and accounts."""

from typing import Final

from workspace_manager.contract.message import Catalogue

PLANS: Final = {
    "component.public": "Reading for everybody",
    "service_key.create": "New key of a program",
    "service_key.delete": "Deletion of a key",
    "service_key.renew": "Renewal of a key",
}
"""Kinds of plans. Messages that are stored name them: the codes are those of the inbox, where
they stood before.
"""

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
        # Opening what is somebody else's.
        "owner_opens": (
            "A permission gives nobody access to what {name} owns. Ask the owner, or ask to join "
            "the project."
        ),
        "reason_to_open": (
            "This gives you access to what {name} owns. Say why: the owner is told, and it is kept."
        ),
        "long_reason": "Use at most {count} characters.",
        "let_in": "{by} gave {name} access to your project “{label}”.",
        "invited_in": "{by} invited {name} into your project “{label}”.",
        "put_into": "{by} put “{label}”, which is yours, into the project “{project}”.",
        "opened_to_everybody": "{by} let everybody read “{label}”, which is yours.",
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
        # What one person may do with a component, and whether it works.
        "access_own": "It is yours: you may do everything in it.",
        "access_not_ready": "It is not ready yet. Nobody can use it before it is.",
        "access_by_permission": (
            "You see it here by a permission or as an administrator, and have no access to "
            "what is in it: that comes with its project alone."
        ),
        "access_project_owner": (
            "You own the project “{project}”, which it is shared with: you may read and write."
        ),
        "access_reads": (
            "You are a member of the project “{project}” who reads: you may look at "
            "everything in it and change nothing."
        ),
        "access_writes": (
            "You are a member of the project “{project}” who writes: you may read and change "
            "everything in it."
        ),
        "access_manages": (
            "You are a member of the project “{project}” who also decides who shares it: you may "
            "read and change everything in it."
        ),
        "test_not_configured": "The {system} is not configured; nothing can be tried there.",
        "test_not_theirs": "Only who may use a component tests the connection with it.",
        "tests_busy": "{count} tests are being made already",
        "doing_test": "testing the connection",
        "tests_busy_advice": "Try again in a moment.",
        "trial_answer": "answer",
        "trial_account": "account",
        "trial_rights": "rights",
        "test_no_answer": "The {system} did not answer as it should: {why}.",
        "test_try_again": "Try again in a minute. If it stays so, ask an administrator.",
        "test_ask_administrator": (
            "Ask an administrator: something was changed there past this workspace."
        ),
        "test_database": "The SQL server answers, and the database {name} is there.",
        "test_no_database": "The SQL server answers, but the database {name} is not there.",
        "test_repository": "The triplestore answers, and the repository {name} is there.",
        "test_no_repository": "The triplestore answers, but the repository {name} is not there.",
        "test_account": "Your account {name} is there and is not locked.",
        "test_no_account": "Your account {name} is not there.",
        "test_locked": "Your account {name} is there, but it is locked.",
        "test_account_coming": "You have no account there yet; it is being made.",
        "test_no_access": (
            "You have no access to what is in it, so no account of yours was looked for."
        ),
        "test_may_read": "{name} may read there.",
        "test_may_write": "{name} may read and write there.",
        "test_rights_lack": "{name} lacks rights there that it should have.",
        "test_stack": "The knowledge stack runs and answers.",
        "test_no_stack": "The knowledge stack does not run, or does not answer.",
        "test_in_group": "You are in one of its groups, so it lets you in.",
        "test_in_no_group": "You are in none of its groups, so it does not let you in.",
        "test_password_untried": (
            "Your password was not tried: once it was shown it is not known here."
        ),
        # Reading for everybody.
        "public_only_repositories": (
            "Only a triplestore repository can be opened for everybody to read."
        ),
        "public_impossible": "This repository cannot be opened for everybody: {why}.",
        "public_of_nobody_active": (
            "{name} is not active here now; nothing of theirs is opened to everybody."
        ),
        "public_warning_empty": (
            "The whole world will be able to read this repository without signing in. It is "
            "empty now; whatever is put into it is public at once."
        ),
        "public_warning": (
            "The whole world will be able to read all {statements} statements in {graphs} "
            "named graphs and in the default graph, without signing in, and whatever is added "
            "later."
        ),
        "public_warning_statements": (
            "The whole world will be able to read all {statements} statements in it without "
            "signing in, and whatever is added later."
        ),
        "public_warning_uncounted": (
            "The whole world will be able to read everything in it without signing in, and "
            "whatever is added later. How much that is could not be counted now."
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
        "component_used_by_going": (
            "The knowledge stack “{label}” uses this and is being deleted. Try again when it is "
            "gone."
        ),
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
        "first_project": "First project",
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
        **{f"plan.{kind}": name for kind, name in PLANS.items()},
        "step.create_sql_user": "Make the SQL user",
        "step.create_sql_user.ended": "The SQL user is there.",
        "step.create_database": "Make the database",
        "step.create_database.ended": "The database is there, and its owner may use it.",
        "step.store_sql_password": "Keep the SQL password for single sign-on",
        "step.drop_database": "Drop the database",
        "step.drop_database.ended": "The database is gone.",
        "step.create_triplestore_user": "Make the triplestore user",
        "step.create_triplestore_user.ended": "The triplestore user is there.",
        "step.create_repository": "Make the repository",
        "step.create_repository.ended": "The repository is there.",
        "step.grant_repository": "Give rights on the repository",
        "step.delete_repository": "Delete the repository",
        "step.delete_repository.ended": "The repository is gone.",
        "step.remove_triplestore_user": "Delete the triplestore user",
        "step.remove_triplestore_user.ended": "No triplestore user of this person is left.",
        "step.create_machine_account": "Make the account of the program",
        "step.create_machine_account.ended": "The account is there and opens its component.",
        "step.remove_machine_account": "Delete the account of the program",
        "step.remove_machine_account.ended": "The account is gone.",
        "step.remove_machine_accounts": "Delete the accounts of programs",
        "step.remove_machine_accounts.ended": "No account of a program is left.",
        "step.settle_machine_accounts": "Settle what programs may do",
        "step.renew_sql_password": "Set the new SQL password and end the sessions",
        "step.renew_sql_password.ended": (
            "The new password is right, and the old one opens nothing."
        ),
        "step.renew_triplestore_password": "Set the new triplestore password and end the tokens",
        "step.renew_triplestore_password.ended": (
            "The new password is right, and the old one opens nothing."
        ),
        "step.open_to_everybody": "Let everybody read the repository",
        "step.open_to_everybody.ended": "Without signing in, the repository was read.",
        "step.close_to_everybody": "Let nobody read the repository without signing in",
        "step.close_to_everybody.ended": "Without signing in, the repository cannot be read.",
        "step.delete_record": "Delete the record",
    },
    codes={f"plan.{kind}": f"inbox.plan.{kind}" for kind in PLANS},
)
