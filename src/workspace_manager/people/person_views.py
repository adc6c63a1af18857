"""Views of present, future and former people, for REST, pages and the command line; without secrets
and hashes.
"""

from datetime import date
from typing import Annotated, Literal, TypeAlias

from pydantic import BeforeValidator, Field

from workspace_manager.accounts.views import SeenAccountView
from workspace_manager.contract.member_description import UserName, Uuid, When, describe
from workspace_manager.core.views import OR_NONE, OptionalText, View

DayText: TypeAlias = Annotated[
    str, BeforeValidator(lambda day: day.isoformat() if isinstance(day, date) else day)
]


class ProviderStateView(View):
    """The identity provider's last answer about a person: `enabled`, `disabled` or `gone`, since
    when, and when it was asked.
    """

    state: Annotated[str, describe("What was said.", "enabled")]
    since: Annotated[When, describe("Since when it says so.")]
    asked_at: Annotated[
        When, Field(validation_alias="answered_at"), describe("When it was asked last.")
    ]


class PersonView(View):
    """Somebody who signed in at least once. `sub`: the user id at the identity provider, if the
    account is linked.

    `at_identity_provider` is null before the first check. A person who is `gone` there keeps
    everything here until somebody starts their removal, which is offered.
    """

    id: Annotated[Uuid, describe("The id of the person.")]
    former: Annotated[Literal[False], describe("Always false: this person is here.")]
    username: Annotated[UserName, describe("The name the person signs in with; addresses use it.")]
    email: Annotated[
        str, describe("The address, as the identity provider knows it.", "anna@example.org")
    ]
    email_confirmed: Annotated[
        bool,
        describe(
            "Whether the identity provider called the address confirmed at the last sign-in; "
            "else anybody may have written it.",
        ),
    ]
    first_name: Annotated[str, describe("The given name.", "Anna")]
    last_name: Annotated[str, describe("The family name.", "Beispiel")]
    sub: Annotated[
        OptionalText,
        describe(
            "The user id at the identity provider, if the account is linked.",
            "6c1f7a52-1d0e-4a43-9d0a-7c3f8e1b2a90",
        ),
    ]
    at_identity_provider: Annotated[
        ProviderStateView | None,
        describe("What the identity provider last said; null before it was asked."),
    ]
    role: Annotated[str, describe("`user` or `administrator`.", "user")]
    permissions: Annotated[
        list[str],
        describe(
            "What the person was given besides the role and has not ended.", ["view_components"]
        ),
    ]
    locale: Annotated[str, describe("The language of e-mails and pages.", "de")]
    timezone: Annotated[str, describe("The zone in which times are shown.", "Europe/Berlin")]
    state: Annotated[str, describe("`active`, `suspended` or `leaving`.", "active")]
    last_sign_in: Annotated[When | None, describe("When the person last signed in.")]
    ends_at: Annotated[
        DayText | None,
        describe("The last day on which the person may come in; null: nobody said.", "2026-12-31"),
    ]
    accounts: Annotated[
        list[SeenAccountView], describe("The accounts that are recorded, in every system.")
    ]
    actions: Annotated[
        list[Literal["suspend", "resume", "removal"]],
        describe(
            "What an administrator can order, as `POST /people/{username}/…`. Nobody orders it of "
            "themselves.",
            ["suspend", "removal"],
        ),
    ]


class ComingView(View):
    """Somebody who asks to join, or was approved and never signed in. The members are those of a
    present person; values unknown before the first sign-in are null or empty.
    """

    id: Annotated[Uuid, describe("The id of the registration: there is no person yet.")]
    former: Annotated[Literal[False], describe("Always false: this person did not leave.")]
    username: Annotated[UserName, describe("The name that was asked for.")]
    email: Annotated[str, describe("The address as typed.", "dora@example.org")]
    email_confirmed: Annotated[
        bool, describe("Whether somebody followed the link that was sent there.")
    ]
    first_name: Annotated[str, describe("The given name.", "Dora")]
    last_name: Annotated[str, describe("The family name.", "Beispiel")]
    sub: Annotated[
        OptionalText,
        describe(
            "The user id at the identity provider, which an approval makes.",
            "6c1f7a52-1d0e-4a43-9d0a-7c3f8e1b2a90",
        ),
    ]
    at_identity_provider: Annotated[
        ProviderStateView | None,
        describe("What the identity provider last said; null before it was asked."),
    ]
    role: Annotated[
        str | None, describe("Always null: a role is given at the first sign-in.", "user")
    ]
    permissions: Annotated[list[str], describe("Always empty.", [])]
    locale: Annotated[str, describe("The language that was chosen.", "de")]
    timezone: Annotated[str, describe("The time zone that was chosen.", "Europe/Berlin")]
    state: Annotated[
        Literal["waiting", "approved"],
        describe("`waiting` for a decision, or `approved` and never signed in."),
    ]
    last_sign_in: Annotated[When | None, describe("Always null.")]
    ends_at: Annotated[str | None, describe("Always null.", "2026-12-31")]
    accounts: Annotated[
        list[SeenAccountView], describe("What the approval made, as recorded for the name.")
    ]
    registration: Annotated[Uuid, describe("The registration: see `/registrations/{id}`.")]
    asked_at: Annotated[
        When, Field(validation_alias="created_at"), describe("When somebody asked to join.")
    ]
    decided_at: Annotated[When | None, describe("When it was approved.")]
    decided_by: Annotated[UserName | None, OR_NONE, describe("Who approved it.")]
    actions: Annotated[
        list[Literal["approve", "reject", "withdraw"]],
        describe("Possible actions, as `POST /registrations/{registration}/…`.", ["withdraw"]),
    ]


class FormerView(View):
    """Somebody who left. `plan`: the removal, whose steps are the proof."""

    id: Annotated[Uuid, describe("The id of this entry.")]
    former: Annotated[Literal[True], describe("Always true: this person left.")]
    username: Annotated[
        UserName | None,
        describe("The name the person signed in with; null once the name is not kept any more."),
    ]
    sub: Annotated[
        OptionalText,
        describe(
            "The user id the person had at the identity provider; null likewise.",
            "6c1f7a52-1d0e-4a43-9d0a-7c3f8e1b2a90",
        ),
    ]
    state: Annotated[Literal["former"], describe("How somebody stands who left.")]
    left_at: Annotated[
        When, Field(validation_alias="created_at"), describe("When the removal was done.")
    ]
    plan: Annotated[Uuid | None, describe("The id of the removal's plan.")]
    actions: Annotated[
        list[Literal["release"]],
        describe("Possible actions, as `POST /tombstones/{username}/…`.", ["release"]),
    ]


EverybodyView: TypeAlias = PersonView | ComingView | FormerView
