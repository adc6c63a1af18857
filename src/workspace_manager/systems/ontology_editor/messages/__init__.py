"""Messages of the ontology editor."""

from workspace_manager.contract.message import Catalogue, English
from workspace_manager.systems.ontology_editor.messages.inventory import INVENTORY
from workspace_manager.systems.ontology_editor.messages.labels import LABELS

_ENGLISH: dict[str, English] = {
    # checks.py
    "check_reachable": "reachable",
    "check_key": "key",
    "check_build": "build",
    "check_may_create": "may_create",
    "check_sign_in": "sign_in",
    "check_own_account": "own_account",
    "own_account_named": "The key belongs to {account}, and no person can get that name.",
    "own_account_unnamed": (
        "It is unknown whose key it is: a person with that account's name would have the key's "
        "rights."
    ),
    "name_own_account": (
        "Set service_account to the account of the key. No person then gets its name."
    ),
    "key_works": (
        "The API key works; {n} project is listed.",
        "The API key works; {n} projects are listed.",
    ),
    "cannot_be_used": "The ontology editor cannot be used: {why}.",
    "answers": "The ontology editor answers.",
    "key_does_not_work": "The API key does not work: {why}.",
    "projects_not_listed": "The projects could not be listed: {why}.",
    "only_created": (
        "The manager can create projects, but can neither delete them nor change their members."
    ),
    "has_project_interface": "The editor has the project API: projects can be deleted and shared.",
    "created_before": "The manager has created projects here before.",
    "may_create_unseen": (
        "The check cannot tell whether the key's account may create projects, because the manager "
        "has not created one yet."
    ),
    "give_project_creator": (
        "Make sure that the account has the role ProjectCreator (permission CREATE_EMPTY_PROJECT). "
        "SystemAdmin does not include it."
    ),
    "sign_in_unseen": "The check could not tell whether people can sign in: {why}.",
    "sign_in_through_provider": "People sign in through the identity provider.",
    "sign_in_elsewhere": (
        "The editor does not offer sign-in through the identity provider, so an access right may "
        "reach nobody or the wrong account."
    ),
    "use_oidc_build": "Use the build with OpenID Connect, and enable it there.",
    # client/calls.py
    "listing_projects": "listing the projects",
    "reading_project": "reading the project",
    "creating_project": "creating the project",
    "renaming": "renaming the project",
    "trashing_project": "moving the project to the trash",
    "giving_access": "granting access",
    "taking_access": "revoking access",
    "asking_build": "finding out which build it is",
    "no_webprotege": "this is not WebProtégé ({shape})",
    "looking_for_sign_in": "checking the sign-in",
    "sign_in_answers_otherwise": "the sign-in has an unknown answer ({shape})",
    "no_project_id": "this is not the id of an ontology project",
    "addressing_project": "addressing the project",
    "correct_record": "Find out which ontology project is recorded, and correct the record.",
    # connector/project.py
    "decide_which_stays": (
        "Decide in the editor which project stays, and move the others to the trash: {ids}"
    ),
    "not_made_under_old_id": (
        "the project is gone or in the trash, and its id cannot be used for a new project"
    ),
    "unlink_then_new": "Unlink the ontology project. A new one can then be created.",
    "made_for_another": (
        "the project {id} was created, but its owner is '{owner}' instead of '{expected}'"
    ),
    "trash_and_check_owner": "Move it to the trash in the editor, and check the name of the owner.",
    "readable_but_not_deletable": (
        "the project can be read, but the editor reports at the deletion that it does not exist"
    ),
    "files_were_removed": (
        "Somebody removed its files while the editor was running. Ask the editor's administrator "
        "to remove the rest."
    ),
    "shows_project": "The editor has the project {id}; its owner is '{owner}'.",
    "read_project": "read the project",
    "none_carries_mark": "No project of '{owner}' outside the trash has our mark.",
    "list_projects": "list the projects",
    "in_trash_or_gone": (
        "The editor reports that the project {id} is in the trash or does not exist."
    ),
    "several_with_mark": "{count} projects have the same mark",
    "looking_for_project": "looking for the project",
    "needs_name": "a project needs a name",
    "guest_cannot_own": (
        "'{owner}' cannot own a project, because the editor treats this name as a guest"
    ),
    "belongs_to_another": "the project belongs to '{found}', not to '{expected}'",
    "check_linked_project": (
        "Check which ontology project is linked. The manager does not touch other people's "
        "projects."
    ),
    "project_left": "the ontology project {id} of '{account}'",
    "key_known": "The editor accepts our key and listed {count} projects.",
    # connector/membership.py
    "accepted_giving": (
        "The editor accepted the call that gave '{user}' {permission}. The manager cannot read the "
        "list of members back."
    ),
    "accepted_taking": (
        "The editor accepted the call that removed '{user}' from the members. The manager cannot "
        "read the list of members back."
    ),
    "project_not_there": "the project does not exist",
    "project_in_trash": "the project is in the trash",
    "members_not_changed": "the project can be read, but its members cannot be changed",
    "no_project_no_member": "There is no project {project_id}, so nobody is a member of it.",
    "owns_project": "'{user}' owns the project and has every permission while it exists.",
    "guest_is_no_member": (
        "The editor treats '{user}' as a guest, who cannot be a member of a project."
    ),
    "guest_cannot_be_member": "the editor treats '{account}' as a guest, who cannot be a member",
    "needs_other_name": "This person needs another user name to work in the editor.",
    "unlink_or_restore": (
        "Unlink the ontology project, or ask the editor's administrator to restore it."
    ),
    "not_a_permission": "a permission is one of {permissions}",
    "reading_wish": "reading the request",
    # names.py
    "impossible_mark": "a mark has 8 to 80 letters, digits, '_', '.', ':' and '-'",
    "id_is_no_uuid": "an ontology project's id is a UUID",
    "no_language_tag": "'{tag}' is not a language tag like 'en' or 'de-at'",
    # refusals.py
    "lacks_interface_or_address": (
        "This server has no project API: WebProtégé needs the project-API patch to delete projects "
        "and change members. Check the host and the API base URL in the settings: /data/projects "
        "must be directly below."
    ),
    "lacks_project_interface": (
        "This server has no project API: WebProtégé needs the project-API patch to delete projects "
        "and change members."
    ),
    "check_api_key": (
        "Check the API key in the settings. Its account needs the role ProjectCreator, and must "
        "not have the name guest, uest, est, st or t, because the editor treats these names as "
        "guests."
    ),
    "key_lacks_right": (
        "The key is valid, but its account lacks the right. To create projects it needs the role "
        "ProjectCreator. To delete and share a project it must have created the project or manage "
        "it."
    ),
    "may_have_been_done": (
        "The change may have been made. If every address shows an 'Initialization Error', the "
        "editor was started without its database: restart the editor."
    ),
    "check_host": (
        "Check the host and the API base URL in the settings: /data/projects must be directly "
        "below."
    ),
    "in_trouble": "it has a problem ({shape})",
    "key_unknown": "it does not know our key ({shape})",
    "right_lacking": "our key lacks the right ({shape})",
    "call_not_offered": "it does not offer this call ({shape})",
    "redirected": "it answered with a redirect ({shape})",
    "call_not_understood": "it did not understand the call ({shape})",
    "answered_something_else": "its answer does not fit the call ({shape})",
    "no_such_project": "there is no such project",
    "address_unknown": "this address is unknown there ({shape})",
    # settings.py
    "setting_host": "Host",
    "setting_host_help": "Public address of the editor in the browser.",
    "setting_api_base_url": "API base URL",
    "setting_api_base_url_help": (
        "Internal address for the manager's calls: the part before /data/projects. Empty: the host."
    ),
    "setting_api_key": "API key",
    "setting_api_key_help": (
        "Key of a service account with the role ProjectCreator (permission CREATE_EMPTY_PROJECT)."
    ),
    "setting_service_account": "Account of the key",
    "setting_service_account_help": (
        "Name of the service account of the key. No person gets this name, and its rights in "
        "projects do not change."
    ),
    "own_account": "{account} is the account of the manager's key",
    "own_account.advice": (
        "Nothing was changed. Give the person another name at the identity provider, or move the "
        "key to another account. Then try again, or skip the step."
    ),
    "setting_perspective_id": "Perspective",
    "setting_perspective_id_help": (
        "Id of the perspective in which links open a project. Empty: the editor's default."
    ),
    # shapes.py
    "other_shape": "the answer has another shape ({shape})",
    **INVENTORY,
}

message = Catalogue(
    "ontology_editor",
    __file__,
    {**_ENGLISH, **LABELS},
    codes={key: f"ontology_editor_labels.{key}" for key in LABELS},
)
