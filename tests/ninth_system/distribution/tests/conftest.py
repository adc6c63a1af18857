"""The plugin comes by itself where the sandbox is installed; here it is named, so that the
checkout's own is used.
"""

pytest_plugins = ["workspace_sandbox.conformance.plugin"]
