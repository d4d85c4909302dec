"""The command `noughts`: a thin shell, with no rules in it."""

import sys

__all__ = ["main"]


def main(argv: list[str] | None = None) -> int:
    """Run a command and return its exit code: 0, 1 (ended early, or problems found), 2 (bad input), 130 (Ctrl-C)."""
    try:
        from noughts.cli.commands import run

        return run(sys.argv[1:] if argv is None else argv)
    except KeyboardInterrupt:
        from noughts.cli.terminal import restore

        restore()
        return 130
    except BrokenPipeError:  # whoever read the output has left, as in `noughts ... | head`
        from noughts.cli.terminal import silence

        silence()
        return 1
