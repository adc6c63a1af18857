"""Every system on one machine: stand-ins, and the real parts the machine can start, for the demo
and the tests. Loopback only.
"""
