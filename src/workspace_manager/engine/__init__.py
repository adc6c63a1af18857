"""Plans: a plan is a value that is previewed, signed, run, resumed, audited and rendered from the same document.

`plan` the value and its digest · `journal` the rows that are the truth · `claim` who may work on it · `look` the preview's looks ·
`run` the engine · `late_look` what a token that was still out may have brought back · `render` the answer people see.
"""
