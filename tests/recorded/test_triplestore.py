"""Recorded exchanges with OpenGDB and RDF4J."""

from tests.recorded.client_triplestore import classify
from tests.recorded.expected_meaning_triplestore import TABLE
from tests.recorded.prior_state_triplestore import TriplestoreStage
from tests.recorded.suite import Recorded


class TestTriplestore(Recorded):
    system = "triplestore"
    table = TABLE
    classify = staticmethod(classify)
    make_stage = TriplestoreStage
