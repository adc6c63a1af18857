"""The REST API as a patient administrator uses it: a call that meets the storm is made again."""

import time
from typing import Any

import httpx

from workspace_sandbox.patience import PATIENCE_S


class Administrator:
    """Asks and decides by the API alone."""

    def __init__(self, manager: str, token: str) -> None:
        self.again = 0
        """How often a call had to be made again."""
        self._http = httpx.Client(
            base_url=f"{manager}/api/v1",
            headers={"Authorization": f"Bearer {token}"},
            timeout=PATIENCE_S,
            trust_env=False,
        )

    def get(self, path: str) -> Any:
        """Return what is there; None when it is not. Raises RuntimeError when nothing answers for
        long.
        """
        answer = self._send("GET", path, None)
        return None if answer.status_code == 404 else answer.json()

    def ask(self, path: str, body: Any = None) -> httpx.Response:
        """Have something done; gives the answer, whatever it is."""
        return self._send("POST", path, body)

    def all_items(self, path: str) -> list[dict[str, Any]]:
        """Every item of a list, page by page."""
        found: list[dict[str, Any]] = []
        mark = "&" if "?" in path else "?"
        while True:
            page = self.get(f"{path}{mark}limit=100&offset={len(found)}")
            found += page["items"]
            if not page["items"] or len(found) >= page["count"]:
                return found

    def _send(self, method: str, path: str, body: Any) -> httpx.Response:
        """A manager that was just killed is started again by somebody: until then
        nothing answers.
        """
        end = time.monotonic() + PATIENCE_S
        while True:
            try:
                return self._http.request(method, path, json=body)
            except httpx.TransportError as gone:
                if time.monotonic() > end:
                    raise RuntimeError(f"the manager does not answer: {gone}") from gone
                self.again += 1
                time.sleep(0.2)
