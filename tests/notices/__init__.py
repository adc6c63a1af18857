"""Tests of notices of what happens, and of what waits."""
