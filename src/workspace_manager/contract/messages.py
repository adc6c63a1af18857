"""Messages that every system may use about a call, a setting or an error: in English, German beside
it.
"""

from collections.abc import Iterable

from workspace_manager.contract.earlier_names import keep_earlier_names
from workspace_manager.contract.message import Catalogue, Message

_ENGLISH = {
    # spec_check.py, error_boundary.py, guarded_spec.py
    "no_spec": "{type} is no SystemSpec",
    "other_name": "it calls itself {own}, and its entry point {name}",
    "bad_name": "a name is made of a to z, digits and underscores",
    "bad_kind": "the kind {kind} does not begin with {name} and a dot",
    "bad_member": "its {member} is no {type}",
    "bad_lock": "the lock of {kind} is no text with parts of a target in braces",
    "bad_credential": "the credential {credential} ends with {kind}, a kind that it has not",
    "step_of_ours": "it calls its step {step}, as the manager calls one of its own",
    # What it brings does not keep to the contract.
    "functions": "what connects it",
    "calling": "calling {what}",
    "raised": "{what} raised {error} ({line})",
    "unfit": "{what} gave {type}, which does not fit the contract",
    "check_says_nothing": "its check looked at nothing",
    "defect_advice": (
        "What connects {system} is at fault, not the system itself. Tell its author, install a "
        "version without this fault, and try again."
    ),
    # deadline.py
    "time_ran_out": "the time in which this could be done ran out before the call was made",
    "tried_again": "Nothing is to do: it is tried again.",
    # sign_in_walk.py
    "check_sign_in_walk": "walk of a sign-in",
    "walking_sign_in": "following a sign-in without a password",
    # errors.py
    "in_full": "{kind}: {doing}: {why}",
    "usual_unavailable": (
        "This is usually over by itself after a while; if it stays, look at that system."
    ),
    "usual_denied": (
        "Correct the credential in the settings, or give the account behind it the rights that the "
        "system's check names."
    ),
    "usual_not_found": (
        "Look in that system whether it is there. It may have been deleted, or our account may not "
        "be shown it."
    ),
    "usual_conflict": (
        "Find out in that system whose it is. The manager takes nothing over by name only. Then "
        "try again, skip the step, or complete it by hand."
    ),
    "usual_invalid": (
        "Check the address in the settings, and that the system's version is one the manager "
        "knows; then try again."
    ),
    # http.py
    "shape": "HTTP {status}, {type}, {size} bytes",
    "shape_untyped": "HTTP {status}, no content type, {size} bytes",
    "no_answer_within": "no answer within {seconds} seconds",
    "something_else_answers": (
        "Check the address in the settings: a login page or a proxy may be answering instead."
    ),
    "not_json": "expected JSON, got {shape}",
    "json_does_not_parse": "the JSON does not parse ({shape})",
    "answered": "it answers {shape}: not available at the moment",
    "overloaded": "The system is overloaded or in trouble; it is asked again.",
    "redirected": "it answered with a redirect ({shape})",
    "name_not_addressable": "the name cannot be addressed safely in a URL",
    "remove_by_hand": "Remove it by hand in that system.",
    "connection_failed": "the connection failed",
    "not_public": "the address is on this machine or in a private network; nothing was sent",
    "look_for_line_break": "Look for a line break or a blank at the end of the stored secret.",
    "credential_unfit_for_header": "the credential cannot be sent in a header",
    "check_address": "Check the address in the settings.",
    "address_unusable": "the address is not a usable URL",
    "connection_failed_by": "the connection failed ({name})",
    "certificate_refused": (
        "its certificate is by nobody whom the manager trusts, for another name, or not valid "
        "today; nothing was sent"
    ),
    "look_at_certificate": (
        "Check whether this is the right server, and check its certificate. To trust an authority "
        "of your own, add it to those of the machine on which the manager runs, or to the file "
        "that SSL_CERT_FILE names there."
    ),
    "answer_too_large": "the answer is larger than {most} bytes",
    "compression_not_asked_for": "the answer is compressed in a way that was not asked for",
    "compression_broken": "the compressed answer cannot be read to its end",
    "answer_did_not_end": "the answer did not end in time",
    "check_it_runs": "Check that the system runs and that its address in the settings is right.",
    # inventory.py
    "kept_unnameable": "The manager cannot keep its name: it is too long, or no text.",
    # looks.py
    "looking": "looking whether it is there",
    "another_answers": "what answers there is something else ({shape})",
    # messages.py
    "joined": "{first}{by}{rest}",
    # paging.py
    "nothing_new": "the page that begins after {first} entries brings nothing new",
    "no_end": "the list does not end: it has more than {n} entries, and there cannot be so many",
    "paging_advice": (
        "The list is incomplete, so it was not used. Check whether a proxy caches answers or "
        "removes the query of an address. Then compare again."
    ),
    # places.py
    "no_place": "as many calls to it are under way as are made at once ({most})",
    "being_asked": "it is being asked just now for what everybody needs of it, and takes long",
    "being_asked_advice": (
        "Try again in a few seconds; what the manager does by itself goes on by itself. If it "
        "stays so, the system is slow: look at its host."
    ),
    "no_place_advice": (
        "Try again in a few seconds; what the manager does by itself goes on by itself. How many "
        "calls are made at once is a setting of the system."
    ),
    # settings.py
    "calls_at_once": "Concurrent calls",
    "calls_at_once_help": (
        "The highest number of calls that each process of the manager makes to this system at the "
        "same time (its concurrency limit). A slow system cannot use up more of the worker."
    ),
    "number_too_small": "must be at least {least}",
    "no_such_setting": "there is no such setting",
    "not_boolean": "must be true or false",
    "not_whole_number": "must be a whole number",
    "not_text": "must be text",
    "number_too_large": "must be at most {most}",
    "not_a_choice": "must be one of {choices}",
    "not_set": "is not set; write {empty} for deliberately empty",
    "not_an_address": "must be an address like https://host/path",
    "severity.ok": "OK",
    "severity.warning": "warning",
    "severity.failing": "failing",
    "user_in_address": "must not contain a user name or password",
}

message = Catalogue("contract", __file__, _ENGLISH)


def join_messages(messages: Iterable[Message], *, by: str) -> Message:
    """One message of several, with what stands between them. Raises ValueError for none."""
    first, *rest = messages
    return message("joined", first=first, by=by, rest=join_messages(rest, by=by)) if rest else first


keep_earlier_names(__name__, joined="join_messages")
