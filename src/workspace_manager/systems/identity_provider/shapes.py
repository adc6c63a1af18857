"""The accepted `expires_in` of tokens."""

from typing import Final

LONGEST_S: Final = 366 * 24 * 3600
"""No token is believed to be good for longer."""


def lifetime(said: object) -> float:
    """Return the seconds; 0 for values that are no duration, or none that a clock can count to."""
    if not isinstance(said, int | float) or isinstance(said, bool):
        return 0.0
    # Compared before it is bent: a whole number may be larger than any other, and NaN is neither.
    return float(said) if 0 < said <= LONGEST_S else 0.0
