"""Calls about public read access: what everybody may read without signing in, and how much it is.

See docs/systems/triplestore.md#opengdb-what-everybody-may-read.
"""

from workspace_manager.contract.answer import Answer, segment
from workspace_manager.contract.errors import Denied, Invalid, NotFound
from workspace_manager.contract.message import Message
from workspace_manager.systems.triplestore import shapes
from workspace_manager.systems.triplestore.client.calls import (
    REPOSITORIES,
    RESULTS,
    TriplestoreClient,
)
from workspace_manager.systems.triplestore.messages import message
from workspace_manager.systems.triplestore.refusals import refusal, require

PUBLIC = "triplestore.public"
MOST_DIGITS = 18
"""The most digits of a count."""
GRAPHS = "SELECT (COUNT(DISTINCT ?g) AS ?n) WHERE { GRAPH ?g { ?s ?p ?o } }"


class PublicClient:
    """The calls about public access to one repository."""

    def __init__(self, client: TriplestoreClient) -> None:
        self._client = client

    def let_everybody_read(self, repository_id: str, *, on: bool) -> None:
        """Switch public read access. Nothing else of the repository is sent, so nothing else
        changes. Raises NotFound.
        """
        doing = message("opening_to_everybody") if on else message("closing_to_everybody")
        path = f"{REPOSITORIES}/{segment(repository_id, kind=PUBLIC, doing=doing)}"
        body = {"publicRead": on}
        answer = self._client.send("PUT", path, kind=PUBLIC, doing=doing, body=body)
        require(answer, 200, 204, flavour=self._client.flavour())

    def anybody_reads(self, repository_id: str) -> bool:
        """Return whether a call without a sign-in can read it, which alone shows what everybody
        sees. Without the right, the answer is that there is no such thing.
        """
        doing = message("reading_as_anybody")
        answer = self._size(repository_id, doing, anonymous=True)
        if answer.status == 200:
            self._number(answer)
            return True
        error = refusal(answer, flavour=self._client.flavour())
        if isinstance(error, NotFound | Denied):
            return False
        raise error or answer.error(Invalid, message("call_not_understood", shape=answer.shape))

    def statements(self, repository_id: str) -> int:
        """Return the number of statements. Raises NotFound."""
        answer = self._size(repository_id, message("counting"), anonymous=False)
        return self._number(require(answer, 200, flavour=self._client.flavour()))

    def graphs(self, repository_id: str) -> int:
        """Return the number of named graphs. Raises NotFound."""
        doing = message("counting")
        answer = self._client.send(
            "GET",
            self._data(repository_id, doing),
            kind=PUBLIC,
            doing=doing,
            accept=RESULTS,
            params={"query": GRAPHS},
        )
        found = shapes.column(require(answer, 200, flavour=self._client.flavour()), "n")
        return self._whole_number(answer, next(iter(found), ""))

    def _size(self, repository_id: str, doing: Message, *, anonymous: bool) -> Answer:
        return self._client.send(
            "GET",
            f"{self._data(repository_id, doing)}/size",
            kind=PUBLIC,
            doing=doing,
            accept="text/plain",
            anonymous=anonymous,
        )

    def _data(self, repository_id: str, doing: Message) -> str:
        return f"/repositories/{segment(repository_id, kind=PUBLIC, doing=doing)}"

    def _number(self, answer: Answer) -> int:
        return self._whole_number(answer, answer.text.strip())

    def _whole_number(self, answer: Answer, text: str) -> int:
        if not text.isascii() or not text.isdigit() or len(text) > MOST_DIGITS:
            raise answer.error(Invalid, message("other_shape", shape=answer.shape))
        return int(text)
