"""`python -m flows.cli`: the spelling of `sextant` that nothing can shadow."""

from flows.cli import main

main()
