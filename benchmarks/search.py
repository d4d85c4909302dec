"""What the interpreted searches take to prove known values, each as a ratio to plain minimax on the same machine.

The yardstick is the time plain minimax takes for all 549,946 nodes of tic-tac-toe, measured before and after. Every
value is checked before its time is printed.
"""

import time

import noughts
from noughts.search.answer import Answer
from noughts.search.drivers import alphabeta
from noughts.search.mtd import mtd
from noughts.search.proof import proof

PROOFS = [
    ("mnk:4,3,3", "win"),
    ("mnk:4,4,3", "win"),
    ("mnk:4,4,4", "draw"),
    ("cube:3", "win"),
    ("connect:4x4", "draw"),
    ("connect:5x4", "draw"),
    ("reversi:4", "loss"),
    ("notakto:2", "loss"),
    ("notakto:3", "win"),
]


def yardstick() -> float:
    """Return the seconds that plain minimax takes for tic-tac-toe."""
    answer = noughts.minimax(noughts.load("tic-tac-toe"))
    assert answer.nodes == 549_946
    return answer.seconds


def row(notation: str, name: str, answer: Answer[object], seconds: float, unit: float) -> str:
    speed = answer.nodes / seconds
    return (
        f"| {notation} | {name} | {answer.value} | {answer.nodes:,} | {seconds:.2f} s"
        f" | {seconds / unit:.2f} | {speed:,.0f} |"
    )


def main() -> None:
    before = yardstick()
    print("| game | search | value | nodes | time | ratio to plain minimax of tic-tac-toe | nodes/s |")
    print("|---|---|---|---|---|---|---|")
    for notation, value in PROOFS:
        game = noughts.load(notation)
        for name, search in (
            ("alphabeta", lambda game: alphabeta(game, wanted="one")),
            ("mtd", lambda game: mtd(game, wanted="one")),
            ("proof", proof),
        ):
            if name == "proof" and notation in ("connect:5x4", "notakto:3"):
                continue  # minutes, not seconds
            started = time.process_time()
            answer = search(game)
            seconds = time.process_time() - started
            assert answer.value == value, f"{name} says {answer.value} of {notation}"
            print(row(notation, name, answer, seconds, before), flush=True)
    after = yardstick()
    print(f"\nPlain minimax of tic-tac-toe: {before:.2f} s before, {after:.2f} s after.")


if __name__ == "__main__":
    main()
