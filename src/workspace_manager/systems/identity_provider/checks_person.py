"""The sign-in of a check's temporary person: at the manager's client, then at every other one.

It makes nothing but sessions of that person, who is removed afterwards.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from workspace_manager.contract.connector import ALL, Finding
from workspace_manager.contract.errors import ConnectorError
from workspace_manager.contract.message import Message, quote_words
from workspace_manager.contract.person_trial import Trial, Walk
from workspace_manager.contract.realm import ATTRIBUTE_MAPPER, ClientWants
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.identity_provider.checks_person_members import Document
from workspace_manager.systems.identity_provider.checks_person_token import (
    PRESENT,
    SAY,
    ExpectedTokens,
    TokenDocuments,
    token_findings,
)
from workspace_manager.systems.identity_provider.client.metadata import ProviderMetadata
from workspace_manager.systems.identity_provider.client.person import (
    Client,
    PersonClient,
    SignInRequest,
    SignInResponse,
    TokenResponse,
)
from workspace_manager.systems.identity_provider.client.person_token import ParsedToken, parse_token
from workspace_manager.systems.identity_provider.client.realm import RealmClient
from workspace_manager.systems.identity_provider.messages import message
from workspace_manager.systems.identity_provider.realm.wants import RealmWants

NAME: Final = message("check_person_sign_in")


@dataclass(frozen=True)
class Account:
    """The person who signs in. `values`: attributes that clients read."""

    trial: Trial
    sub: str
    password: Secret
    values: Mapping[str, str] = field(default_factory=dict, repr=False)


class _SignInStopped(Exception):
    """The sign-in stopped; `finding` says why."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.name)
        self.finding = finding


def walk(
    visit: PersonClient,
    realm: RealmClient,
    wants: RealmWants,
    account: Account,
    read_metadata: Callable[[], ProviderMetadata],
) -> Walk:
    """Sign in at the manager, check the tokens, and then sign in at every other client."""
    settings = realm.wire.settings
    own = next((one for one in wants.clients if one.client_id == settings.client_id), None)
    if own is None or not own.redirect_uris:
        found = SAY.failing(NAME, message("person_no_client"), message("person_set_client"))
        return Walk((found.model_copy(update={"hides": ALL}),))
    secret = settings.client_secret or Secret("", name="client secret")
    client, begun = Client(own.client_id, own.redirect_uris[0], secret), SignInRequest()
    try:
        given = _sign_in(visit, client, begun, account)
        issuer, (access, identity) = read_metadata().issuer, _parse_tokens(given, read_metadata())
        userinfo = visit.userinfo(given.access)
    except _SignInStopped as stopped:
        return Walk((stopped.finding,))
    except ConnectorError as error:
        found = SAY.failing(NAME, error.in_full, error.advice_message, hides=ALL)
        return Walk((found,))
    expected = _expected_tokens(wants, account, client, begun, issuer)
    refused = [_userinfo_refused(userinfo)] if isinstance(userinfo, str) else []
    told = {**identity.claims, **({} if isinstance(userinfo, str) else userinfo)}
    findings = [
        SAY.ok(NAME, message("person_signed_in", client=client.client_id)),
        *refused,
        *token_findings(TokenDocuments(access, identity, told), expected),
        *_others(visit, realm, wants, account),
    ]
    return Walk(tuple(findings), given.access, told)


# --- the sign-in ----------------------------------------------------------------------------------


def _sign_in(
    visit: PersonClient, client: Client, begun: SignInRequest, account: Account
) -> TokenResponse:
    """Return the tokens of a sign-in. Raises _SignInStopped with the provider's words, and the five
    errors.
    """
    shown = visit.begin(client, begun)
    if shown.back is None:
        if not shown.page.asks_for_password:
            raise _SignInStopped(_no_form(shown, client))
        shown = visit.submit(shown, client, account.trial.username, account.password)
    if shown.back is None:
        raise _SignInStopped(_after_form(shown, client))
    return _redeem_code(visit, client, begun, shown.back)


def _redeem_code(
    visit: PersonClient, client: Client, begun: SignInRequest, back: Mapping[str, str]
) -> TokenResponse:
    if "error" in back:
        said = ": ".join(back[one] for one in ("error", "error_description") if back.get(one))
        raise _SignInStopped(_failing("person_sent_back", client, said, "person_sent_back.remedy"))
    if back.get("state") != begun.state or not back.get("code"):
        raise _SignInStopped(_failing("person_no_code", client, "", "person_no_code.remedy"))
    given = visit.redeem(client, begun, back["code"])
    if given.refusal:
        raise _SignInStopped(
            _failing("person_no_token", client, given.refusal, "person_no_token.remedy")
        )
    return given


def _failing(code: str, client: Client, said: str, remedy: str) -> Finding:
    words = quote_words(said[:200]) if said else message("person_nothing_said")
    found = message(code, client=client.client_id, said=words)
    return SAY.failing(NAME, found, message(remedy, client=client.client_id), hides=ALL)


def _no_form(shown: SignInResponse, client: Client) -> Finding:
    """Return a finding about a page without a form for name and password: an error, or another way
    to sign in.
    """
    said = shown.page.words
    if shown.status >= 400:
        return _failing("person_page_instead", client, said, "person_page_instead.remedy")
    found = message("person_other_form", said=quote_words(said) if said else _nothing())
    return SAY.warning(NAME, found, message("person_other_form.remedy"), hides=ALL)


def _after_form(shown: SignInResponse, client: Client) -> Finding:
    """Return a finding about a page instead of the redirect: the form again, an error, or a further
    page.
    """
    said = shown.page.words
    if shown.page.asks_for_password:
        return _failing("person_refused", client, said, "person_refused.remedy")
    if shown.status >= 400:
        return _failing("person_page_instead", client, said, "person_page_instead.remedy")
    words = quote_words(said) if said else _nothing()
    if shown.action:
        found = message("person_action", action=shown.action, said=words)
        return SAY.warning(NAME, found, message("person_action.remedy"), hides=ALL)
    found = message("person_page_between", said=words)
    remedy = message("person_page_between.remedy", client=client.client_id)
    return SAY.warning(NAME, found, remedy, hides=ALL)


def _nothing() -> Message:
    return message("person_nothing_said")


def _userinfo_refused(said: str) -> Finding:
    name, remedy = message("check_person_userinfo"), message("person_userinfo_refused.remedy")
    return SAY.failing(name, message("person_userinfo_refused", said=quote_words(said)), remedy)


def _parse_tokens(
    given: TokenResponse, published: ProviderMetadata
) -> tuple[ParsedToken, ParsedToken]:
    """Return both tokens, parsed. Raises _SignInStopped if one is malformed."""
    keys = published.keys
    access, identity = parse_token(given.access, keys), parse_token(given.identity, keys)
    if access is None or identity is None:
        name = message("doc_access" if access is None else "doc_identity")
        found = message("person_no_jwt", document=name)
        raise _SignInStopped(SAY.failing(NAME, found, message("person_no_jwt.remedy"), hides=ALL))
    return access, identity


def _expected_tokens(
    wants: RealmWants, account: Account, client: Client, begun: SignInRequest, issuer: str
) -> ExpectedTokens:
    person, sub = account.trial, account.sub
    audiences = frozenset(one.client_id for one in wants.clients if one.takes_our_tokens)
    base = {"iss": issuer, "azp": client.client_id, "sub": sub}
    named = {"preferred_username": person.username}
    told = {
        "sub": sub,
        **named,
        "email": person.email,
        "email_verified": True,
        "given_name": person.first_name,
        "family_name": person.last_name,
        "locale": person.locale,
    }
    identity = {
        **base, "aud": frozenset({client.client_id}), "nonce": begun.nonce,
        "sid": PRESENT, "auth_time": PRESENT,
    }  # fmt: skip
    access = {**base, **named, **({"aud": audiences} if audiences else {})}
    return ExpectedTokens(
        {Document.ACCESS: access, Document.IDENTITY: identity, Document.TOLD: told},
        private=wants.private_attributes,
        address=wants.issuer or issuer,
        now=time.time(),
    )


# --- the other clients ----------------------------------------------------------------------------


def _others(
    visit: PersonClient, realm: RealmClient, wants: RealmWants, account: Account
) -> Iterator[Finding]:
    own = realm.wire.settings.client_id
    for wanted in wants.clients:
        if wanted.client_id == own or wanted.service_roles or not wanted.redirect_uris:
            continue
        yield from _other(visit, realm, wanted, account)


def _other(
    visit: PersonClient, realm: RealmClient, wanted: ClientWants, account: Account
) -> Iterator[Finding]:
    """Sign in there with the same session, and check the userinfo."""
    name = message("check_person_client", client=wanted.client_id)
    try:
        found = realm.find_client(wanted.client_id)
        if found is None:
            yield SAY.failing(name, message("no_such_client"), message("run_setup_for_mappers"))
            return
        secret = realm.client_secret(str(found["id"]))
        client, begun = Client(wanted.client_id, wanted.redirect_uris[0], secret), SignInRequest()
        said = visit.userinfo(_sign_in(visit, client, begun, account).access)
        if isinstance(said, str):
            text = message("person_userinfo_refused", said=quote_words(said))
            yield SAY.failing(name, text, message("person_userinfo_refused.remedy"))
            return
    except _SignInStopped as stopped:
        yield stopped.finding.model_copy(
            update={"name": name.english, "name_message": name, "hides": (name.code,)}
        )
        return
    except ConnectorError as error:
        yield SAY.failing(name, error.in_full, error.advice_message, hides=(name.code,))
        return
    wrong = list(_userinfo(said, wanted, account))
    if not wrong:
        yield SAY.ok(name, message("person_client_fits"))
    for claim, sees in wrong:
        text = message("person_userinfo_lacks", claim=claim, sees=sees)
        yield SAY.failing(name, text, message("run_setup_for_mappers"))


def _userinfo(
    said: Mapping[str, Any], wanted: ClientWants, account: Account
) -> Iterator[tuple[str, Message]]:
    """Yield claims that are wrong, each with its consequence for people."""
    if said.get("sub") != account.sub:
        yield "sub", message("sees_another_person")
    if said.get("preferred_username") != account.trial.username:
        yield "preferred_username", message("sees_nameless_at_client")
    for mapper in wanted.mappers:
        config = mapper.config
        if mapper.protocol_mapper != ATTRIBUTE_MAPPER or config["userinfo.token.claim"] != "true":
            continue
        value = account.values.get(config["user.attribute"])
        if value is not None and said.get(config["claim.name"]) != value:
            yield config["claim.name"], message("sees_no_drive_in_notebook")
