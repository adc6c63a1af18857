"""Everybody whose id at the identity provider is known, as the checks of systems compare them with
what is there.
"""

from collections import defaultdict

from allauth.socialaccount.models import SocialAccount

from workspace_manager.contract.people import Known
from workspace_manager.core.account_link import PROVIDER
from workspace_manager.records.models import Account, Person


def known_people() -> list[Known]:
    """By their names. Who is leaving is left out: their accounts go."""
    recorded: dict[object, dict[str, tuple[str, ...]]] = defaultdict(dict)
    standing = Account.objects.filter(gone_at=None).exclude(person=None)
    for person, kind, name in standing.values_list("person_id", "kind", "name"):
        recorded[person][kind] = (*recorded[person].get(kind, ()), name)
    links = SocialAccount.objects.filter(provider=PROVIDER)
    staying = links.exclude(user__state=Person.State.LEAVING).order_by("user__username")
    told = staying.values_list("user_id", "user__username", "uid", "user__email")
    return [
        Known(username, str(sub), email=email, recorded=recorded.get(person, {}))
        for person, username, sub, email in told
    ]
