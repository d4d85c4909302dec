"""The tasks of a solve for a game in which positions repeat, or are met at several depths: all in rounds.

Endless play counts 0. A round values every position by what its children were worth in the round before, where at first
only the ends have a value. So after n rounds the scores are those of play that counts 0 if it still goes on after n
plies. When a round changes nothing, they are the scores however long play goes on.
"""

import pickle
from bisect import bisect_left
from typing import Any

from noughts.solving.files import Facts, write_work
from noughts.solving.interpreted import SCALE, Interpreted, coded, opened

__all__ = ["Cyclic"]

Links = list[list[tuple[int, int, bool]] | None]
"""For each position, its children: the number of the part, the row in it, and whether the same player moves there.

None for a position in which the game is over."""


class Cyclic(Interpreted):
    """Does the tasks of a job with the six functions, also where tiers do not order the positions."""

    def link(self, output: str, arguments: dict[str, Any]) -> Facts:
        """Write for each position of a part where its children are, and the scores of the ends."""
        leads = self._leads(arguments)
        wanted = sorted({code for _, children, _ in leads for _, code, _ in children or ()})
        places: dict[int, tuple[int, int]] = {}
        for number, part in enumerate(arguments["parts"]):
            start, end = bisect_left(wanted, part["first"]), bisect_left(wanted, part["last"] + 1)
            if start == end:
                continue
            within = set(wanted[start:end])
            for row, (code, _) in enumerate(coded(opened(part["codes"]))):
                if code in within:
                    places[code] = number, row
        links: Links = [
            None if children is None else [(*places[code], same) for _, code, same in children]
            for _, children, _ in leads
        ]
        scores = [SCALE.score(utility) for utility, _, _ in leads]
        refers = sorted({number for children in links for number, _, _ in children or ()})
        facts = {"refers": refers, "changed": True}
        write_work(output, facts, [pickle.dumps(links), pickle.dumps(scores)])
        return facts

    def round(self, output: str, arguments: dict[str, Any]) -> Facts:
        """Write the scores of a part's positions, one round later; only that there is no change, if there is none."""
        links: Links = pickle.loads(opened(arguments["links"]).sections[0])
        before = _scores(arguments["own"])
        known = {int(number): _scores(path) for number, path in arguments["scores"].items()}
        is_final = (lambda _: False) if self._game.has_margins else bool
        scores = [
            score
            if children is None or is_final(score)
            else max(
                SCALE.one_ply_later(known[number][row] if same else -known[number][row])
                for number, row, same in children
            )
            for children, score in zip(links, before, strict=True)
        ]
        facts = {"changed": scores != before}
        write_work(output, facts, [pickle.dumps(scores)] if facts["changed"] else [], lasting=True)
        return facts

    def settle(self, output: str, arguments: dict[str, Any]) -> Facts:
        """Write a part of the table, when the scores are final."""
        return self._finished(output, arguments, self._leads(arguments), _scores(arguments["scores"]))


def _scores(path: str) -> list[int]:
    """Return the scores in a work file, which are the last thing in it."""
    scores: list[int] = pickle.loads(opened(path).sections[-1])
    return scores
