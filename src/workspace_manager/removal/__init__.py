"""The removal of a person: the seven steps, one file each.

`capture` every identifier before anything is removed · `step1` … `step7` what each step changes ·
`build` the plan · `approve`, which sets the person leaving · `sign_in_block` what has to stay until
the identity is gone · `close` the transaction that ends it · `recheck` the plans that look for what
came back · `kind` all of it, as the engine is told.

See docs/explanation/removal.md#the-seven-steps.
"""
