"""During the storm: others ask to join and are let in, by a process of its own.

`python -m workspace_sandbox.storm.newcomers FILE COUNT` reads from FILE where the manager is, and
writes who came in beside it.
"""

import json
import secrets
import sys
import time
from collections import Counter
from pathlib import Path

from workspace_sandbox.__main__ import tell
from workspace_sandbox.storm.api import Administrator

LIMIT_S = 1800


def main() -> int:
    """Register all, then approve each until it is approved."""
    file, count = Path(sys.argv[1]), int(sys.argv[2])
    told = json.loads(file.read_text())
    administrator = Administrator(told["manager"], told["token"])
    names = [f"newcomer{n:03}" for n in range(count)]
    answers: Counter[str] = Counter()
    for name in names:
        body = {
            "username": name, "email": f"{name}@example.org", "first_name": "New",
            "last_name": "Comer",
            "password": secrets.token_urlsafe(24), "locale": "en", "timezone": "UTC",
        }  # fmt: skip
        answers[f"register {administrator.ask('/registrations', body).status_code}"] += 1
    end = time.monotonic() + LIMIT_S
    while pending := administrator.all_items("/registrations?status=pending"):
        mine = [row for row in pending if row["username"] in names]
        if not mine:
            break
        if time.monotonic() > end:
            raise SystemExit(f"{len(mine)} newcomers could not be approved.")
        for row in mine:
            answer = administrator.ask(f"/registrations/{row['id']}/approve")
            answers[f"approve {answer.status_code}"] += 1
        time.sleep(0.5)
    tell(json.dumps({"names": names, "answers": answers}), file.with_name("newcomers.done.json"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
