"""Events of people, in sentences that begin with the actor. Keys: names of events, with a
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
    "unknown": "{actor} recorded {event} for {subject}.",
    "unknown.bare": "{actor} recorded {event}.",
}
REGISTERING = {
    "registration:received": "{actor} registered.",
    "registration:link_sent": "{actor} resent the confirmation link to {subject}.",
    "registration:email_confirmed": "{actor} confirmed the e-mail address.",
    "registration:approved": "{actor} approved the registration of {subject}.",
    "registration:rejected": "{actor} rejected the registration of {subject}.",
    "registration:rejected.reason": "{actor} rejected the registration of {subject}: {reason}",
    "registration:expired": "{actor} closed the expired registration of {subject}.",
    "registration:withdrawn": "{actor} withdrew the approval of {subject}.",
    "registration:user_left": (
        "{actor} kept the account that was created for {subject} at the identity provider."
    ),
    "stranger:relinked": "{actor} linked {subject} to another account at the identity provider.",
    "stranger:adopted": "{actor} admitted {subject} after a refused sign-in.",
    "stranger:refused": "{actor} rejected {subject} after a refused sign-in.",
}
COMING_IN = {
    "person:entered": "{actor} signed in for the first time.",
    "person:entered.role": "{actor} signed in for the first time, with the role: {role}",
    "person:signed_in": "{actor} signed in.",
    "person:settings": "{actor} changed their own settings.",
    "person:notices": "{actor} changed the e-mail notifications.",
    "inbox:put_off": "{actor} snoozed an inbox item.",
    "inbox:put_off.until": "{actor} snoozed an inbox item until {until}.",
    "inbox:taken_up": "{actor} ended the snooze of an inbox item.",
    "sign_in:emergency": "{actor} used the emergency sign-in.",
    "sign_in:emergency_refused": "{actor} was refused at the emergency sign-in.",
    "sign_in:emergency_refused.address": (
        "{actor} was refused at the emergency sign-in, from {address}."
    ),
    "sign_in:ended": (
        "{actor} ended a session of {subject} because the identity provider no longer confirms it."
    ),
    "sign_in:refused": "{actor} tried to sign in and was refused.",
}
RIGHTS = {
    "administrator:added": "{actor} made {subject} an administrator.",
    "administrator:removed": "{actor} removed the administrator role of {subject}.",
    "administrator:announced": "{actor} announced {subject} as an administrator.",
    "administrator:announced.until": (
        "{actor} announced {subject} as an administrator, until {until}."
    ),
    "administrator:announcement_ended": (
        "{actor} ended the announcement of {subject} as an administrator."
    ),
    "permission:given": "{actor} granted {subject} the permission {permission}.",
    "permission:taken": "{actor} revoked the permission {permission} of {subject}.",
    "permission:ended": "{actor} ended the expired permission {permission} of {subject}.",
    "permission:given.until": (
        "{actor} granted {subject} the permission {permission}, until {until}."
    ),
    "token:created": "{actor} created the API token “{name}” for {subject}.",
    "token:created.until": "{actor} created the API token “{name}” for {subject}, until {until}.",
    "token:revoked": "{actor} revoked the API token “{name}” of {subject}.",
}
GOING = {
    "person:suspended": "{actor} suspended {subject}.",
    "person:suspended.until": "{actor} suspended {subject}, until {until}.",
    "person:resumed": "{actor} ended the suspension of {subject}.",
    "person:end_date": "{actor} removed the end date of {subject}.",
    "person:end_date.until": "{actor} set the end date of {subject} to {until}.",
    "person:letter": "{actor} wrote an e-mail to {subject}.",
    "people:several": "{actor} carried out a bulk action.",
    "people:several.act": "{actor} carried out a bulk action: {act}",
    "people:relinked": "{actor} linked people to accounts from a list.",
    "act.suspend": "suspension",
    "act.removal": "draft of the removal",
    "act.end_date": "end date",
    "act.no_end_date": "end date removed",
    "act.letter": "e-mail",
    "removal:drafted": "{actor} previewed the removal of {subject}.",
    "removal:approved": "{actor} approved the removal of {subject}.",
    "removal:finished": "{actor} finished the removal of {subject}.",
    "plan:noted": "{actor} recorded the result of the plan {subject}.",
    "plan:forgotten": "{actor} deleted the old plan {subject}.",
    "tombstone:released": "{actor} released the reserved name {subject}.",
    "audit:erased": "{actor} erased a former person from the audit log.",
    "audit:erased.entries": "{actor} erased a former person from the audit log. Entries: {entries}",
}
OPENING = {
    "drive:app_password_not_made": (
        "{actor} could not create an app password for {subject} at the drive."
    ),
    "drive:connected": "{actor} connected the drive.",
    "drive:credentials_dropped": "{actor} deleted the drive credentials of {subject}.",
    "drive:not_stored": "{actor} could not store the drive credentials of {subject}.",
    "drive:session_left": "{actor} could not end a session of {subject} at the drive.",
    "drive:token_not_taken": (
        "{actor} could not connect {subject} because the drive refused the token."
    ),
    "drive:unkept_revoked": (
        "{actor} revoked an app password of {subject} at the drive that was not stored."
    ),
    "drive:wrong_account": "{actor} signed in at the drive with another account.",
    "snapshot:requested": "{actor} started a snapshot of {subject}.",
    "snapshot:uploaded": "{actor} uploaded a file as a snapshot of {subject}.",
    "snapshot:renamed": "{actor} renamed a snapshot of {subject}.",
    "snapshot:restore_requested": "{actor} started the restore of a snapshot of {subject}.",
    "snapshot:restore_in_place_requested": (
        "{actor} started the restore of a snapshot of {subject} in place of the present content."
    ),
    "snapshot:schedule_set": "{actor} scheduled snapshots of a component or a stack of {subject}.",
    "snapshot:schedule_ended": "{actor} ended the schedule of snapshots of {subject}.",
    "snapshot:deletion_requested": "{actor} deleted a snapshot of {subject}.",
    "snapshot:taken_back": "{actor} found a snapshot of {subject} in the store and recorded it.",
    "snapshot:downloaded": "{actor} downloaded a snapshot of {subject}.",
    "snapshot:key_shown": "{actor} viewed the key of a snapshot of {subject}.",
    "service_key:requested": "{actor} requested a service key for {subject}: {system}",
    "service_key:renamed": "{actor} renamed a service key of {subject}: {system}",
    "service_key:revealed": "{actor} viewed a service key of {subject}: {system}",
    "service_key:renewal_requested": (
        "{actor} requested the renewal of a service key of {subject}: {system}"
    ),
    "service_key:renewed": "{actor} renewed a service key of {subject}: {system}",
    "service_key:deletion_requested": (
        "{actor} requested the deletion of a service key of {subject}: {system}"
    ),
}
WORKING = {
    "component:requested": "{actor} requested a new component.",
    "component:renamed": "{actor} renamed a component of {subject}.",
    "component:moved": "{actor} moved a component of {subject} to another project.",
    "component:deletion_requested": "{actor} requested the deletion of a component of {subject}.",
    "stack:requested": "{actor} requested a new stack.",
    "stack:renamed": "{actor} renamed a stack of {subject}.",
    "stack:moved": "{actor} moved a stack of {subject} to another project.",
    "stack:deletion_requested": "{actor} requested the deletion of a stack of {subject}.",
    "component:detached": "{actor} removed a component of {subject} from its project.",
    "component:opened_to_everybody": "{actor} made a component of {subject} public.",
    "component:closed_to_everybody": "{actor} ended public access to a component of {subject}.",
    "component:tested": "{actor} tested the connection to a component.",
    "project:renamed": "{actor} renamed a project of {subject}.",
    "project:described": "{actor} changed the description of a project of {subject}.",
    "project:handed_over": "{actor} handed a project of {subject} over to {to}.",
    "access:opened_by_another": "{actor} shared something that {subject} owns.",
    "access:opened_by_another.reason": "{actor} shared something that {subject} owns: {reason}",
    "project:given_back": "{actor} gave a project of {subject} back to {to}.",
    "project:deletion_requested": "{actor} requested the deletion of a project of {subject}.",
    "membership:asked": "{actor} asked to join a project.",
    "membership:began": "{actor} made {subject} a member of a project.",
    "membership:began.role": "{actor} made {subject} a member of a project, with the role: {role}",
    "membership:declined": "{actor} declined an invitation to a project.",
    "membership:ended": "{actor} ended the membership of {subject} in a project.",
    "membership:invited": "{actor} invited {subject} to a project.",
    "membership:invited.role": "{actor} invited {subject} to a project, with the role: {role}",
    "membership:invitation_withdrawn": "{actor} withdrew the invitation of {subject} to a project.",
    "membership:rejected": "{actor} rejected the request of {subject} to join a project.",
    "membership:role_changed": "{actor} changed the role of {subject} in a project.",
    "membership:role_changed.role": "{actor} changed the role of {subject} in a project to: {role}",
}
OPERATING = {
    "backfill:link": "{actor} linked a project of {subject} to its ontology project.",
    "backfill:grant": (
        "{actor} restored the members’ access to the ontology project of a project of {subject}."
    ),
    "backfill:retry": "{actor} retried linking a project of {subject} to its ontology project.",
    "template:added": "{actor} added the template {name}.",
    "template:changed": "{actor} changed the template {name}.",
    "template:offered": "{actor} offered the template {name}.",
    "template:removed": "{actor} removed the template {name}.",
    "template:withdrawn": "{actor} withdrew the template {name}.",
    "realm:set_up": "{actor} started the set-up of the realm.",
    "settings:changed": "{actor} changed settings of {of}: {names}",
    "settings:forgotten": "{actor} deleted stored settings of {of}: {names}",
    "settings:tested": "{actor} tested settings of {of}: {names}",
    "hold:begun": "{actor} put changes on hold after a restore.",
    "hold:confirmed": "{actor} confirmed the time and ended the hold.",
    "as_person:made": "{actor} started a check as a person: {of}",
    "as_person:removed": "{actor} removed everything that a check as a person created.",
    "system:checked": "{actor} checked a system: {of}",
    "system:paused": "{actor} paused a system: {of}",
    "system:resumed": "{actor} resumed a system: {of}",
    "step:retried": "{actor} retried step {step} of a plan for {subject}.",
    "step:skipped": "{actor} skipped step {step} of a plan for {subject}.",
    "step:skipped.text": "{actor} skipped step {step} of a plan for {subject}: {text}",
    "step:done_by_hand": "{actor} did step {step} of a plan for {subject} by hand.",
    "step:done_by_hand.text": "{actor} did step {step} of a plan for {subject} by hand: {text}",
}
TAKING_OVER = {
    "account:taken_over": "{actor} took over an existing account of {subject}: {name}",
    "person:taken_over": (
        "{actor} took over {subject} with the existing account at the identity provider."
    ),
    "person:take_over_undone": "{actor} undid the take-over of {subject}.",
    "take_over:confirmed": "{actor} confirmed a take-over.",
    "take_over:confirmed.accounts": (
        "{actor} confirmed a take-over. New people: {people}. Accounts: {accounts}."
    ),
    "take_over:undone": "{actor} undid a take-over.",
}
COMPARING = {
    "reconcile:begun": "{actor} started a comparison of all systems with the records.",
    "reconcile:adopted": (
        "{actor} admitted {subject} with an existing account at the identity provider."
    ),
    "reconcile:connected": "{actor} assigned an account to {subject}: {name}",
    "reconcile:disconnected": "{actor} removed the assignment of an account to {subject}: {name}",
    "reconcile:drafted": "{actor} previewed the repair of a difference: {subject}",
    "reconcile:ignored": "{actor} snoozed a difference: {subject}",
    "reconcile:ignored.reason": "{actor} snoozed a difference ({subject}): {reason}",
    "reconcile:repair_approved": "{actor} approved the repair of a difference: {subject}",
    "reconcile:settled": "{actor} adjusted a right of {subject} to the memberships.",
    "reconcile:settled.what": "{actor} adjusted a right of {subject} to the memberships: {what}",
    "what.take": "revoked",
    "what.give_back": "restored",
    "reconcile:shut": (
        "{actor} disabled an account of {subject} that was open despite the suspension."
    ),
}
WEBHOOKS = {
    "webhook:added": "{actor} added the webhook {subject}.",
    "webhook:changed": "{actor} changed the webhook {subject}.",
    "webhook:removed": "{actor} deleted the webhook {subject}.",
    "webhook:rotated": "{actor} gave the webhook {subject} a new secret.",
    "webhook:revealed": "{actor} viewed the address of the webhook {subject}.",
    "webhook:tested": "{actor} sent a test to the webhook {subject}.",
    "webhook:redelivered": "{actor} resent a delivery to the webhook {subject}.",
    "webhook:disabled": "{actor} switched the webhook {subject} off.",
    "webhook:disabled.why": "{actor} switched the webhook {subject} off: {why}",
    "why.gone": "its receiver answered that it no longer exists",
    "why.failing": "its receiver accepted nothing for days",
}
PLANS = {
    "plan_made": "{actor} started a plan for {subject}: {plan}",
    "plan_done": "{actor} finished a plan for {subject}: {plan}",
    "plan_stuck": "{actor} is stuck with a plan for {subject} ({plan}): {reason}",
    "plan_stuck.bare": "{actor} is stuck with a plan for {subject}: {plan}",
}
LETTERS = {
    "letter_sent": "{actor} sent {subject} an e-mail: {letter}",
    "letter_never": "{actor} wrote {subject} an e-mail that was not sent: {letter}",
    "letter_waiting": "{actor} wrote {subject} an e-mail that is not sent yet: {letter}",
}

TIMELINE: Final[dict[str, English]] = {
    **WHO, **REGISTERING, **COMING_IN, **RIGHTS, **GOING, **OPENING, **WORKING, **OPERATING,
    **TAKING_OVER, **COMPARING, **WEBHOOKS, **PLANS, **LETTERS,
}  # fmt: skip
