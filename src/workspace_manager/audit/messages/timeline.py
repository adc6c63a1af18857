"""What happened to people, in sentences that begin with who did it. Keys: names of events, with a
parameter where that is known.
"""

from typing import Final

from workspace_manager.contract.message import English

WHO = {
    "the_manager": "The manager",
    "somebody": "Somebody",
    "command_line": "Somebody on the command line ({account})",
    "role.user": "user",
    "role.administrator": "administrator",
    "role.read": "read",
    "role.write": "write",
    "role.manage": "manage",
    "unknown": "{actor} noted {event} about {subject}.",
    "unknown.bare": "{actor} noted {event}.",
}
REGISTERING = {
    "registration:received": "{actor} asked to join.",
    "registration:link_sent": (
        "{actor} had the link that confirms the address sent to {subject} again."
    ),
    "registration:email_confirmed": "{actor} confirmed the e-mail address.",
    "registration:approved": "{actor} approved the registration of {subject}.",
    "registration:rejected": "{actor} turned the registration of {subject} down.",
    "registration:rejected.reason": "{actor} turned the registration of {subject} down: {reason}",
    "registration:expired": (
        "{actor} closed the registration of {subject}, which nobody decided in time."
    ),
    "registration:withdrawn": "{actor} withdrew the approval of {subject}.",
    "registration:user_left": (
        "{actor} left the account at the identity provider that was made for {subject}."
    ),
    "stranger:relinked": "{actor} linked {subject} to another account of the identity provider.",
    "stranger:adopted": "{actor} let the unknown {subject} in.",
    "stranger:refused": "{actor} refused the unknown {subject}.",
}
COMING_IN = {
    "person:entered": "{actor} came in for the first time.",
    "person:entered.role": "{actor} came in for the first time, with the role: {role}",
    "person:signed_in": "{actor} signed in.",
    "person:settings": "{actor} changed their own settings.",
    "person:notices": "{actor} chose what they are told by letter.",
    "inbox:put_off": "{actor} put off something that waits in their inbox.",
    "inbox:put_off.until": "{actor} put off something that waits in their inbox, until {until}.",
    "inbox:taken_up": "{actor} had something in their inbox shown again that was put off.",
    "sign_in:emergency": "{actor} signed in by the emergency door.",
    "sign_in:emergency_refused": "{actor} was refused at the emergency door.",
    "sign_in:emergency_refused.address": (
        "{actor} was refused at the emergency door, from {address}."
    ),
    "sign_in:ended": (
        "{actor} ended a session of {subject}, since the identity provider does not vouch for "
        "it any more."
    ),
    "sign_in:refused": "{actor} wanted to sign in and was refused.",
}
RIGHTS = {
    "administrator:added": "{actor} made {subject} an administrator.",
    "administrator:removed": "{actor} took the role of an administrator from {subject}.",
    "administrator:announced": "{actor} announced {subject} as an administrator.",
    "administrator:announced.until": (
        "{actor} announced {subject} as an administrator, until {until}."
    ),
    "administrator:announcement_ended": (
        "{actor} ended the announcement of {subject} as an administrator."
    ),
    "permission:given": "{actor} gave {subject} the permission {permission}.",
    "permission:taken": "{actor} took the permission {permission} from {subject}.",
    "permission:ended": (
        "{actor} ended the permission {permission} of {subject}, whose time was over."
    ),
    "permission:given.until": "{actor} gave {subject} the permission {permission}, until {until}.",
    "token:created": "{actor} made the API token “{name}” for {subject}.",
    "token:created.until": "{actor} made the API token “{name}” for {subject}, until {until}.",
    "token:revoked": "{actor} ended the API token “{name}” of {subject}.",
}
GOING = {
    "person:suspended": "{actor} suspended {subject}.",
    "person:suspended.until": "{actor} suspended {subject}, until {until}.",
    "person:resumed": "{actor} let {subject} back in.",
    "person:end_date": "{actor} took the end date of {subject} away.",
    "person:end_date.until": "{actor} gave {subject} an end date: {until}",
    "person:letter": "{actor} wrote {subject} a letter.",
    "people:several": "{actor} did the same with several people at once.",
    "people:several.act": "{actor} did the same with several people at once: {act}",
    "people:relinked": "{actor} linked people to the accounts that a list names.",
    "act.suspend": "suspension",
    "act.removal": "draft of the removal",
    "act.end_date": "end date",
    "act.no_end_date": "no end date any more",
    "act.letter": "letter",
    "removal:drafted": "{actor} looked at the removal of {subject}.",
    "removal:approved": "{actor} approved the removal of {subject}.",
    "removal:finished": "{actor} finished the removal of {subject}.",
    "plan:noted": "{actor} noted how plan {subject} stands that has ended.",
    "plan:forgotten": "{actor} forgot plan {subject}.",
    "tombstone:released": "{actor} let the name {subject} be used again.",
    "audit:erased": "{actor} erased somebody who left from the audit.",
    "audit:erased.entries": (
        "{actor} erased somebody who left from the audit, in so many entries: {entries}"
    ),
}
OPENING = {
    "drive:app_password_not_made": "{actor} got no app password for {subject} at the drive.",
    "drive:connected": "{actor} connected the drive.",
    "drive:credentials_dropped": "{actor} dropped the credentials of {subject} at the drive.",
    "drive:not_stored": "{actor} could not store what opens the drive for {subject}.",
    "drive:session_left": (
        "{actor} left a session of {subject} at the drive open, which could not be ended."
    ),
    "drive:token_not_taken": "{actor} could not connect {subject}: the drive refused the token.",
    "drive:unkept_revoked": "{actor} ended an unkept app password of {subject} at the drive.",
    "drive:wrong_account": "{actor} signed in at the drive with another account.",
    "service_key:requested": "{actor} ordered a service key for {subject}: {system}",
    "service_key:renamed": "{actor} renamed a service key of {subject}: {system}",
    "service_key:revealed": "{actor} had a service key of {subject} shown: {system}",
    "service_key:renewal_requested": (
        "{actor} ordered the renewal of a service key of {subject}: {system}"
    ),
    "service_key:renewed": "{actor} renewed a service key of {subject}: {system}",
    "service_key:deletion_requested": (
        "{actor} ordered the deletion of a service key of {subject}: {system}"
    ),
}
WORKING = {
    "component:requested": "{actor} ordered a new component.",
    "component:renamed": "{actor} renamed a component of {subject}.",
    "component:moved": "{actor} moved a component of {subject} to another project.",
    "component:deletion_requested": "{actor} ordered the deletion of a component of {subject}.",
    "stack:requested": "{actor} ordered a new stack.",
    "stack:renamed": "{actor} renamed a stack of {subject}.",
    "stack:moved": "{actor} moved a stack of {subject} to another project.",
    "stack:deletion_requested": "{actor} ordered the deletion of a stack of {subject}.",
    "component:detached": "{actor} took a component of {subject} out of its project.",
    "component:opened_to_everybody": "{actor} let everybody read a component of {subject}.",
    "component:closed_to_everybody": (
        "{actor} ended that everybody can read a component of {subject}."
    ),
    "component:tested": "{actor} tested the connection to a component.",
    "project:renamed": "{actor} renamed a project of {subject}.",
    "project:described": "{actor} changed the description of a project of {subject}.",
    "project:handed_over": "{actor} handed a project of {subject} over to {to}.",
    "access:opened_by_another": "{actor} gave access to what {subject} owns.",
    "access:opened_by_another.reason": "{actor} gave access to what {subject} owns: {reason}",
    "project:given_back": "{actor} gave a project of {subject} back to {to}.",
    "project:deletion_requested": "{actor} ordered the deletion of a project of {subject}.",
    "membership:asked": "{actor} asked to become a member of a project.",
    "membership:began": "{actor} made {subject} a member of a project.",
    "membership:began.role": "{actor} made {subject} a member of a project, with the role: {role}",
    "membership:declined": "{actor} declined an invitation into a project.",
    "membership:ended": "{actor} ended the membership of {subject} in a project.",
    "membership:invited": "{actor} invited {subject} into a project.",
    "membership:invited.role": "{actor} invited {subject} into a project, with the role: {role}",
    "membership:invitation_withdrawn": (
        "{actor} withdrew the invitation of {subject} into a project."
    ),
    "membership:rejected": "{actor} turned down that {subject} becomes a member of a project.",
    "membership:role_changed": "{actor} changed the role of {subject} in a project.",
    "membership:role_changed.role": "{actor} changed the role of {subject} in a project to: {role}",
}
OPERATING = {
    "backfill:link": "{actor} linked a project of {subject} to its ontology project.",
    "backfill:grant": (
        "{actor} gave the members of a project of {subject} their access to its ontology "
        "project again."
    ),
    "backfill:retry": (
        "{actor} had the link of a project of {subject} to its ontology project tried again."
    ),
    "template:added": "{actor} added the template {name}.",
    "template:changed": "{actor} changed the template {name}.",
    "template:offered": "{actor} offered the template {name}.",
    "template:removed": "{actor} removed the template {name}.",
    "template:withdrawn": "{actor} withdrew the template {name}.",
    "realm:set_up": "{actor} ordered the realm to be set up.",
    "settings:changed": "{actor} changed settings of {of}: {names}",
    "settings:forgotten": "{actor} deleted stored settings of {of}: {names}",
    "settings:tested": "{actor} tested settings of {of}: {names}",
    "hold:begun": "{actor} held everything that opens, erases or expires, after a restore.",
    "hold:confirmed": "{actor} confirmed the time: what was held goes on.",
    "as_person:made": "{actor} had a check made as a person: {of}",
    "as_person:removed": "{actor} removed everything that a check as a person made.",
    "system:checked": "{actor} had a system checked: {of}",
    "system:paused": "{actor} paused a system: {of}",
    "system:resumed": "{actor} resumed a system: {of}",
    "step:retried": "{actor} had step {step} of a plan for {subject} tried again.",
    "step:skipped": "{actor} skipped step {step} of a plan for {subject}.",
    "step:skipped.text": "{actor} skipped step {step} of a plan for {subject}: {text}",
    "step:done_by_hand": "{actor} did step {step} of a plan for {subject} by hand.",
    "step:done_by_hand.text": "{actor} did step {step} of a plan for {subject} by hand: {text}",
}
TAKING_OVER = {
    "account:taken_over": (
        "{actor} wrote down that an account that existed before belongs to {subject}: {name}"
    ),
    "person:taken_over": (
        "{actor} took {subject} over, whose account at the identity provider existed before."
    ),
    "person:take_over_undone": "{actor} undid the take-over of {subject}.",
    "take_over:confirmed": "{actor} confirmed a take-over.",
    "take_over:confirmed.accounts": (
        "{actor} confirmed a take-over. New people: {people}. Accounts: {accounts}."
    ),
    "take_over:undone": "{actor} undid a take-over.",
}
COMPARING = {
    "reconcile:begun": "{actor} began to compare all systems with the records.",
    "reconcile:adopted": (
        "{actor} approved the account of {subject} that existed before at the identity provider."
    ),
    "reconcile:connected": "{actor} wrote down that an account belongs to {subject}: {name}",
    "reconcile:disconnected": "{actor} took back that an account belongs to {subject}: {name}",
    "reconcile:drafted": (
        "{actor} looked at the repair of a difference from the records: {subject}"
    ),
    "reconcile:ignored": "{actor} put off a difference from the records: {subject}",
    "reconcile:ignored.reason": (
        "{actor} put off a difference from the records ({subject}): {reason}"
    ),
    "reconcile:repair_approved": (
        "{actor} approved the repair of a difference from the records: {subject}"
    ),
    "reconcile:settled": "{actor} brought a right of {subject} in line with the memberships.",
    "reconcile:settled.what": (
        "{actor} brought a right of {subject} in line with the memberships: {what}"
    ),
    "what.take": "it is taken",
    "what.give_back": "it is given again",
    "reconcile:shut": (
        "{actor} shut an account of {subject} that was open in spite of the suspension."
    ),
}
WEBHOOKS = {
    "webhook:added": "{actor} added the webhook {subject}.",
    "webhook:changed": "{actor} changed the webhook {subject}.",
    "webhook:removed": "{actor} deleted the webhook {subject}.",
    "webhook:rotated": "{actor} gave the webhook {subject} a new secret.",
    "webhook:revealed": "{actor} had the address of the webhook {subject} shown.",
    "webhook:tested": "{actor} had a test sent to the webhook {subject}.",
    "webhook:redelivered": "{actor} had something sent to the webhook {subject} again.",
    "webhook:disabled": "{actor} switched the webhook {subject} off.",
    "webhook:disabled.why": "{actor} switched the webhook {subject} off: {why}",
    "why.gone": "its receiver answered that nothing is to be sent there any more",
    "why.failing": "its receiver took nothing for days",
}
PLANS = {
    "plan_made": "{actor} ordered a plan for {subject}: {plan}",
    "plan_done": "{actor} finished a plan for {subject}: {plan}",
    "plan_stuck": "{actor} cannot go on with a plan for {subject} ({plan}): {reason}",
    "plan_stuck.bare": "{actor} cannot go on with a plan for {subject}: {plan}",
}
LETTERS = {
    "letter_sent": "{actor} sent {subject} a letter: {letter}",
    "letter_never": "{actor} wrote {subject} a letter that did not go out: {letter}",
    "letter_waiting": "{actor} wrote {subject} a letter that is not sent yet: {letter}",
}

TIMELINE: Final[dict[str, English]] = {
    **WHO, **REGISTERING, **COMING_IN, **RIGHTS, **GOING, **OPENING, **WORKING, **OPERATING,
    **TAKING_OVER, **COMPARING, **WEBHOOKS, **PLANS, **LETTERS,
}  # fmt: skip
