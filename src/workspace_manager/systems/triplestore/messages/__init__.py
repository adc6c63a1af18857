"""Messages of the triplestore."""

from workspace_manager.contract.message import Catalogue, English
from workspace_manager.systems.triplestore.messages.checks import CHECKS
from workspace_manager.systems.triplestore.messages.inventory import INVENTORY
from workspace_manager.systems.triplestore.messages.labels import LABELS
from workspace_manager.systems.triplestore.messages.snapshots import SNAPSHOTS

_ENGLISH: dict[str, English] = {
    # client/calls.py
    "asking_product": "asking which product it is",
    "neither_product": "this is neither OpenGDB nor GraphDB ({shape})",
    "set_product": "Check the address in the settings, or set the product there.",
    "listing_accounts": "listing the accounts",
    "reading_account": "reading the account",
    "creating_account": "creating the account",
    "changing_account": "changing the account",
    "deleting_account": "deleting the account",
    "trying_password": "testing the account's password",
    "listing_repositories": "listing the repositories",
    "listing_stored": "listing the stored repositories",
    "creating_repository": "creating the repository",
    "changing_title": "changing the repository's title",
    "deleting_repository": "deleting the repository",
    "signing_in": "{doing}: signing in",
    "no_token": "the answer to the sign-in contains no token",
    "addressing": "addressing it",
    # connector/user.py
    "listed_but_not_deletable": (
        "the triplestore lists the account, but reports at the deletion that it does not exist"
    ),
    "delete_account_by_hand": "Look at the account in the triplestore and delete it there by hand.",
    "read_account": "read the account",
    "no_account": "The triplestore has no account '{name}'.",
    "exactly_these_rights": "The account '{name}' has exactly these rights: {rights}.",
    "rights_end_with_repository": (
        "{found} Besides, it still has rights that end with a repository that is being deleted: "
        "{rights}."
    ),
    "old_password_refused": "{found} Its new password works, and the previous one is refused.",
    "password_is_the_only": "{found} Its new password works, and an account has only one password.",
    "surplus_rights": (
        "the account has {surplus} rights more than planned, and OpenGDB can only add rights"
    ),
    "taking_rights": "revoking rights",
    "needs_new_password": (
        "The account must be deleted and created again, which needs a password: give it a new "
        "password."
    ),
    # connector/suspension.py
    "rights_not_taken": "the triplestore revoked none of these rights: {rights}",
    "take_rights_by_hand": (
        "The manager knows no call with which this version revokes rights. Revoke them there by "
        "hand, and mark the step as done by hand. Do not change the account's password."
    ),
    "no_account_to_open": "the account '{name}' that the suspension closed no longer exists",
    "giving_rights_back": "restoring rights",
    "skip_if_deleted": (
        "If somebody deleted it on purpose, skip the step: the person's next repository creates a "
        "new account with a new key."
    ),
    "no_right_left": (
        "The account '{name}' has no right on any repository: it can neither read nor write."
    ),
    "rights_are_back": "The account '{name}' has these rights again: {rights}.",
    "no_password": "there is no password for the account '{name}'",
    "make_new_password": "Create a new password for this component, and try again.",
    "own_administrator": "'{name}' is the administrator account of the manager itself",
    "nobody_may_have_name": (
        "No person can have this user name. Use another account for the manager, or another user "
        "name for the person."
    ),
    "account_with_role": "an account '{username}' with the role {role} already exists",
    "not_one_of_ours": (
        "The manager did not create it. Rename it in the triplestore, or remove its role if it "
        "belongs to the person."
    ),
    "listed_all_accounts": (
        "Signed in as '{username}', the manager sees all {count} accounts of the triplestore."
    ),
    "list_accounts": "list the accounts",
    # connector/repositories.py
    "stored_but_not_listed": (
        "RDF4J stores data under this id, but OpenGDB does not list it; a new repository would "
        "delete that data"
    ),
    "look_in_rdf4j": (
        "Look in RDF4J, and find out whose data it is. Then delete it there, or list it in OpenGDB."
    ),
    "no_repository": (
        "The triplestore lists no repository '{repository_id}', and stores no data under that id."
    ),
    "repository_there": (
        "The triplestore lists the repository '{repository_id}' ({title}) and stores it."
    ),
    "listed_several_times": "the list has this id {count} times, so every call with it fails",
    "looking_for_repository": "looking for the repository",
    "listed_but_not_there": (
        "the triplestore lists it, but reports at the deletion that it does not exist"
    ),
    "delete_repository_by_hand": (
        "Look at the repository in the triplestore and delete it there by hand."
    ),
    "still_listed": "the triplestore confirmed the deletion, but still lists the repository",
    "tried_again": (
        "The manager tries again. If this stays, look at the repository in the triplestore. A "
        "proxy may be answering instead."
    ),
    "needs_title": "a repository needs a title",
    "reading_wish": "reading the request",
    "list_both_sides": "list the repositories of OpenGDB and of RDF4J",
    # connector/public.py, client/public.py
    "opening_to_everybody": "making the repository public",
    "closing_to_everybody": "ending public access",
    "reading_as_anybody": "reading without a sign-in",
    "counting": "counting the content",
    "deleted_meanwhile": "Somebody deleted it in the meantime. Skip the step.",
    "all_or_none": "GraphDB can make all repositories public or none, but not a single one",
    "all_or_none_advice": (
        "Ask an administrator about free access to the whole GraphDB, or publish a copy of the "
        "data elsewhere."
    ),
    "read_as_anybody": "read it without signing in",
    "anybody_reads": "Without signing in, the repository '{repository_id}' can be read.",
    "nobody_reads": "Without signing in, the repository '{repository_id}' cannot be read.",
    # names.py
    "impossible_account_name": "an account of the triplestore cannot have this name",
    "impossible_repository_id": "a repository id has only letters, digits, '_' and '-'",
    "needs_something_unique": "a repository id needs a unique part",
    # refusals.py
    "check_credentials": (
        "Check the administrator's name and password in the settings. In OpenGDB only a Django "
        "superuser can manage users; the role ROLE_ADMIN is not enough."
    ),
    "check_address": (
        "Check the address in the settings. Something else than the triplestore's API answered."
    ),
    "may_have_been_done": (
        "The change may have been made. The manager checks the triplestore before it repeats "
        "anything. Check that RDF4J runs behind it."
    ),
    "refused_credentials": "it refused our credentials ({shape})",
    "repository_exists": "a repository with this id already exists",
    "person_decides": "Decide whose it is.",
    "call_not_accepted": "it did not accept the call ({shape})",
    "answered_something_else": "its answer does not fit the call ({shape})",
    "in_trouble": "it has a problem ({shape})",
    "unknown_right": (
        "it does not know one of the rights; the repository of that right is probably missing"
    ),
    "sent_to_login": (
        "it redirected the call to its sign-in page, because the account lacks the right"
    ),
    "redirected": "it answered with a redirect ({shape})",
    "no_such_thing": "it does not exist",
    "no_such_repository": "RDF4J has no such repository",
    "address_unknown": "this address is unknown there ({shape})",
    "hides_it": (
        "it may hide the object from us: OpenGDB answers an empty 404 if a right is missing"
    ),
    "account_exists": "an account with this name already exists",
    "created_twice": "the id was created twice, so every call with it fails",
    "remove_second_row": (
        "Only the administrator of the triplestore can repair this: remove the second row of this "
        "id from its database."
    ),
    "refused_name_and_password": "it refused our name and password",
    "check_allowed_hosts": (
        "Check that the host name in the address is one the triplestore allows (ALLOWED_HOSTS)."
    ),
    "call_not_understood": "it did not understand the call ({shape})",
    # settings.py
    "setting_url": "Address",
    "setting_url_help": (
        "Base address of OpenGDB or GraphDB, as the manager and the knowledge stacks reach it, "
        "without /repositories."
    ),
    "setting_flavour": "Product",
    "setting_flavour_help": (
        "auto asks the server. Set the product if a proxy hides /rest/security."
    ),
    "setting_admin_username": "Administrator",
    "setting_admin_username_help": (
        "OpenGDB: a Django superuser; the role ROLE_ADMIN is not enough there. GraphDB: a user "
        "with ROLE_ADMIN."
    ),
    "setting_admin_password": "Administrator's password",
    # shapes.py
    "other_shape": "the answer has another shape ({shape})",
    **CHECKS,
    **INVENTORY,
    **SNAPSHOTS,
}

message = Catalogue(
    "triplestore",
    __file__,
    {**_ENGLISH, **LABELS},
    codes={key: f"triplestore_labels.{key}" for key in LABELS},
)
