"""What the removal says to people, in English; in German beside it (`messages.de.po`)."""

from typing import Final

from workspace_manager.contract.message import Catalogue

PLANS: Final = {
    "removal": "Removal",
    "removal.account": "Account that a removal left",
    "recheck": "Follow-up check",
}
"""Kinds of plans. Messages that are stored name them: the codes are those of the inbox, where
they stood before.
"""

message = Catalogue(
    "removal",
    __file__,
    {
        "block_restored": (
            "The account was enabled or signed in again while it was leaving; "
            "the sign-in block was restored."
        ),
        "no_block_needed": "No sign-in block was needed: no token of this person could be out.",
        "left_component": "Left by hand: “{label}” ({name}) in its system.",
        "left_project": "Left by hand: the ontology project {id} (“{label}”).",
        "left_out": (
            "Nothing was looked at: the steps that this look is about were skipped by hand."
        ),
        "nothing_known": (
            "Nothing could come back: neither a drive account nor a notebook is recorded."
        ),
        "name_being_given": "the name is just being given to somebody",
        "doing.looking_again": "looking again",
        "left_alone": ("The name {person} is somebody else’s now; their notebook was left alone."),
        "ran_again": "{name} was running again after the removal and is stopped again.",
        "opened_again": "{name} was open again after the removal and is shut again.",
        "came_back": "{name} came back after the removal and is removed again.",
        "proof.account_gone": (
            "It ended when the removal was confirmed, and the account it belonged to is gone."
        ),
        "proof.account_leaving": (
            "It ended when the removal was confirmed; nobody signs in to an account that "
            "is leaving."
        ),
        "proof.token_open": (
            "It may still work at the drive until it expires; the manager then removes whatever it "
            "brought back."
        ),
        "proof.nothing_recorded": "Nothing of this kind is recorded of this person.",
        "proof.no_step": "The step that ends this is not in the plan.",
        "left_by_skip": "Step {n} was skipped, so this was left as it is: {names}.",
        "proof.both": "{first} {then}",
        "proof.clauses": "{first}. {then}",
        "no_link": (
            "No account link: {person} never signed in through the identity provider, so there is "
            "no user id to act on."
        ),
        "not_configured": (
            "The {system} is not configured, and no account of {person} is recorded there."
        ),
        "step_remove": "Delete accounts: {system}",
        "step_recheck": "Look again: {thing}",
        "nothing_named": (
            "The {system} names nothing that is {person}’s, so nothing was looked at there."
        ),
        "block_switched_off": (
            "The account link gives the user id {sub}. The fence is switched off in the settings."
        ),
        "by_hand.former_accounts": (
            "{person} was linked to other accounts of the identity provider before ({subs}): "
            "delete what is left of them there by hand."
        ),
        "by_hand.not_linked": (
            "The identity provider's account {subs} is known but not linked: delete it there by "
            "hand if it belongs to {person}."
        ),
        "by_hand.left_marked": (
            "The identity provider's account {subs} was made when {person} was approved, and "
            "nobody signed in here with it: no step touches it, and it stays open there. When this "
            "removal has ended, its page offers a further plan that removes the account."
        ),
        "left.open": (
            "The identity provider's account {subs} was not part of this removal, and nothing has "
            "shut it: whoever knows its password signs in there."
        ),
        "left.running": "A further plan removes the identity provider's account {subs}.",
        "left.removed": "A further plan removed the identity provider's account {subs}.",
        "left.label": "Account at the identity provider that was never linked",
        "left_dealt_with": "A further plan deals with this account already.",
        "nothing_left": (
            "This removal left nothing that bears the manager's mark: there is nothing to plan."
        ),
        "nobody_looked": (
            "Nobody looked: the identity provider's account {subs} was not part of this removal, "
            "and what it opens may be there."
        ),
        "headline.removal.done": (
            "{name} is out. All {total} steps have ended, and each was looked at afresh."
        ),
        "headline.removal.until": (
            "{name} is removed. One access token may still work at the drive until {until}; the "
            "manager then checks again."
        ),
        "headline.removal.pending": (
            "{name} is removed here. Not yet shown to have ended: {systems}."
        ),
        "headline.removal.not_shown": (
            "{name} is removed here. Not shown to be shut: {systems}. Nobody looked there, or "
            "nothing could be seen."
        ),
        "headline.removal.by_hand": (
            "{name} is removed here, and not all of it by the manager: look at what is left to do "
            "by hand ({systems})."
        ),
        "headline.removal.left": (
            "{name} is removed here, and not all of it by the manager: look at what is left below."
        ),
        "headline.removal.open": (
            "{name} is removed here; open at the {systems}. Whoever has that access still works "
            "there."
        ),
        "headline.suspension.done": (
            "{name} is shut out. All {total} steps have ended, and each was looked at afresh."
        ),
        "headline.suspension.until": (
            "{name} is shut out. One access token may still work at the drive until {until}."
        ),
        "headline.suspension.pending": (
            "{name} is suspended here. Not yet shown to be shut: {systems}."
        ),
        "headline.suspension.not_shown": (
            "{name} is suspended here. Not shown to be shut: {systems}. Nobody looked there, or "
            "nothing could be seen."
        ),
        "headline.suspension.by_hand": (
            "{name} is suspended here, and not all of it by the manager: look at what is left to "
            "do by hand ({systems})."
        ),
        "headline.suspension.left": (
            "{name} is suspended here, and not all of it by the manager: look at what is left "
            "below."
        ),
        "headline.suspension.open": (
            "{name} is suspended here; open at the {systems}. Whoever has that access still works "
            "there."
        ),
        "by_hand.notebook": (
            "What the notebook hub keeps of {person} is not deleted: its user with the tokens made "
            "for it, a container, where there is one, and volumes. While it is there nobody else "
            "can have the name."
        ),
        "by_hand.trash": (
            "The ontology editor keeps deleted projects in its trash, under the account "
            "{accounts}: whoever has that name later finds them there, unless somebody deletes "
            "them for good."
        ),
        "by_hand.kept_open": (
            "{system}: {name} existed before and is kept; it cannot be shut from here. End its "
            "access there by hand."
        ),
        "remark.doors": (
            "Shut as soon as you confirm, each by itself and whatever the steps wait for: "
            "{systems}. What is refused there is tried again on each look, and shown as open."
        ),
        "remark.existed_kept": (
            "Existed before, kept: {system} {name}. Its access is ended; the account and what is "
            "in it stay."
        ),
        "remark.existed_removed": (
            "Existed before, deleted as it was asked for: {system} {name}, with what is in it."
        ),
        "remark.project_ends": "Project “{project}” ends for its members: {members}.",
        "remark.leaves_project": (
            "“{component}” of {owner} stays, but leaves project “{project}”."
        ),
        "remark.stack_ends": (
            "“{stack}” is deleted with everything in it; in project “{project}” it is used by "
            "{users}. {successor} would be the one to make another before."
        ),
        "remark.stack_ends_alone": (
            "“{stack}” is deleted with everything in it; in project “{project}” it is used by "
            "{users}. As long as they are suspended none of them can make another."
        ),
        "remark.shared_component": (
            "“{component}” is deleted; it is shared in project “{project}”."
        ),
        "since": "Since this preview: {things}.",
        "since.sql_database": ("{n} database", "{n} databases"),
        "since.triplestore_repository": ("{n} repository", "{n} repositories"),
        "since.knowledge_stack": ("{n} knowledge stack", "{n} knowledge stacks"),
        "since.stack": ("{n} stack", "{n} stacks"),
        "since.project": ("{n} project", "{n} projects"),
        "since.placed": ("{n} component of somebody else", "{n} components of other people"),
        "since.member": ("{n} member", "{n} members"),
        "grown_since": (
            "Other people lose more by this removal than its preview said. {what} Look at it again "
            "and confirm it once more."
        ),
        "others_lost": "Other people lose more than the preview said. {what}",
        "draft_ended": (
            "This preview ended on {at}: what it shows may have changed. Make a new one, and look "
            "at it again."
        ),
        "remark.member_leaves": "{person} leaves project “{project}” of {owner}.",
        "not_here": "{person} is not here any more.",
        "being_removed": "{person} is being removed already.",
        "changed_since": (
            "The account link or the settings have changed since this plan was shown. Make a new "
            "one and look at it again."
        ),
        "returned": (
            "Project “{project}” was handed over after the preview; it went back to {to}."
        ),
        "kept_by": (
            "Project “{project}” was handed over after the preview, and whoever gave it is not "
            "here any more; {to} has it now."
        ),
        "membership_ended": (
            "Access to the ontology project of “{project}” was given after the preview; the "
            "membership has ended, and {owner} was left with what was there before."
        ),
        "another_runs": "This plan runs already, and it is not the one you were shown.",
        "handed_over_otherwise": (
            "This plan runs already, and it was started without handing this project to {name}."
        ),
        "not_as_shown": (
            "This is not the plan you were shown. Look at it again before you approve it."
        ),
        "plan_is": "This plan is {state}. Make a new one.",
        "suspension_restored": (
            "The account was enabled or signed in again during the suspension; it was shut again."
        ),
        "suspension_notebook": (
            "A notebook was started again during the suspension; it was stopped again."
        ),
        "recheck_stuck": "{why}. {advice}",
        "recheck_waits": "Waiting: {why}. Looked again at {at}.",
        "credential.manager_session": "Cookies of the manager",
        "credential.api_token": "API tokens of the manager",
        "credential.password": "Password",
        "credential.identity_session": "Cookies of the identity provider",
        "credential.refresh_token": "Refresh and offline tokens",
        "credential.authorization_code": "Authorization codes not yet used",
        "credential.access_token": "Access token that is already out",
        "credential.hub_session": "Cookies and tokens of the notebook hub: they start no notebook",
        "credential.service_key": "Service keys kept here",
        "credential.left_account": "Account at the identity provider that was never linked",
        "credential.machine_key": "Machine keys of the person’s programs",
        **{f"plan.{kind}": name for kind, name in PLANS.items()},
        "step.resolve_identity": "Find the identity and end its sessions",
        "step.resolve_identity.ended": "The identity is known, and no session is open.",
        "step.remove_drive_account": "Delete the drive account",
        "step.remove_drive_account.ended": (
            "No drive account, no working app password and no stored credentials are left."
        ),
        "step.remove_identity": "Delete the account at the identity provider",
        "step.remove_identity.ended": (
            "The account at the identity provider is gone, and no notebook was started meanwhile."
        ),
        "step.drop_sql_users": "Drop the SQL users",
        "step.drop_sql_users.ended": (
            "No SQL user of this person is left on any host, and no session of one."
        ),
        "step.delete_records": "Delete projects, components, snapshots and keys",
        "step.delete_records.ended": (
            "Nothing this person owned is left, neither here nor in its system."
        ),
    },
    codes={f"plan.{kind}": f"inbox.plan.{kind}" for kind in PLANS},
)
