"""The way to an engine: through Portainer's proxy with a key, or directly."""

import contextlib
from collections.abc import Iterator, Mapping
from typing import Any

from workspace_manager.contract.answer import Answer
from workspace_manager.contract.connector import CallPolicy
from workspace_manager.contract.errors import Invalid
from workspace_manager.contract.http import Credential, HttpClient, Token
from workspace_manager.contract.message import Message
from workspace_manager.systems.container_manager.client.answers import Thing, raise_for
from workspace_manager.systems.container_manager.messages import message
from workspace_manager.systems.container_manager.settings import Settings

SYSTEM = "container_manager"
CALLS = CallPolicy(connect_s=5, answer_s=30)


class Connection:
    """A connection that sends one call and returns its answer, or raises one of the five errors. It
    remembers nothing.
    """

    def __init__(self, settings: Settings, *, policy: CallPolicy = CALLS) -> None:
        self.direct = settings.direct
        self.environment_id = settings.environment_id
        self.prefix = "" if self.direct else f"/api/endpoints/{settings.environment_id}/docker"
        credential: Credential = None
        if not self.direct and settings.api_key is not None:
            credential = Token("X-API-Key", settings.api_key)
        self._http = HttpClient(
            settings.url.replace("docker://", "http://", 1),
            system=SYSTEM,
            policy=policy,
            credential=credential,
        )

    def portainer(self, method: str, path: str, *, doing: Message, **how: Any) -> Answer:
        """Call a route of Portainer. Raises Invalid for an engine without Portainer."""
        if self.direct:
            raise Invalid(
                message("no_portainer"),
                kind=how.get("kind", SYSTEM),
                doing=doing,
                advice=message("stacks_need_portainer"),
            )
        return self._send(method, path, doing=doing, **how)

    def engine(self, method: str, path: str, *, doing: Message, **how: Any) -> Answer:
        """Call a route of the engine. `path`: from the engine's root."""
        return self._send(method, self.prefix + path, doing=doing, **how)

    @contextlib.contextmanager
    def stream(
        self, method: str, path: str, *, doing: Message, kind: str, thing: Thing, **how: Any
    ) -> Iterator[Iterator[bytes]]:
        """Call a route of the engine whose body or answer is content; yield the answer while it
        arrives.
        """
        sent = self._http.stream(method, self.prefix + path, doing=doing, kind=kind, **how)
        with sent as streamed:
            raise_for(streamed.answer, thing)
            yield streamed.pieces

    def _send(
        self,
        method: str,
        path: str,
        *,
        doing: Message,
        kind: str = SYSTEM,
        thing: Thing = "",
        accept: tuple[int, ...] = (200,),
        params: Mapping[str, str] | None = None,
        json_body: Any = None,
        answer_s: float | None = None,
    ) -> Answer:
        answer = self._http.send(
            method,
            path,
            doing=doing,
            kind=kind,
            params=params,
            json_body=json_body,
            answer_s=answer_s,
        )
        if answer.status in accept:
            return answer
        raise_for(answer, thing)
        raise answer.error(
            Invalid,
            message("unexpected_success", shape=answer.shape),
            advice=message("proxy_may_answer"),
        )
