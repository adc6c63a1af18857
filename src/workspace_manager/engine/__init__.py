"""Plans: a plan is a value that is previewed, signed, run, resumed, audited and rendered from the
same document.

`plan` the value · `rows` its rows, which are the truth · `kind` what a story says of its kind of
plan · `lease` who may work on it · `preview` the looks of a draft · `run` the engine · `approved`
what runs is what was approved · `change` look, act, look, write down · `guard` what has to hold
when something is sent · `journal` and `invariants` what is written then · `step` how a step ends ·
`view` what people see. It knows no kind of plan.
"""
