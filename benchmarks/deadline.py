"""How long after its deadline an analysis answers, in games too large to finish; the aim is 50 ms."""

import time

import noughts

GAMES = ["connect-four", "mnk:5,5,4", "mnk:15,15,5", "ultimate", "reversi:8", "cube:4", "nim:9,9,9,9,9"]
DEADLINES = (0.05, 0.2, 1.0)


def main() -> None:
    print("| game | " + " | ".join(f"after {seconds} s" for seconds in DEADLINES) + " |")
    print("|---|" + "---|" * len(DEADLINES))
    for notation in GAMES:
        game = noughts.load(notation)
        late = []
        for seconds in DEADLINES:
            started = time.perf_counter()
            answer = noughts.analyse(game, seconds=seconds)
            late.append(f"{(time.perf_counter() - started - seconds) * 1000:+.1f} ms")
            assert answer.best[0] in list(game.actions(game.initial()))
        print(f"| {notation} | " + " | ".join(late) + " |", flush=True)


if __name__ == "__main__":
    main()
