"""The ontology editor's client: every call over the wire."""
