"""The pictures of the documentation, scenario by scenario."""
