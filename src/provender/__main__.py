"""`python -m provender` is the command `provender`."""

from provender.cli import main

main(prog_name="provender")
