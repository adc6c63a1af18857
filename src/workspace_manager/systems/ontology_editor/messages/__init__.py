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
    "own_account_named": "The key belongs to {account}, and nobody else can have that name.",
    "own_account_unnamed": (
        "It is not known whose the API key is: whoever has that name would have the key's rights."
    ),
    "name_own_account": (
        "Set service_account to the account that the key was made for; nobody is given its name "
        "then."
    ),
    "key_works": (
        "The API key works; {n} project is listed.",
        "The API key works; {n} projects are listed.",
    ),
    "cannot_be_used": "The ontology editor cannot be used: {why}.",
    "answers": "The ontology editor answers.",
    "key_does_not_work": "The API key does not work: {why}.",
    "projects_not_listed": "The projects could not be listed: {why}.",
    "only_created": "Projects can be created, but not deleted, and members cannot be changed.",
    "has_project_interface": "The editor has the project interface: deleting and sharing work.",
    "created_before": "The manager has created projects here before.",
    "may_create_unseen": (
        "Whether the key's account may create projects cannot be seen without creating one; none "
        "of ours is here yet."
    ),
    "give_project_creator": (
        "Make sure that the account has the role ProjectCreator (permission CREATE_EMPTY_PROJECT). "
        "SystemAdmin does not include it."
    ),
    "sign_in_unseen": "Whether people can sign in could not be seen: {why}.",
    "sign_in_through_provider": "People sign in through the identity provider.",
    "sign_in_elsewhere": (
        "The editor does not offer sign-in through the identity provider, so a grant may reach "
        "nobody or somebody else's account."
    ),
    "use_oidc_build": "Use the build with OpenID Connect, and enable it there.",
    # client/calls.py
    "listing_projects": "listing the projects",
    "reading_project": "reading the project",
    "creating_project": "creating the project",
    "renaming": "renaming the project",
    "trashing_project": "moving the project to the trash",
    "giving_access": "granting access",
    "taking_access": "taking access away",
    "asking_build": "asking which build it is",
    "no_webprotege": "this is no WebProtégé ({shape})",
    "looking_for_sign_in": "looking for the sign-in",
    "sign_in_answers_otherwise": "the sign-in answers otherwise ({shape})",
    "no_project_id": "this is not the id of an ontology project",
    "addressing_project": "addressing the project",
    "correct_record": "Look at the ontology project that is recorded, and correct it.",
    # connector/project.py
    "decide_which_stays": (
        "Decide in the editor which of them stays, and move the others to the trash: {ids}"
    ),
    "not_made_under_old_id": (
        "the project is gone or in the trash, and a project cannot be made under an old id"
    ),
    "unlink_then_new": "Unlink the ontology project, then a new one can be made.",
    "made_for_another": "the project {id} was made, but for '{owner}' instead of '{expected}'",
    "trash_and_check_owner": "Move it to the trash in the editor, and check the name of the owner.",
    "readable_but_not_deletable": (
        "the project can be read, but deleting it says that it is not there"
    ),
    "files_were_removed": (
        "Its files were removed under the running editor: ask its administrator to remove the rest."
    ),
    "shows_project": "The editor shows the project {id}, owned by '{owner}'.",
    "read_project": "read the project",
    "none_carries_mark": "Among the projects of '{owner}' none carries our mark outside the trash.",
    "list_projects": "list the projects",
    "in_trash_or_gone": (
        "The editor says that the project {id} is in the trash, or that there is none."
    ),
    "several_with_mark": "{count} projects carry the mark of one creation",
    "looking_for_project": "looking for the project",
    "needs_name": "a project needs a name",
    "guest_cannot_own": "'{owner}' cannot own a project: the editor takes it for a guest",
    "belongs_to_another": "the project belongs to '{found}', not to '{expected}'",
    "check_linked_project": (
        "Check which ontology project is linked; nothing of somebody else's is touched."
    ),
    "project_left": "the ontology project {id} of '{account}'",
    "key_known": "The editor knows our key and listed {count} projects.",
    # connector/membership.py
    "accepted_giving": (
        "The editor accepted the call that gave '{user}' {permission}. It offers no way to read "
        "the members back."
    ),
    "accepted_taking": (
        "The editor accepted the call that took '{user}' out of the members. It offers no way to "
        "read the members back."
    ),
    "project_not_there": "the project is not there",
    "project_in_trash": "the project is in the trash",
    "members_not_changed": "the project can be read, but the editor will not change its members",
    "no_project_no_member": "There is no project {project_id}, so nobody is a member of it.",
    "owns_project": (
        "'{user}' owns the project, which gives every permission for as long as it exists."
    ),
    "guest_is_no_member": "The editor takes '{user}' for a guest, who can be a member of nothing.",
    "guest_cannot_be_member": "the editor takes '{account}' for a guest, who cannot be a member",
    "needs_other_name": "This person needs another user name to work in the editor.",
    "unlink_or_restore": (
        "Unlink the ontology project, or ask the editor's administrator to bring it back."
    ),
    "not_a_permission": "a permission is one of {permissions}",
    "reading_wish": "reading what is wanted",
    # names.py
    "impossible_mark": "a mark has 8 to 80 letters, digits, '_', '.', ':' and '-'",
    "id_is_no_uuid": "an ontology project's id is a UUID",
    "no_language_tag": "'{tag}' is not a language tag like 'en' or 'de-at'",
    # refusals.py
    "lacks_interface_or_address": (
        "This server lacks the project interface: deleting projects and changing members needs "
        "WebProtégé with the project-API patch. Check host and API base URL in the settings: "
        "/data/projects must hang directly below."
    ),
    "lacks_project_interface": (
        "This server lacks the project interface: deleting projects and changing members needs "
        "WebProtégé with the project-API patch."
    ),
    "check_api_key": (
        "Check the API key in the settings. Its account needs the role ProjectCreator, and must "
        "not be called guest, uest, est, st or t: the editor takes those for guests."
    ),
    "key_lacks_right": (
        "The key is known, but its account lacks the right: for creating it needs the role "
        "ProjectCreator, for deleting and sharing it must have made the project itself or manage "
        "it."
    ),
    "may_have_been_done": (
        "It may have been done all the same. If every address shows an 'Initialization Error', the "
        "editor was started while its database was away: restart the editor."
    ),
    "check_host": (
        "Check host and API base URL in the settings: /data/projects must hang directly below."
    ),
    "in_trouble": "it is in trouble ({shape})",
    "key_unknown": "it does not know our key ({shape})",
    "right_lacking": "our key lacks the right ({shape})",
    "call_not_offered": "it does not offer this call ({shape})",
    "redirected": "it answered with a redirect ({shape})",
    "call_not_understood": "it did not understand the call ({shape})",
    "answered_something_else": "it answered something else than was asked ({shape})",
    "no_such_project": "there is no such project",
    "address_unknown": "this address is unknown there ({shape})",
    # settings.py
    "setting_host": "Host",
    "setting_host_help": "Public address of the editor, as people open it in the browser.",
    "setting_api_base_url": "API base URL",
    "setting_api_base_url_help": (
        "Internal address for our calls; the part before /data/projects. Empty: the host."
    ),
    "setting_api_key": "API key",
    "setting_api_key_help": (
        "Key of a service account with the role ProjectCreator (permission CREATE_EMPTY_PROJECT)."
    ),
    "setting_service_account": "Account of the key",
    "setting_service_account_help": (
        "The name of the service account that the key was made for. Nobody is given this name, and "
        "its rights in projects are left alone."
    ),
    "own_account": "{account} is the account of the manager's own key",
    "own_account.advice": (
        "Nothing was changed. Give the person another name in the identity provider, or the key to "
        "another account; then try again, or skip the step."
    ),
    "setting_perspective_id": "Perspective",
    "setting_perspective_id_help": (
        "Id of the perspective that links to a project open. Empty: the editor's own choice."
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
