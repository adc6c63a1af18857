"""Recorded exchanges with Keycloak."""

from tests.recorded.client_keycloak import classify
from tests.recorded.expected_meaning_keycloak import TABLE
from tests.recorded.prior_state_keycloak import KeycloakStage
from tests.recorded.suite import Recorded


class TestKeycloak(Recorded):
    system = "keycloak"
    table = TABLE
    classify = staticmethod(classify)
    make_stage = KeycloakStage
