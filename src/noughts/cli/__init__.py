"""The command `noughts`: a thin shell, with no rules in it."""

import errno
import sys

__all__ = ["main"]


def main(argv: list[str] | None = None) -> int:
    """Run a command and return its exit code.

    0: all is well; 1: input, output or memory ended early, or a check found problems; 2: bad input; 130: Ctrl-C.
    """
    try:
        try:
            from noughts.cli.commands import run
            from noughts.cli.terminal import complain, prepare
            from noughts.interrupts import marked_ctrl_c
            from noughts.notices import told_in_lines

            prepare()
            with marked_ctrl_c(), told_in_lines(complain):
                code = run(sys.argv[1:] if argv is None else argv)
            sys.stdout.flush()  # here, where an error can still be told
            return code
        except KeyboardInterrupt:
            from noughts.cli.terminal import restore

            restore()
            return 130
    except MemoryError:
        print("noughts: there is not enough memory for this (analyse takes less with --table-mib 1)", file=sys.stderr)
        return 1
    except OSError as error:
        from noughts.cli.terminal import OutputLost, silence

        silence()
        if not isinstance(error, OutputLost):
            print(f"noughts: {_told(error)}", file=sys.stderr)
        elif error.errno != errno.EPIPE:  # whoever read the output may leave, as in `noughts ... | head`
            print(f"noughts: cannot write: {error.strerror}", file=sys.stderr)
        return 1


def _told(error: OSError) -> str:
    """Return one line about an error of the system that no command expected."""
    from noughts.errors import one_line, shown

    reason = one_line(error.strerror or str(error) or type(error).__name__)
    return reason if error.filename is None else f"{reason}: {shown(str(error.filename), 60)}"
