"""The removal of a person: the seven steps, one file each.

- `capture`: every identifier, before anything is removed
- `step1` … `step7`: the changes of each step
- `build`: the plan
- `approve`: approval, which sets the person leaving
- `sign_in_block`: the block that stays until the identity is gone
- `close`: the transaction that ends the removal
- `recheck`: plans that look for accounts that came back
- `kind`: the kind of plan, for the engine

See docs/explanation/removal.md#the-seven-steps.
"""
