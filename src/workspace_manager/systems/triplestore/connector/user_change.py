"""Changes of an account: the wanted state, the accounts concerned, and the outcome for the
password. Pure functions.
"""

from collections.abc import Sequence

from workspace_manager.contract.connector import Change, Facts, Outcome
from workspace_manager.contract.errors import Conflict
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.triplestore import names
from workspace_manager.systems.triplestore.messages import message
from workspace_manager.systems.triplestore.shapes import Account


def renews_password(change: Change) -> bool:
    """Return whether the password replaces another one."""
    return names.RENEWED.items() <= (change.after or {}).items()


def note_new_password(outcome: Outcome, password: Secret | None, spare: Secret | None) -> Outcome:
    """Note in the outcome that the account has the new password now."""
    if password or not spare:
        return outcome
    return outcome.model_copy(update={"facts": {"password": names.MADE_ANEW}})


def wanted_authorities(want: Facts | None) -> list[str]:
    rights = (want or {}).get("authorities") or []
    return [str(right) for right in rights] if isinstance(rights, list) else []


def ending_repositories(want: Facts | None) -> list[str]:
    """Return the repositories that are being deleted, and the rights on them with them."""
    ending = (want or {}).get(names.ENDING) or []
    return [str(one) for one in ending] if isinstance(ending, list) else []


def sort_out_ending(found: Sequence[str], want: Facts | None) -> tuple[list[str], list[str]]:
    """Return the rights that are to be compared, and those that end with their repository."""
    ending = set(ending_repositories(want)) - {
        names.repository_of(right) for right in wanted_authorities(want)
    }
    last = [right for right in found if names.repository_of(right) in ending]
    return [right for right in found if right not in last], last


def sort_as_wanted(found: Sequence[str], wanted: Sequence[str]) -> list[str]:
    """Sort the found rights like the wanted ones, so that equal sets are equal lists; surplus ones
    come last, roles first.
    """
    surplus = set(found) - set(wanted)
    rest = sorted(surplus, key=lambda right: (names.repository_of(right) is not None, right))
    return [right for right in wanted if right in found] + rest


def refuse_elevated(found: Account, wanted: Sequence[str]) -> None:
    """Raise Conflict for an account with a role that none of ours has."""
    elevated = set(found.authorities) & names.ELEVATED_ROLES - set(wanted)
    if elevated:
        raise Conflict(
            message("account_with_role", username=found.username, role=min(elevated)),
            kind="triplestore.user",
            doing=message("changing_account"),
            advice=message("not_one_of_ours"),
        )
