"""Recorded exchanges with OpenGDB and RDF4J."""

from tests.recorded.client_triplestore import classify
from tests.recorded.meanings_triplestore import TABLE
from tests.recorded.stage_triplestore import TriplestoreStage
from tests.recorded.suite import Recorded


class TestTriplestore(Recorded):
    system = "triplestore"
    table = TABLE
    classify = staticmethod(classify)
    make_stage = TriplestoreStage
