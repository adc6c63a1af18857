"""The account-link table: which identity-provider user (`sub`) a person signs in as."""

from allauth.socialaccount.models import SocialAccount

from workspace_manager.records.models import Person

PROVIDER = "identity_provider"


def sub_of(person: Person) -> str:
    """The `sub` from the account-link table; "" when nobody ever signed in as this person (specification, section 6 step 2)."""
    link = SocialAccount.objects.filter(user=person, provider=PROVIDER).first()
    return str(link.uid) if link else ""
