"""The cost of scoring a password: `python -m benchmarks.passwords` prints the dearest that can be
typed, in CPU time, beside the most that one may cost; it ends with 1 where that is more.

How much is looked up is bounded in tests (`tests/people/test_passwords.py`), without a clock.
"""

import random
import string
import time
from typing import Final

from workspace_manager.people import passwords

MOST_MS: Final = 50.0
TYPED: Final = 300
LONGEST: Final = 128
SIGNS: Final = "4@8({[<369!1|/7$5+0%2"
ALPHABETS: Final = (SIGNS, SIGNS + "abc", string.digits, "01", "/-.12", "ab", string.printable)


def measure(typed: int = TYPED) -> tuple[float, str]:
    """The dearest of so many passwords of each alphabet: milliseconds, and the password."""
    chance = random.Random(20261126)
    every = ["".join(chance.choices(one, k=LONGEST)) for one in ALPHABETS for _ in range(typed)]
    return max((_cpu_ms(one), one) for one in [*every, SIGNS * 6, "p4$$w0rd1!7({|+2" * 8])


def _cpu_ms(password: str) -> float:
    begin = time.process_time()
    passwords.score(password, about=["anna", "anna@example.org"])
    return (time.process_time() - begin) * 1000


def main() -> None:
    passwords.score("warm", about=[])
    most, password = measure()
    print(f"{most:.1f} ms at most (of {MOST_MS:.0f}): {password!r}")
    raise SystemExit(most > MOST_MS)


if __name__ == "__main__":
    main()
