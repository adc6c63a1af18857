"""The documentation, followed word for word."""
