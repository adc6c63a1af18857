"""Real Nextcloud in front of real Keycloak: accounts, stored credentials, leaving, and what a check
sees; all in one workspace, since it takes half a minute to start.
"""

import pytest

from tests.real.nextcloud_connecting import *  # noqa: F403
from tests.real.nextcloud_leaving import *  # noqa: F403
from tests.real.nextcloud_misconfigured import *  # noqa: F403
from tests.real.nextcloud_told import *  # noqa: F403
from tests.real.nextcloud_walked import *  # noqa: F403

pytestmark = [pytest.mark.real, pytest.mark.xdist_group("a drive's demo")]
