"""An account of a person as every door shows it."""

from typing import Annotated

from workspace_manager.contract.member_description import SystemName, When, describe
from workspace_manager.core.views import View


class AccountView(View):
    """An account of a person in one system."""

    system: Annotated[SystemName, describe("The system the account is in.")]
    kind: Annotated[str, describe("What kind of account it is.", "sql_server.user")]
    name: Annotated[str, describe("What the account is called there.", "anna")]


class SeenAccountView(AccountView):
    """An account as recorded, and when it was last seen."""

    seen_at: Annotated[When, describe("When a look last showed the account.")]
