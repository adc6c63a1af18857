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
    "trying_password": "trying the account's password",
    "listing_repositories": "listing the repositories",
    "listing_stored": "listing what is stored",
    "creating_repository": "creating the repository",
    "changing_title": "changing the repository's title",
    "deleting_repository": "deleting the repository",
    "signing_in": "{doing}: signing in",
    "no_token": "the answer to signing in holds no token",
    "addressing": "addressing it",
    # connector/user.py
    "listed_but_not_deletable": "the account is listed, but deleting it says that it is not there",
    "delete_account_by_hand": "Look at the account in the triplestore and delete it there by hand.",
    "read_account": "read the account",
    "no_account": "The triplestore says that there is no account '{name}'.",
    "exactly_these_rights": "The account '{name}' has exactly these rights: {rights}.",
    "old_password_refused": "{found} Its new password is right, and the one before it is refused.",
    "password_is_the_only": "{found} Its new password is right, and an account has one password.",
    "surplus_rights": (
        "the account has {surplus} rights more than it shall have, and OpenGDB only ever adds "
        "rights"
    ),
    "taking_rights": "taking rights away",
    "needs_new_password": (
        "The account must be deleted and made anew, for which its password is needed: give it a "
        "new password."
    ),
    # connector/suspension.py
    "rights_not_taken": "the triplestore took none of these rights away: {rights}",
    "take_rights_by_hand": (
        "This version takes rights away by no call we know. Take them there by hand, and mark the "
        "step as done by hand; the account's password must not be changed for it."
    ),
    "no_account_to_open": "the account '{name}', which the suspension shut, is not there any more",
    "giving_rights_back": "giving rights back",
    "skip_if_deleted": (
        "If it was deleted on purpose, skip the step: the next repository of this person makes a "
        "new account with a new key."
    ),
    "no_right_left": (
        "The account '{name}' has no right on any repository: its password and its token read and "
        "write nothing."
    ),
    "rights_are_back": "The account '{name}' has these rights again: {rights}.",
    "no_password": "there is no password for the account '{name}'",
    "make_new_password": "Make a new password for this component and try again.",
    "own_administrator": "'{name}' is the administrator the manager itself signs in as",
    "nobody_may_have_name": (
        "Nobody may have this user name; use another account for the manager or for the person."
    ),
    "account_with_role": "an account '{username}' with the role {role} is there already",
    "not_one_of_ours": (
        "It is not one of ours. Rename it in the triplestore, or take its role away if it belongs "
        "to the person."
    ),
    "listed_all_accounts": (
        "Signed in as '{username}', the triplestore listed all of its {count} accounts."
    ),
    "list_accounts": "list the accounts",
    # connector/repositories.py
    "stored_but_not_listed": (
        "data is stored under this id that the user layer does not list; creating it would delete "
        "that data"
    ),
    "look_in_rdf4j": (
        "Look at it in RDF4J. Delete it there, or list it in OpenGDB, when it is known whose it is."
    ),
    "no_repository": (
        "The triplestore lists no repository '{repository_id}', and its store holds no data under "
        "that id."
    ),
    "repository_there": (
        "The triplestore lists the repository '{repository_id}' ({title}) and stores it."
    ),
    "listed_several_times": "the id is listed {count} times; every call on it fails from now on",
    "looking_for_repository": "looking for the repository",
    "listed_but_not_there": "it is listed, but deleting it says that it is not there",
    "delete_repository_by_hand": (
        "Look at the repository in the triplestore and delete it there by hand."
    ),
    "still_listed": "the deletion was answered, but the repository is still listed",
    "tried_again": (
        "It is tried again. If this stays, look at the repository in the triplestore; a proxy may "
        "answer in its place."
    ),
    "needs_title": "a repository needs a title",
    "reading_wish": "reading what is wanted",
    "list_both_sides": "list the repositories, in the user layer and in the store",
    # connector/public.py, client/public.py
    "opening_to_everybody": "letting everybody read",
    "closing_to_everybody": "letting nobody read without signing in",
    "reading_as_anybody": "reading without signing in",
    "counting": "counting what is there",
    "deleted_meanwhile": "It was deleted meanwhile. Skip the step.",
    "all_or_none": (
        "GraphDB lets everybody read all repositories or none: it has no such switch for a single "
        "one"
    ),
    "all_or_none_advice": (
        "Ask an administrator about free access to the whole GraphDB, or publish a copy of the "
        "data elsewhere."
    ),
    "read_as_anybody": "read it without signing in",
    "anybody_reads": "Without signing in, the repository '{repository_id}' can be read.",
    "nobody_reads": "Without signing in, the repository '{repository_id}' cannot be read.",
    # names.py
    "impossible_account_name": "this name cannot be an account of the triplestore",
    "impossible_repository_id": "a repository id has only letters, digits, '_' and '-'",
    "needs_something_unique": "a repository id needs something unique",
    # refusals.py
    "check_credentials": (
        "Check the administrator's name and password in the settings. OpenGDB lets only a Django "
        "superuser manage users: the role ROLE_ADMIN is not enough."
    ),
    "check_address": (
        "Check the address in the settings: something else than the triplestore's interface "
        "answered."
    ),
    "may_have_been_done": (
        "It may have been done all the same. The triplestore is looked at again before anything is "
        "repeated; check that RDF4J runs behind it."
    ),
    "refused_credentials": "it refused our credentials ({shape})",
    "repository_exists": "a repository with this id exists already",
    "person_decides": "A person decides whose it is.",
    "call_not_accepted": "it did not accept the call ({shape})",
    "answered_something_else": "it answered something else than was asked ({shape})",
    "in_trouble": "it is in trouble ({shape})",
    "unknown_right": (
        "it does not know one of the rights: probably a repository is missing that a right is about"
    ),
    "sent_to_login": "it sent us to its login page: the account lacks the right",
    "redirected": "it answered with a redirect ({shape})",
    "no_such_thing": "there is no such thing",
    "no_such_repository": "RDF4J has no such repository",
    "address_unknown": "this address is unknown there ({shape})",
    "hides_it": "it hides the thing from us: OpenGDB answers an empty 404 for a missing right",
    "account_exists": "an account with this name exists already",
    "created_twice": "the id was created twice; from now on every call on it fails",
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
    "setting_flavour_help": "auto asks the server; set it when a proxy hides /rest/security.",
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
