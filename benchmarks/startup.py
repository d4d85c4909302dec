"""Time from the command line to the first board, as a ratio to an interpreter that does nothing.

Every round runs both, one after the other, so that whatever else the machine does falls on both alike.
Bytecode is compiled first, as it is for anybody who plays a second time.
"""

import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

AIM = 4.0


def first_board(command: list[str], env: dict[str, str]) -> float:
    """Return the seconds until the command has written a whole board and asks for a move."""
    started = time.perf_counter()
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env) as process:
        assert process.stdout is not None
        seen = b""
        while b"): " not in seen:
            chunk = os.read(process.stdout.fileno(), 4096)
            assert chunk, "the command ended without asking for a move"
            seen += chunk
        seconds = time.perf_counter() - started
        process.kill()
    return seconds


def whole_run(command: list[str], env: dict[str, str]) -> float:
    """Return the seconds a command takes from start to end."""
    started = time.perf_counter()
    subprocess.run(command, env=env, check=True)
    return time.perf_counter() - started


def main() -> None:
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    noughts = str(Path(sys.executable).with_name("noughts"))
    nothing = [sys.executable, "-c", "pass"]
    first_board([noughts], env)  # compiles the bytecode
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    rounds = [(whole_run(nothing, env), first_board([noughts], env)) for _ in range(times)]
    empty, board = (statistics.median(column) for column in zip(*rounds, strict=True))
    ratio = statistics.median(board / empty for empty, board in rounds)
    print("| what | median | ratio | aim |")
    print("|---|---|---|---|")
    print(f"| python -c pass | {empty * 1000:.1f} ms | 1.0 | |")
    print(f"| noughts, to the first board | {board * 1000:.1f} ms | {ratio:.2f} | {AIM} or less |")


if __name__ == "__main__":
    main()
