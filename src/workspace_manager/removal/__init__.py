"""The removal of a person: the seven steps of the specification's section 6, one file each.

`captured` every identifier before anything is removed · `step1` … `step7` what each step changes · `build` the plan · `start` approval,
which sets the person leaving · `close` the transaction that ends it.
"""
