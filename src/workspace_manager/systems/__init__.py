"""The seven connected systems, one folder each, alike in shape.

A system knows the contract and nothing else: no other system, no web framework, no table. Only its `client` touches the wire; its
`emulator` is seen by the sandbox and the tests alone.
"""
