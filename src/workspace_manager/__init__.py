"""The workspace manager: lets people into a shared research workspace and lets them go again.

The tree is the table of contents: `systems/` holds one folder per driven system, `lifecycle/deprovision/` one file per step of
a removal. Imports run one way, `cli -> sandbox | web -> worker -> wiring -> lifecycle -> systems | records -> contract`, and
import-linter proves it.
"""

__version__ = "0.1.0"
