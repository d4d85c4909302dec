"""The ending of king and rook against king: the counts that are known for the large board."""

from collections import Counter
from typing import Any

import pytest

from noughts.capabilities import resolve
from noughts.search.limits import Budget
from noughts.search.retrograde import Retrograde
from tests.endless import example

BLACK_TO_MOVE = {
    None: 2_796,
    0: 27,
    1: 78,
    2: 246,
    3: 81,
    4: 198,
    5: 471,
    6: 592,
    7: 683,
    8: 1_433,
    9: 1_712,
    10: 1_985,
    11: 2_854,
    12: 3_597,
    13: 4_194,
    14: 4_553,
    15: 2_166,
    16: 390,
}
"""Positions up to symmetry with Black to move, by White's moves to mate; None is a draw: the UCI data set krkopt."""


@pytest.mark.long
def test_the_known_counts_of_the_large_board(monkeypatch: pytest.MonkeyPatch) -> None:
    game: Any = example("king_and_rook")
    monkeypatch.setattr(game, "SIZE", 8)
    offers = resolve(game)
    solved: Retrograde[Any, Any] = Retrograde(offers)
    counts: Counter[int | None] = Counter()
    seen = set()
    for king in range(64):
        for rook in range(64):
            for black in range(64):
                state = king, rook, black, -1
                apart = king != rook and black not in (king, rook, *game.king_steps(king))
                if not apart or min(game.symmetries(state)) in seen:
                    continue
                seen.add(min(game.symmetries(state)))
                solved.solve(state, Budget())
                distance = offers.scale.distance(solved.score(state))
                counts[None if distance is None else distance // 2] += 1
    assert counts == BLACK_TO_MOVE
    assert counts.total() == 28_056
