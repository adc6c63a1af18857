"""A sign-in from the drive to the identity provider and back, without a person.

It shows what no interface of the drive tells: whether its client's secret is right.
"""

import re
from collections.abc import Callable, Collection, Iterator

from workspace_manager.contract.answer import Answer
from workspace_manager.contract.connector import Finding, Severity
from workspace_manager.contract.errors import ConnectorError
from workspace_manager.contract.message import Message
from workspace_manager.contract.realm import RealmNeeds
from workspace_manager.contract.sign_in_walk import SignInStart
from workspace_manager.systems.drive.checks_addresses import (
    parts,
    plain_text,
    query,
    realm_in,
    same_realm,
    shorten,
)
from workspace_manager.systems.drive.checks_finding import FAILING, OCC, OK, WARNING, finding
from workspace_manager.systems.drive.checks_login_form import buttons, initial_state
from workspace_manager.systems.drive.checks_pages import PASSED_ON
from workspace_manager.systems.drive.client import DriveClient, SignIn
from workspace_manager.systems.drive.messages import message
from workspace_manager.systems.drive.realm import is_drive
from workspace_manager.systems.drive.settings import Settings

_NUMBER = re.compile(r"/apps/user_oidc/login/(\d+)")
_WRONG_SECRET = "Invalid client or Invalid client credentials"  # noqa: S105  what is said of one
_TOKEN_ENDPOINT = re.compile(r"token endpoint:([^<]*)<")
_ERROR_PAGE = re.compile(r'id="kc-error-message"[^>]*>(.*?)</div>', re.DOTALL)
_RIGHT_SECRET = "Code not valid"  # noqa: S105  what is said of a code, after the secret was taken
NAME = message("check_sign_in_way")


def sign_in_findings(
    client: DriveClient,
    settings: Settings,
    realm: RealmNeeds | None,
    login: Answer,
    said: Collection[str],
) -> list[Finding]:
    """Begin a sign-in at the address that the sign-in page leads to. `said`: codes of earlier
    findings, which are not repeated.
    """
    number = _NUMBER.search(login.headers.get("location", ""))
    if number is None:
        return []
    visit = client.sign_in()
    begun = visit.begin(number[1])
    location = begun.headers.get("location", "")
    if begun.status not in {302, 303} or not parts(location).netloc:
        return [_does_not_begin(begun)]
    asked = query(location)
    wrong = list(_address_faults(location, asked, settings, realm))
    if wrong:
        return [finding(NAME, *one) for one in wrong if one[1].code not in said]
    back = visit.return_with(asked.get("state", ""))
    return [
        _provider_answer(
            back, lambda: _provider_words(visit, location, realm), asked.get("client_id", "")
        )
    ]


def find_sign_in_start(client: DriveClient, settings: Settings) -> SignInStart | None:
    """Return where sign-ins begin, even if the page also shows a password form; None without a
    provider. Only a drive that reaches the identity provider is tried: another one counts the
    attempt.
    """
    page = client.page("/login")
    ways = [page.headers.get("location", ""), *(str(one) for one in buttons(initial_state(page)))]
    number = next(filter(None, map(_NUMBER.search, ways)), None)
    if number is None:
        return None
    return SignInStart(
        address=f"{settings.base_url}{number[0]}",
        name=NAME,
        explained=(message("secret_refused").code,),
        once_said=tuple(PASSED_ON),
    )


def _does_not_begin(begun: Answer) -> Finding:
    if "HTTPS" in begun.text:
        return finding(NAME, FAILING, message("sign_in_wants_https"), message("tell_https"))
    text = message("sign_in_does_not_begin", shape=begun.shape)
    return finding(NAME, FAILING, text, message("check_provider"))


def _address_faults(
    location: str, asked: dict[str, str], settings: Settings, realm: RealmNeeds | None
) -> Iterator[tuple[Severity, Message, Message]]:
    """Yield the parts of the address that differ from our settings."""
    yield from identity_faults(asked.get("client_id", ""), location, realm)
    base, back = settings.base_url, asked.get("redirect_uri", "")
    if back not in {f"{base}{index}/apps/user_oidc/code" for index in ("", "/index.php")}:
        text = message("sign_in_comes_back_elsewhere", there=shorten(back), here=base)
        yield FAILING, text, message("set_own_address")
    if asked.get("prompt") == "none":
        yield FAILING, message("sign_in_asks_nobody"), message("clear_prompt")
    issuer, there = realm.issuer if realm else "", parts(location).netloc
    if issuer and not location.startswith(f"{issuer}/") and same_realm(location, issuer):
        text = message("sign_in_at_another_address", there=shorten(there), here=issuer)
        yield WARNING, text, message("use_one_address")


def identity_faults(
    client_id: str, address: str, realm: RealmNeeds | None
) -> Iterator[tuple[Severity, Message, Message]]:
    """Yield faults if the drive is not the known client in the known realm, according to its
    provider or to its redirect.
    """
    if realm is None or not realm.issuer:
        return
    # Other systems may take our tokens, too.
    drives = (one for one in realm.clients if one.takes_our_tokens and is_drive(one))
    ours = next((one.client_id for one in drives), "")
    if ours and client_id != ours:
        text = message("another_client", there=shorten(client_id), here=ours)
        yield FAILING, text, message("set_client_id", occ=OCC, id=ours)
    if not same_realm(address, realm.issuer):
        text = message(
            "another_realm",
            there=shorten(realm_in(address) or parts(address).netloc),
            here=realm.issuer,
        )
        yield FAILING, text, message("set_discovery", occ=OCC, issuer=realm.issuer)


def _provider_answer(back: Answer, there: Callable[[], str], client_id: str) -> Finding:
    """Return whether the identity provider accepts the drive as its client, in its own words. It
    answers a wrong secret like a client that is disabled or deleted; its page for people tells them
    apart.
    """
    if _RIGHT_SECRET in back.text:
        return finding(NAME, OK, message("sign_in_goes_all_the_way"))
    said = _TOKEN_ENDPOINT.search(back.text)
    words = plain_text(said[1]) if said else ""
    if _WRONG_SECRET in back.text and not (words := there()):
        return finding(NAME, FAILING, message("secret_refused"), message("copy_secret", occ=OCC))
    if words:
        text = message("client_not_taken", said=words)
        return finding(NAME, FAILING, text, message("mend_client", id=shorten(client_id)))
    return finding(NAME, OK, message("sign_in_goes_out"))


def _provider_words(visit: SignIn, location: str, realm: RealmNeeds | None) -> str:
    """Return the identity provider's refusal; "" if it asks for a sign-in, or does not answer. Only
    the known provider is asked.
    """
    if realm is None or not realm.issuer or not location.startswith(f"{realm.issuer}/"):
        return ""
    try:
        page = visit.open_provider(location)
    except ConnectorError:
        return ""
    said = _ERROR_PAGE.search(page.text) if page.status >= 400 else None
    return plain_text(said[1]) if said else ""
