"""The cookies of one visit to a system: kept by that visit alone, and sent with no other call."""

from workspace_manager.contract.answer import Answer
from workspace_manager.contract.secret import Secret


class Cookies:
    """The cookies that the answers of one visit set; empty at first."""

    def __init__(self) -> None:
        self._kept: dict[str, Secret] = {}

    def __bool__(self) -> bool:
        return bool(self._kept)

    def headers(self) -> dict[str, str]:
        """The headers of the visit's next call; none without a cookie."""
        if not self._kept:
            return {}
        pairs = (f"{name}={value.reveal()}" for name, value in self._kept.items())
        return {"Cookie": "; ".join(pairs)}

    def keep(self, answer: Answer) -> Answer:
        """Keep the cookies of an answer; one that is taken back goes."""
        for line in answer.headers.get_list("set-cookie"):
            first, *rest = line.split(";")
            name, _, value = first.strip().partition("=")
            ended = any(one.strip().lower() == "max-age=0" for one in rest)
            if ended or not value:
                self._kept.pop(name, None)
            else:
                self._kept[name] = Secret(value, name="cookie")
        return answer
