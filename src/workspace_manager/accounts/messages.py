"""Messages about projects, memberships, components and accounts."""

from typing import Final

from workspace_manager.contract.message import Catalogue

PLANS: Final = {
    "component.public": "Public access",
    "service_key.create": "New program key",
    "service_key.delete": "Key deletion",
    "service_key.renew": "Key renewal",
}
"""Kinds of plans. Messages that are stored name them: the codes are those of the inbox, where
they stood before.
"""

message = Catalogue(
    "work",
    __file__,
    {
        # Accounts in the systems.
        "no_account": "{name} cannot have an account at the {system}: {why}.",
        "no_account_advice": "{name} cannot have an account at the {system}: {why}. {advice}",
        "account_own": (
            "The {system} or the manager uses the account {name} itself. Ask an administrator "
            "for another user name."
        ),
        "account_taken": (
            "The account {name} at the {system} already belongs to somebody else here."
        ),
        "account_going": (
            "Your account at the {system} is being removed right now because nothing used it any "
            "more. Try again in a minute."
        ),
        "key_label": "{system} of {name}",
        # Components.
        "kinds": "Choose one of {kinds}.",
        "not_configured": "The {system} is not configured, so nothing there can be deleted.",
        "not_shared_any_more": "This project is no longer shared with you.",
        "label_length": "Use 1 to 100 characters.",
        "component_gone": "This component no longer exists.",
        # Opening what is somebody else's.
        "owner_opens": (
            "A permission gives no access to what {name} owns. Ask the owner, or ask to join the "
            "project."
        ),
        "reason_to_open": (
            "This gives you access to what {name} owns. Enter a reason. The owner sees it, and "
            "it is stored."
        ),
        "long_reason": "Use at most {count} characters.",
        "let_in": "{by} gave {name} access to your project “{label}”.",
        "invited_in": "{by} invited {name} to your project “{label}”.",
        "put_into": "{by} added your “{label}” to the project “{project}”.",
        "opened_to_everybody": "{by} made your “{label}” public.",
        "owner_does_not_share": "The owner of the component is not in this project.",
        "component_goes": "{name} is being removed, and this component with them.",
        "component_deleting": "This component is already being deleted.",
        "no_sql_link": (
            "No account link: the identity provider has no user with whom the SQL password could "
            "be stored."
        ),
        "sql_password_revealed": (
            "The key was already shown, so the password is no longer known here. The password "
            "stored with the user does not change."
        ),
        # What one person may do with a component, and whether it works.
        "access_own": "You own it and have full access.",
        "access_not_ready": "Not ready yet. Nobody can use it before.",
        "access_by_permission": (
            "You see this component because of a permission or as an administrator. You have no "
            "access to its content; only its project gives that."
        ),
        "access_project_owner": (
            "You own the project “{project}” with which it is shared. You can read and write."
        ),
        "access_reads": (
            "You are a member of the project “{project}” and can read everything in it."
        ),
        "access_writes": (
            "You are a member of the project “{project}” and can read and change everything in it."
        ),
        "access_manages": (
            "You are a member of the project “{project}”, can read and change everything in it "
            "and manage its members."
        ),
        "test_not_configured": "The {system} is not configured, so nothing can be tested there.",
        "test_not_theirs": "Only people who can use a component can test the connection to it.",
        "tests_busy": "{count} tests are already running",
        "doing_test": "testing the connection",
        "tests_busy_advice": "Try again in a moment.",
        "trial_answer": "answer",
        "trial_account": "account",
        "trial_rights": "rights",
        "test_no_answer": "The {system} did not give a usable answer: {why}.",
        "test_try_again": "Try again in a minute. If the problem persists, ask an administrator.",
        "test_ask_administrator": (
            "Ask an administrator. Something was changed there outside the workspace manager."
        ),
        "test_database": "The SQL server answers, and the database {name} exists.",
        "test_no_database": "The SQL server answers, but the database {name} does not exist.",
        "test_repository": "The triplestore answers, and the repository {name} exists.",
        "test_no_repository": "The triplestore answers, but the repository {name} does not exist.",
        "test_account": "Your account {name} exists and is not locked.",
        "test_no_account": "Your account {name} does not exist.",
        "test_locked": "Your account {name} exists but is locked.",
        "test_account_coming": "You have no account there yet. It is being created.",
        "test_no_access": "You have no access to its content, so your account was not checked.",
        "test_may_read": "{name} can read there.",
        "test_may_write": "{name} can read and write there.",
        "test_rights_lack": "{name} lacks rights there.",
        "test_stack": "The knowledge stack is running and answers.",
        "test_no_stack": "The knowledge stack is not running or does not answer.",
        "test_in_group": "You are in one of its groups and have access.",
        "test_in_no_group": "You are in none of its groups and have no access.",
        "test_password_untried": (
            "Your password was not tested because it is not known here after it was shown."
        ),
        # Reading for everybody.
        "public_only_repositories": "Only a triplestore repository can be public.",
        "public_impossible": "This repository cannot be made public: {why}.",
        "public_of_nobody_active": (
            "{name} is not active now, so nothing of theirs can be made public."
        ),
        "public_warning_empty": (
            "Everybody in the world will be able to read this repository without signing in. It "
            "is empty now; new data is public immediately."
        ),
        "public_warning": (
            "Everybody in the world will be able to read all {statements} statements in {graphs} "
            "named graphs and the default graph without signing in, and everything that is added "
            "later."
        ),
        "public_warning_statements": (
            "Everybody in the world will be able to read all {statements} statements without "
            "signing in, and everything that is added later."
        ),
        "public_warning_uncounted": (
            "Everybody in the world will be able to read its content without signing in, and "
            "everything that is added later. The content could not be counted now."
        ),
        # Keys.
        "revealed": (
            "This key was already shown and is no longer stored here. If you lost it, renew it."
        ),
        "key_not_in_force": (
            "The account of this key is still being created. Try again when its component is ready."
        ),
        "key_renewing": (
            "This key is being renewed right now. You can show the new secret when that is done."
        ),
        "key_being_set_up": "another plan is setting up this account",
        "renewing_key": "renewing a key",
        "key_account_missing": (
            "The account of this key does not exist yet, so there is nothing to renew."
        ),
        "key_of_stack": (
            "Only the knowledge stack “{label}” uses this key. It is deleted with the knowledge "
            "stack."
        ),
        "personal_key_stays": (
            "This is your own key for the {system}. It is deleted with your account there. If "
            "somebody else may know it, renew it."
        ),
        "key_goes": "{name} is being removed, and this key with them.",
        "key_going": "This key is already being deleted.",
        "component_not_ready": "“{label}” is not ready yet. Try again later.",
        "component_used_by": (
            "The knowledge stack “{label}” uses this component. Delete the stack first."
        ),
        "component_used_by_going": (
            "The knowledge stack “{label}” uses this component and is being deleted. Try again "
            "when it is deleted."
        ),
        "key_gone": "This key no longer exists.",
        "no_machine_keys": "“{label}” has no accounts that a program could use.",
        "not_yours_to_use": "“{label}” does not exist, or you no longer have access to it.",
        "machine_key_there": (
            "“{label}” already has a key for “{purpose}”. Renew it, or name another purpose."
        ),
        # Our own records.
        "records_not_made": "plans do not create records",
        "making_record": "creating a record",
        "no_component": "The component “{label}” is no longer recorded.",
        "no_project": "The project “{label}” is no longer recorded.",
        "no_stack": "The stack “{label}” is no longer recorded.",
        "no_snapshot": "The snapshot “{label}” is no longer recorded.",
        "no_service_key": "The service key “{label}” is no longer recorded.",
        "looked_up_by_id": "look-up by id",
        "own_tables": "The manager reads its own tables.",
        # People and projects.
        "leaving": "{name} is being removed and can no longer create anything.",
        "suspended": "{name} is suspended and cannot create anything now.",
        "project_gone": "This project no longer exists.",
        "shared_already": "You are already in this project.",
        "request_decided": "This request is already {state}.",
        "owns": "{name} owns this project.",
        "member_already": "{name} is already a member of this project.",
        "name_or_address": "Enter a user name or an e-mail address, not both.",
        "too_many_invitations": (
            "{count} invitations to this project are pending. Withdraw one, or wait for answers."
        ),
        "too_many_open": (
            "{count} of your components are already being created. Wait until one is ready, or "
            "delete one that is stuck."
        ),
        "owner_leaving": "{name} is being removed, and the project with them.",
        "membership_goes": "{name} is being removed, and this membership with them.",
        "first_project": "First project",
        "project_goes": "{name} is being removed, and this project with them.",
        "project_deleting": "This project is already being deleted.",
        "no_ontology_project": "This project has no ontology project.",
        "editor_not_configured": "The ontology editor is not configured.",
        "not_their_project": "{id} is not a project of {name}.",
        "not_a_member": "{name} is not an active member of “{label}”.",
        # Linking projects that have none.
        "link_ends": "“{label}” of {name}: its owner is being removed, and the project with them.",
        "linked_alone": "“{label}” of {name}: linked, without members.",
        "linked_again": "“{label}” of {name}: linked; access is granted again to {names}.",
        "link_running": ("“{label}” of {name}: linking is in progress ({state}) and is retried."),
        "link_made": "“{label}” of {name}: an ontology project is created and linked.",
        **{f"plan.{kind}": name for kind, name in PLANS.items()},
        "step.create_sql_user": "Create the SQL user",
        "step.create_sql_user.ended": "The SQL user exists.",
        "step.create_database": "Create the database",
        "step.create_database.ended": "The database exists and its owner can use it.",
        "step.store_sql_password": "Store the SQL password for single sign-on",
        "step.drop_database": "Delete the database",
        "step.drop_database.ended": "The database is deleted.",
        "step.create_triplestore_user": "Create the triplestore user",
        "step.create_triplestore_user.ended": "The triplestore user exists.",
        "step.create_repository": "Create the repository",
        "step.create_repository.ended": "The repository exists.",
        "step.grant_repository": "Grant access to the repository",
        "step.delete_repository": "Delete the repository",
        "step.delete_repository.ended": "The repository is deleted.",
        "step.remove_triplestore_user": "Delete the triplestore user",
        "step.remove_triplestore_user.ended": "The triplestore user of this person is deleted.",
        "step.create_machine_account": "Create the program’s account",
        "step.create_machine_account.ended": "The account exists and opens its component.",
        "step.remove_machine_account": "Delete the program’s account",
        "step.remove_machine_account.ended": "The account is deleted.",
        "step.remove_machine_accounts": "Delete the accounts of programs",
        "step.remove_machine_accounts.ended": "All accounts of programs are deleted.",
        "step.settle_machine_accounts": "Update the rights of programs",
        "step.renew_sql_password": "Set the new SQL password and end sessions",
        "step.renew_sql_password.ended": ("The new password works and the old one does not."),
        "step.renew_triplestore_password": "Set the new triplestore password and end tokens",
        "step.renew_triplestore_password.ended": (
            "The new password works and the old one does not."
        ),
        "step.open_to_everybody": "Make the repository public",
        "step.open_to_everybody.ended": "The repository can be read without signing in.",
        "step.close_to_everybody": "Make the repository private",
        "step.close_to_everybody.ended": "The repository cannot be read without signing in.",
        "step.delete_record": "Delete the record",
    },
    codes={f"plan.{kind}": f"inbox.plan.{kind}" for kind in PLANS},
)
