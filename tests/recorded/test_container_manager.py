"""Recorded exchanges with Portainer and with podman's Docker API."""

from tests.recorded.client_container_manager import classify
from tests.recorded.expected_meaning_container_manager import TABLE
from tests.recorded.prior_state_container_manager import ContainerManagerStage
from tests.recorded.suite import Recorded


class TestContainerManager(Recorded):
    system = "container-manager"
    table = TABLE
    classify = staticmethod(classify)
    make_stage = ContainerManagerStage
