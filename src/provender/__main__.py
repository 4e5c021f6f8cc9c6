"""`python -m provender` is the command `provender`."""

import sys


def run() -> None:
    try:
        # Not at the top: it takes a moment, in which Ctrl-C may come already.
        from provender.cli import main  # noqa: PLC0415

        main(prog_name="provender")
    except KeyboardInterrupt:
        sys.stderr.write("provender: stopped.\n")
        sys.exit(130)


if __name__ == "__main__":
    run()
