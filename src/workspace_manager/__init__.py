"""The workspace manager: lets people into a shared research workspace and lets them go again.

The tree is the table of contents: `systems/` holds one folder per connected system, `removal/` one
file per step of a removal. Imports run one way, from `cli` and `web` down to `contract`, and
import-linter proves it.
"""

__version__ = "0.3.0"
