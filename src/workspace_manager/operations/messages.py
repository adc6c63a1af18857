"""Messages about systems, their settings and the realm."""

from typing import Final

from workspace_manager.contract.message import Catalogue

PLANS: Final = {
    "realm.setup": "Identity provider set-up",
}
"""Kinds of plans. Their codes are stored, and keep the form that they had in the inbox's
catalogue.
"""

message = Catalogue(
    "operations",
    __file__,
    {
        # as_person.py, as_person_left.py
        "as_person_under_way": "a check as a person is under way",
        "as_person_under_way_advice": "Try again when it has ended, in less than two minutes.",
        "check_person_made": "as a person: made",
        "check_person_walk": "as a person: sign-in",
        "check_person_tried": "as a person: token",
        "check_person_left": "as a person: removed",
        "person_not_tried": (
            "The {system} was not given the person's token: an account that came of it could not "
            "be removed"
        ),
        "person_not_tried_advice": "Set an administrator of that system in its settings.",
        "person_gone": "everything that the check made is gone, and was seen to be gone",
        "person_left": "something that a check as a person made could not be removed: {why}",
        "person_left_advice": (
            "Nothing opens it any more. Correct what is said; the next check of the identity "
            "provider tries again, or remove it by hand."
        ),
        "person_still_there": "it is still there",
        "nothing_to_do": "The realm is already set up. There is nothing to do.",
        "under_way": "A set-up of the realm is already running: plan {id}.",
        "unreadable": "The file that {variable} names cannot be read.",
        "pinned": "Set by the environment ({variables}), so it cannot be stored. Change it there.",
        "needed": "is needed: it can be replaced, not forgotten",
        "secret_of_origin": "was typed for {origin}: type it again for another address",
        "secret_pinned_for_origin": (
            "is set by the environment for {origin}: change the address there too"
        ),
        "ignored": "{variable} is set in the environment, but there is no such setting: "
        "it is ignored",
        "did_you_mean": "Did you mean {variable}?",
        "names_are": "Names: {variable}.",
        "not_configured": "The {system} is not configured. Missing: {missing}.",
        "just_set_up": "The {system} was set up a moment ago. Try again.",
        "not_usable": "The {system} cannot be called: {wrong}.",
        "setting_wrong": "{setting} {why}",
        "not_loaded": "The {system} cannot be called: its code cannot be loaded ({why}).",
        "not_loaded_advice": "Install a version that fits this manager.",
        "not_testable": "This cannot be tested yet. Missing: {missing}.",
        "set_if_any": "Set it if you have one.",
        "correct_settings": "Correct it with: workspace-manager settings set",
        "not_installed": "No system {name} is installed.",
        "check_own_names": "own names",
        "borne_by": (
            "{person} has the name of an account that the {system} or the manager uses itself, "
            "and may have its rights there"
        ),
        "borne_by_advice": (
            "Give {person} another name: remove this account and approve one with another name. "
            "Or rename that account of the system and set the name in the settings."
        ),
        "doing_checking": "asking it for a check",
        "checks_busy": "{count} checks and tests of systems are already running",
        "checks_busy_advice": "Try again in less than a minute.",
        "check_encryption": "encryption",
        "travels_in_clear": (
            "{setting}: everything sent to {address}, including passwords and keys, is unencrypted"
        ),
        "use_https": (
            "Set up a certificate and use an address that begins with https://, or make sure "
            "that nobody else is on the network path."
        ),
        "check_first_administrator": "first administrator",
        "first_by_name": (
            "{person} becomes the first administrator at the first sign-in and is known by name "
            "only, while anybody may register that name there"
        ),
        "first_by_name_advice": (
            "Name the account with WORKSPACE_FIRST_ADMINISTRATOR_SUB or "
            "WORKSPACE_FIRST_ADMINISTRATOR_EMAIL, and run `workspace-manager setup "
            "identity-provider`, which switches off registration there."
        ),
        "check_settings": "settings",
        "check_connect": "connect",
        "check_credential": "credential",
        "not_sent_again": (
            "the {system} rejected this credential ({why}); it is not sent again, and everything "
            "that needs it was not checked"
        ),
        "not_sent_again_advice": (
            "Correct the credential in the settings; the {system} is then resumed automatically. "
            "If it was corrected at the other end, resume the {system}."
        ),
        "check_configured": "configured",
        "check_environment": "environment",
        "check_people": "people who no longer exist",
        "people_gone": "deleted there, but still here with all their data: {people}",
        "remove_them": (
            "Remove each of them under People, or link the new account if they were created "
            "again there. Nothing is removed automatically."
        ),
        "check_housekeeping": "housekeeping",
        "housekeeping_done": "everything that ends by its time is ended",
        "housekeeping_fails": (
            "{n} part of it has failed since {since}: {what}",
            "{n} parts of it have failed, the first since {since}: {what}",
        ),
        "housekeeping_advice": (
            "See the worker’s log for each error. Everything else continues, and each part is "
            "retried automatically at least once a day."
        ),
        "check_hold": "hold",
        "nothing_held": "no hold is in force",
        "held_by_clock": (
            "the clock jumped from {since} to {said} between two minutes of a worker: it was "
            "changed, or no worker ran. Until you confirm the time, no suspension ends, nothing "
            "is erased and nothing expires; blocking access continues"
        ),
        "held_by_clock_advice": (
            "Check the clock on the host of the database. If it is wrong, correct it; the hold "
            "then ends automatically. If it is right, confirm it here, on the page Systems, or "
            "with `workspace-manager hold confirm`."
        ),
        "held_by_restore": (
            "{by} recorded at {at} that the database was restored from a backup. Until somebody "
            "confirms the time, no suspension ends, nothing is erased and nothing expires; "
            "blocking access continues"
        ),
        "held_by_restore_advice": (
            "Check the restored data as the page “Back up and restore” describes. Then confirm "
            "here, on the page Systems, or with `workspace-manager hold confirm`."
        ),
        "check_host_clock": "this host's clock",
        "clocks_agree": "this host and the database have the same time",
        "clocks_differ": (
            "this host says that it is {host}, the database {database}. What ends by its time goes "
            "by the database; sign-ins that begin here may be refused"
        ),
        "clocks_differ_advice": (
            "Have both hosts take their time from the network (chrony, systemd-timesyncd), and "
            "look which of them is wrong."
        ),
        "check_connections": "connections",
        "connections_free": "{taken} of the {most} connections that the database has are taken",
        "connections_few": (
            "the database has few connections left: {taken} of {most} are taken. Another worker "
            "or web process may find none"
        ),
        "connections_gone": (
            "the database has no connection left: {taken} of {most} are taken. Pages answer that "
            "it is busy, and plans wait"
        ),
        "connections_advice": (
            "Let the database have more (max_connections, or the limit of this database or "
            "account), start fewer processes, or give each fewer: WORKSPACE_DATABASE_CONNECTIONS."
        ),
        "check_queue": "queue",
        "queue_ours": "everything in the queue was put there by the manager",
        "queue_dropped": (
            "{n} entry of the queue was dropped since {since} (the last at {last}): no key of "
            "WORKSPACE_SECRET_KEYS signed it",
            "{n} entries of the queue were dropped since {since} (the last at {last}): no key of "
            "WORKSPACE_SECRET_KEYS signed them",
        ),
        "queue_advice": (
            "The manager ran nothing of it and missed nothing, because it looks for due work each "
            "minute. Start every web process and every worker with the same WORKSPACE_SECRET_KEYS. "
            "If they already have the same keys, somebody else writes to the queue "
            "(WORKSPACE_QUEUE_URL): change its password, and find out who can write there."
        ),
        # sign_in_walk.py
        "walk_goes_on": "a sign-in comes as far as the password",
        "walk_refused": "nobody can sign in: the identity provider says “{said}”",
        "walk_another_client": (
            "people are signed in as the client {there}, and the realm is set up for {here}: "
            "what that client is told of a person is not told to this one"
        ),
        "walk_refused_another_client": (
            "nobody can sign in: people are sent as the client {there}, the realm is set up "
            "for {here}, and the identity provider says “{said}”"
        ),
        "walk_name_client": "Give {system} the client id {client_id} and that client's secret.",
        "walk_leads_elsewhere": (
            "a sign-in leads to {there}, and people have their accounts at {here}"
        ),
        "walk_stays": "a sign-in does not lead to the identity provider: {shape}",
        "walk_stays_saying": (
            "a sign-in does not lead to the identity provider: {shape}, which says “{said}”"
        ),
        "walk_name_issuer": (
            "Have {system} sign people in at {issuer}, or correct the settings of the "
            "identity provider."
        ),
        "health_never": "its availability has not been recorded yet",
        "health_resumed": "it was resumed just now, and nobody has looked at it since",
        "health_old": "it has not been checked since {at}",
        "health_slow": "it took {seconds} seconds to answer",
        "health_call_fails": "it answers, and a call with our credential fails: {why}",
        "health_finding": "{name}: {found}",
        "reading_secret": "reading a secret",
        "no_place": "there is no place “{place}” for secrets",
        "secret_gone": "the secret is no longer stored",
        **{f"plan.{kind}": name for kind, name in PLANS.items()},
        "step.declare_attributes": "Declare the user attributes",
        "step.set_up_clients": "Set up the clients of the workspace",
        "step.set_up_mappers": "Set up the contents of tokens and userinfo",
        "step.give_service_roles": "Assign the roles of the service account",
        "step.close_realm": "Let the manager handle registration and user names",
    },
    codes={f"plan.{kind}": f"inbox.plan.{kind}" for kind in PLANS},
)
