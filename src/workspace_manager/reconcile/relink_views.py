"""The result of each row of a relinking list, for REST, pages and the command line."""

from typing import Annotated, Literal

from workspace_manager.contract.member_description import UserName, describe
from workspace_manager.core.views import SAID, CodedMessage, View, as_data
from workspace_manager.reconcile.link_list import Result


class RelinkView(View):
    """The result of a row, and its reason."""

    line: Annotated[int, describe("Which row, from 1 on.", 1)]
    username: Annotated[UserName, describe("Who is meant.")]
    account: Annotated[str, describe("The account as the row names it.", "anna@example.org")]
    outcome: Annotated[
        Literal["found", "linked", "already", "left_out", "later"],
        describe("`found`: it would be linked; `later`: it was not reached, send the list again."),
    ]
    sub: Annotated[
        str | None,
        describe("The id of the account that was found.", "6c1f7a52-1d0e-4a43-9d0a-7c3f8e1b2a90"),
    ]
    text: Annotated[
        str, SAID, describe("What becomes of it, or why nothing.", "Nobody here is called x.")
    ]
    text_message: Annotated[CodedMessage | None, as_data("text")] = None


def view_relink(one: Result) -> RelinkView:
    sub = one.known.sub if one.known else None
    return RelinkView.from_row(
        one, line=one.row.line, username=one.row.username, account=one.row.account, sub=sub
    )
