"""How long after its limit of time a command ends, in games at their largest; the aim is half a second.

Late is what a command takes from its start to its end, less the limit, less what it takes in a game that is solved at
once: starting Python and loading the package is not search. `tests/test_deadlines.py` checks the same without a clock.
Games named on the command line are measured alone: python benchmarks/deadline.py connect-four
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

LARGEST = (
    "wild",
    "notakto:3",
    "mnk:19,19,5",
    "mnk:19,19,5,torus",
    "connect-four",
    "connect:12x12",
    "cube:5",
    "ultimate",
    "nim:99,99,99,99,99,99,99,99,99",
    "reversi:8",
)
COMMANDS = (
    ("analyse",),
    ("explain",),
    ("count",),
    ("openings",),
    ("tree",),
    ("tree", "--format", "svg", "--most", "2000"),
    ("tree", "--search", "principal", "--format", "html"),
    ("lint",),
)
LIMITS = (0.2, 1.0)

OWN = {
    "wide.py": ("range(2_000)", 40, 0.0),
    "slow.py": ("range(20)", 40, 0.01),
    "long.py": ("(0, 1)", 5_000, 0.0),
}
"""Games of one's own: the actions of every state, how many plies they last, and seconds that each function takes."""

RULES = """\
from time import perf_counter

longest = {plies}


def taking_its_time(function):
    def slow(*args):
        end = perf_counter() + {seconds}
        while perf_counter() < end:
            pass
        return function(*args)

    return slow


initial = taking_its_time(lambda: (0, 0))
player = taking_its_time(lambda state: -1 if state[0] % 2 else 1)
actions = taking_its_time(lambda state: [] if state[0] == longest else list({actions}))
result = taking_its_time(lambda state, action: (state[0] + 1, (7 * state[1] + action) % 10_007))
terminal = taking_its_time(lambda state: state[0] == longest)
utility = taking_its_time(lambda state: state[1] % 3 - 1)
"""


def taken(command: tuple[str, ...], game: str, seconds: float) -> float:
    """Return the seconds from the start of a command to its end."""
    started = time.perf_counter()
    words = [sys.executable, "-m", "noughts", command[0], game, *command[1:], "--seconds", str(seconds)]
    done = subprocess.run(words, capture_output=True, check=False)
    assert b"Traceback" not in done.stderr, done.stderr.decode()
    return time.perf_counter() - started


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        for name, (actions, plies, seconds) in OWN.items():
            rules = RULES.format(actions=actions, plies=plies, seconds=seconds)
            Path(folder, name).write_text(rules, encoding="utf-8")
        own = [str(Path(folder, name)) for name in OWN]
        print("| command | limit | start-up | latest | in | all of them, by how many ms |\n|---|---|---|---|---|---|")
        for command in COMMANDS:
            startup = min(taken(command, "nim:1", 1.0) for _ in range(3))
            for limit in LIMITS:
                late = {}
                for game in sys.argv[1:] or [*LARGEST, *own]:
                    late[Path(game).name] = taken(command, game, limit) - limit - startup
                latest = max(late, key=lambda game: late[game])
                every = ", ".join(f"{by * 1000:+.0f}" for by in late.values())
                print(
                    f"| {' '.join(command)} | {limit} s | {startup:.2f} s | {late[latest] * 1000:+.0f} ms | {latest} |"
                    f" {every} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
