"""The accepted `expires_in` of tokens."""

from typing import Final

LONGEST_S: Final = 366 * 24 * 3600
"""The longest accepted lifetime of a token."""


def lifetime(said: object) -> float:
    """Return the seconds; 0 for values that are no duration, or that no clock can count to."""
    if not isinstance(said, int | float) or isinstance(said, bool):
        return 0.0
    # Compared before the conversion: an integer may be too large for a float, and NaN fails both
    # comparisons.
    return float(said) if 0 < said <= LONGEST_S else 0.0
