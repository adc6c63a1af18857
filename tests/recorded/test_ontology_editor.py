"""Recorded exchanges with WebProtégé: upstream, with the project API, and with sign-in."""

from tests.recorded.client_ontology_editor import classify
from tests.recorded.expected_meaning_ontology_editor import TABLE
from tests.recorded.prior_state_ontology_editor import OntologyEditorStage
from tests.recorded.suite import Recorded


class TestOntologyEditor(Recorded):
    system = "ontology-editor"
    table = TABLE
    classify = staticmethod(classify)
    make_stage = OntologyEditorStage
