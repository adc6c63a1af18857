"""The ground floor: what a connector is, its errors, its secrets, and the one HTTP client.

Imports nothing of ours and no web framework. Nothing here knows a system by name.
"""

import sys

from workspace_manager.contract.earlier_names import EarlierModules

sys.meta_path.append(EarlierModules())
