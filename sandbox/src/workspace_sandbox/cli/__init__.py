"""The commands that this distribution adds to `workspace-manager`, one file per command."""
