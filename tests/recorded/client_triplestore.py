"""The meaning of recorded answers for the triplestore's client."""

from collections.abc import Callable, Mapping
from typing import Any

from tests.recorded.comparing import is_cut
from tests.recorded.expected_meaning import Meaning
from tests.recorded.expected_meaning_triplestore import (
    PRODUCT,
    REPOSITORIES,
    REPOSITORY,
    STORED,
    TABLE,
    TOKEN,
    USER,
    USERS,
)
from tests.recorded.feeding import answer_of, meaning_of, played
from tests.recorded.reading import Exchange
from workspace_manager.contract.http import HttpClient
from workspace_manager.contract.message import quote_words
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.triplestore.client.calls import CALLS, TriplestoreClient
from workspace_manager.systems.triplestore.refusals import refusal
from workspace_manager.systems.triplestore.settings import Settings

CALL: Mapping[tuple[str, str], Callable[[TriplestoreClient], Any]] = {
    ("GET", PRODUCT): lambda client: client.detect(),
    ("POST", TOKEN): lambda client: client._fetch_token(quote_words("asking")) and None,
    ("GET", USERS): lambda client: client.accounts(),
    ("GET", USER): lambda client: client.account("somebody"),
    ("POST", USER): lambda client: client.create_account("somebody", Secret("p"), ["ROLE_USER"]),
    ("PUT", USER): lambda client: client.replace_account("somebody", None, ["ROLE_USER"]),
    ("DELETE", USER): lambda client: client.delete_account("somebody"),
    ("GET", REPOSITORIES): lambda client: client.repositories(),
    ("POST", REPOSITORIES): lambda client: client.create_repository("some-repository", "Title"),
    ("PUT", REPOSITORY): lambda client: client.retitle_repository("some-repository", "Title"),
    ("DELETE", REPOSITORY): lambda client: client.delete_repository("some-repository"),
    ("GET", STORED): lambda client: client.stored_ids(),
}


def classify(exchange: Exchange) -> Meaning:
    """By the client's own method where it makes this call, else by the one function that knows what
    answers mean.
    """
    call = CALL.get((exchange.method, TABLE.route(exchange.path)))
    if call is None or is_cut(exchange):
        return meaning_of(lambda: _understand(exchange))
    settings = Settings(
        url="http://recorded",
        flavour="opengdb",
        admin_username="admin",
        admin_password=Secret(f"for {exchange}"),
    )
    client = TriplestoreClient(settings)
    wire = played(exchange, (TOKEN, 200, {"token": "t"}))
    client._http = HttpClient(client.url, system="triplestore", policy=CALLS, transport=wire)
    return meaning_of(lambda: call(client))


def _understand(exchange: Exchange) -> None:
    error = refusal(answer_of(exchange, kind="triplestore.user"))
    if error is not None:
        raise error
