"""Which accounts are somebody's: the account-link table (the `sub` a person signs in as), and what was recorded for the name."""

from allauth.socialaccount.models import SocialAccount
from django.db.models import Q, QuerySet

from workspace_manager.records.models import Account, Person

PROVIDER = "identity_provider"


def sub_of(person: Person) -> str:
    """The `sub` from the account-link table; "" when nobody ever signed in as this person (specification, section 6 step 2)."""
    link = SocialAccount.objects.filter(user=person, provider=PROVIDER).first()
    return str(link.uid) if link else ""


def standing_accounts(person: Person) -> QuerySet[Account]:
    """What is recorded of a person, also for the name alone: an approval records its account before anybody signed in with it."""
    return recorded_accounts(person).filter(gone_at=None)


def recorded_accounts(person: Person) -> QuerySet[Account]:
    """The same with those that are gone."""
    return Account.objects.filter(Q(person=person) | Q(person=None, username=person.username))
