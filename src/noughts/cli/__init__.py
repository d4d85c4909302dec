"""The command `noughts`: a thin shell, with no rules in it."""

import sys

__all__ = ["main"]


def main(argv: list[str] | None = None) -> int:
    """Run a command and return its exit code.

    0: all is well; 1: input or output ended early, or a check found problems; 2: bad input; 130: Ctrl-C.
    """
    try:
        from noughts.cli.commands import run
        from noughts.cli.terminal import prepare

        prepare()
        return run(sys.argv[1:] if argv is None else argv)
    except KeyboardInterrupt:
        from noughts.cli.terminal import restore

        restore()
        return 130
    except OSError as error:
        from noughts.cli.terminal import silence

        silence()
        if not isinstance(error, BrokenPipeError):  # whoever read the output may leave, as in `noughts ... | head`
            print(f"noughts: cannot write: {error.strerror}", file=sys.stderr)
        return 1
