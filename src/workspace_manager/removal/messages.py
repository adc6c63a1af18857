"""Messages of the removal."""

from typing import Final

from workspace_manager.contract.message import Catalogue

PLANS: Final = {
    "removal": "Removal",
    "removal.account": "Remaining account of a removal",
    "recheck": "Follow-up check",
}
"""Kinds of plans. Their codes are stored, and keep the form that they had in the inbox's
catalogue.
"""

message = Catalogue(
    "removal",
    __file__,
    {
        "block_restored": (
            "The account was enabled or signed in again during the removal. The sign-in block "
            "was restored."
        ),
        "no_block_needed": (
            "No sign-in block was needed because no token of this person can have been issued."
        ),
        "left_component": "To do by hand: “{label}” ({name}) in its system.",
        "left_project": "To do by hand: the ontology project {id} (“{label}”).",
        "left_out": "Not checked. The steps that this check is about were skipped.",
        "nothing_known": "Nothing can come back: no drive account and no notebook is recorded.",
        "name_being_given": "the name is being given to somebody right now",
        "doing.looking_again": "checking again",
        "left_alone": (
            "The name {person} now belongs to somebody else. Their notebook was not touched."
        ),
        "ran_again": "{name} was running again after the removal and was stopped.",
        "opened_again": "{name} was open again after the removal and was blocked again.",
        "came_back": "{name} came back after the removal and was removed again.",
        "proof.account_gone": (
            "Ended with the confirmation of the removal. The account it belonged to is deleted."
        ),
        "proof.account_leaving": (
            "Ended with the confirmation of the removal. Nobody can sign in to an account that "
            "is being removed."
        ),
        "proof.token_open": (
            "May still work at the drive until it expires. The manager then removes whatever "
            "came back."
        ),
        "proof.nothing_recorded": "No record of this kind exists for this person.",
        "proof.no_step": "The plan has no step that ends this.",
        "left_by_skip": "Step {n} was skipped. Unchanged: {names}.",
        "proof.both": "{first} {then}",
        "proof.clauses": "{first}. {then}",
        "no_link": (
            "{person} has no account link and never signed in through the identity provider, so "
            "there is no user id to act on."
        ),
        "not_configured": (
            "The {system} is not configured, and {person} has no recorded account there."
        ),
        "step_remove": "Delete accounts: {system}",
        "step_recheck": "Look again: {thing}",
        "nothing_named": (
            "The {system} names nothing that belongs to {person}, so nothing was checked there."
        ),
        "block_switched_off": (
            "The account link gives the user id {sub}. The sign-in block is switched off in the "
            "settings."
        ),
        "by_hand.former_accounts": (
            "{person} was linked to other accounts at the identity provider before ({subs}). "
            "Delete what remains of them there by hand."
        ),
        "by_hand.not_linked": (
            "The account {subs} at the identity provider is known but not linked. If it belongs "
            "to {person}, delete it there by hand."
        ),
        "by_hand.left_marked": (
            "The account {subs} at the identity provider was created when {person} was approved, "
            "and nobody has signed in here with it. This removal does not touch it, and it stays "
            "open there. After the removal its page offers another plan that removes the account."
        ),
        "left.open": (
            "The account {subs} at the identity provider was not part of this removal and is "
            "still open. Anybody who knows its password can sign in there."
        ),
        "left.running": "Another plan removes the account {subs} at the identity provider.",
        "left.removed": "Another plan removed the account {subs} at the identity provider.",
        "left.label": "Account at the identity provider that was never linked",
        "left_dealt_with": "Another plan already deals with this account.",
        "nothing_left": (
            "This removal left nothing that carries the manager’s mark. There is nothing to plan."
        ),
        "nobody_looked": (
            "Not checked: the account {subs} at the identity provider was not part of this "
            "removal, and it may still give access."
        ),
        "headline.removal.done": (
            "{name} is removed. All {total} steps have ended and are verified."
        ),
        "headline.removal.until": (
            "{name} is removed. One access token may still work at the drive until {until}; the "
            "manager then checks again."
        ),
        "headline.removal.pending": (
            "{name} is removed. The end of access is not proven yet for: {systems}."
        ),
        "headline.removal.not_shown": (
            "{name} is removed. Not proven: {systems}. Nobody checked there, or the check found "
            "no answer."
        ),
        "headline.removal.by_hand": "{name} is removed. Work remains to do by hand: {systems}.",
        "headline.removal.left": "{name} is removed. Work remains to do by hand; see below.",
        "headline.removal.open": "{name} is removed, but still has access to the {systems}.",
        "headline.suspension.done": (
            "{name} is suspended. All {total} steps have ended and are verified."
        ),
        "headline.suspension.until": (
            "{name} is suspended. One access token may still work at the drive until {until}."
        ),
        "headline.suspension.pending": (
            "{name} is suspended. The block is not proven yet for: {systems}."
        ),
        "headline.suspension.not_shown": (
            "{name} is suspended. Not proven: {systems}. Nobody checked there, or the check "
            "found no answer."
        ),
        "headline.suspension.by_hand": (
            "{name} is suspended. Work remains to do by hand: {systems}."
        ),
        "headline.suspension.left": "{name} is suspended. Work remains to do by hand; see below.",
        "headline.suspension.open": "{name} is suspended, but still has access to the {systems}.",
        "by_hand.notebook": (
            "The data that the notebook hub stores about {person} is not deleted: the hub user "
            "with its tokens, a container if there is one, and volumes. Nobody else can have the "
            "name while this data exists."
        ),
        "by_hand.trash": (
            "The ontology editor keeps deleted projects in its trash, under the account "
            "{accounts}. A later person with this name finds them there, unless somebody deletes "
            "them permanently."
        ),
        "by_hand.kept_open": (
            "{system}: {name} was taken over and is kept. It cannot be disabled from here. End "
            "its access there by hand."
        ),
        "remark.doors": (
            "Blocked as soon as you confirm, independently of the steps: {systems}. A call that "
            "fails is retried, and the system is shown as open until it succeeds."
        ),
        "remark.existed_kept": (
            "Taken over, kept: {system} {name}. Its access ends; the account and its content stay."
        ),
        "remark.existed_removed": (
            "Taken over, deleted as requested: {system} {name}, with its content."
        ),
        "remark.project_ends": "The project “{project}” ends for its members: {members}.",
        "remark.leaves_project": (
            "“{component}” of {owner} stays but leaves the project “{project}”."
        ),
        "remark.stack_ends": (
            "“{stack}” is deleted with everything in it. {users} use it in the project "
            "“{project}”. {successor} could create another one before."
        ),
        "remark.stack_ends_alone": (
            "“{stack}” is deleted with everything in it. {users} use it in the project "
            "“{project}”. None of them can create another one while they are suspended."
        ),
        "remark.shared_component": (
            "“{component}” is deleted. It is shared in the project “{project}”."
        ),
        "since": "Since this preview: {things}.",
        "since.sql_database": ("{n} database", "{n} databases"),
        "since.triplestore_repository": ("{n} repository", "{n} repositories"),
        "since.knowledge_stack": ("{n} knowledge stack", "{n} knowledge stacks"),
        "since.stack": ("{n} stack", "{n} stacks"),
        "since.project": ("{n} project", "{n} projects"),
        "since.snapshot": ("{n} snapshot", "{n} snapshots"),
        "since.placed": ("{n} component of another person", "{n} components of other people"),
        "since.member": ("{n} member", "{n} members"),
        "grown_since": (
            "Other people lose more than the preview said. {what} Check the preview again and "
            "confirm it once more."
        ),
        "others_lost": "Other people lose more than the preview said. {what}",
        "draft_ended": (
            "This preview expired on {at}. Its content may have changed. Create a new preview "
            "and check it."
        ),
        "remark.member_leaves": "{person} leaves the project “{project}” of {owner}.",
        "not_here": "{person} is no longer here.",
        "being_removed": "{person} is already being removed.",
        "changed_since": (
            "The account link or the settings have changed since you saw this plan. Create a new "
            "preview and check it."
        ),
        "returned": (
            "The project “{project}” was handed over after the preview and went back to {to}."
        ),
        "kept_by": (
            "The project “{project}” was handed over after the preview. Its former owner is no "
            "longer here, so {to} keeps it."
        ),
        "membership_ended": (
            "Access to the ontology project of “{project}” was granted after the preview. The "
            "membership has ended, and {owner} has the state from before."
        ),
        "another_runs": "Another plan than the one you saw is already running.",
        "handed_over_otherwise": (
            "This plan is already running, without handing this project over to {name}."
        ),
        "not_as_shown": "This is not the plan that you saw. Check it again before you approve it.",
        "newer_preview": (
            "There is a newer preview of the removal of {person}. Check it, and confirm there."
        ),
        "plan_is": "This plan is {state}. Create a new one.",
        "suspension_restored": (
            "The account was enabled or signed in again during the suspension. It was blocked "
            "again."
        ),
        "suspension_notebook": (
            "A notebook was started during the suspension and was stopped again."
        ),
        "recheck_stuck": "{why}. {advice}",
        "recheck_waits": "Waiting: {why}. Last checked {at}.",
        "credential.manager_session": "Manager cookies",
        "credential.api_token": "Manager API tokens",
        "credential.password": "Password",
        "credential.identity_session": "Identity provider cookies",
        "credential.refresh_token": "Refresh and offline tokens",
        "credential.authorization_code": "Unused authorization codes",
        "credential.access_token": "Access token already issued",
        "credential.hub_session": "Notebook hub cookies and tokens: they start no notebook",
        "credential.service_key": "Service keys stored here",
        "credential.left_account": "Account at the identity provider that was never linked",
        "credential.machine_key": "Keys of the person’s programs",
        **{f"plan.{kind}": name for kind, name in PLANS.items()},
        "step.resolve_identity": "Find the account at the identity provider and end its sessions",
        "step.resolve_identity.ended": (
            "The account at the identity provider is known and has no open session."
        ),
        "step.remove_drive_account": "Delete the drive account",
        "step.remove_drive_account.ended": (
            "The drive account, all app passwords and the stored credentials are gone."
        ),
        "step.remove_identity": "Delete the account at the identity provider",
        "step.remove_identity.ended": (
            "The account at the identity provider is deleted. No notebook was started "
            "in the meantime."
        ),
        "step.drop_sql_users": "Delete the SQL users",
        "step.drop_sql_users.ended": (
            "All SQL users of this person are deleted on every host, and none has an open session."
        ),
        "step.delete_records": "Delete projects, components, snapshots and keys",
        "step.delete_records.ended": (
            "Everything this person owned is deleted, here and in its system."
        ),
    },
    codes={f"plan.{kind}": f"inbox.plan.{kind}" for kind in PLANS},
)
