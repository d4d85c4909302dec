"""The tasks of a solve in plain Python: for any game, with its six functions alone."""

import json
import pickle
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

from noughts.capabilities import ResolvedGame
from noughts.errors import BrokenGame
from noughts.score import Scale, whole_utility
from noughts.solving.files import Facts, WorkFile, read_work, write_work
from noughts.solving.ranges import Range
from noughts.solving.summary import Tally
from noughts.solving.tasks import Job
from noughts.solving.writing import write_part
from noughts.tables.codings import coding_of

__all__ = ["SCALE", "Interpreted", "coded", "opened"]

SECTION = 1024
"""How many positions are pickled together at most, so that a range of codes is read without the rest."""

SCALE = Scale()

Coded = tuple[int, Any]
"""A code, and a state that has it."""


class Interpreted:
    """Does the tasks of a job with the six functions. States travel between tasks beside their codes, pickled."""

    def __init__(self, job: Job, game: ResolvedGame[Any, Any]) -> None:
        self._job, self._game = job, game
        self._section = max(1, min(SECTION, job.part // 8))
        self._code = coding_of(game, json.loads(job.coding))

    def seed(self, output: str, arguments: dict[str, Any]) -> Facts:
        """Write the run that has the initial position alone."""
        state = self._game.initial()
        run = self._write_run(arguments["run"], self._tier(state, 0), [(self._code(state), state)])
        write_work(output, {"runs": [run]})
        return {"runs": [run]}

    def merge(self, output: str, arguments: dict[str, Any]) -> Facts:
        """Write the positions of a part, each once; leave out those that are in an earlier part."""
        within = Range(*arguments["range"])
        found: dict[int, Any] = {}
        for run in arguments["runs"]:
            for code, state in coded(opened(run), within):
                found.setdefault(code, state)
        met = 0
        for part in arguments["known"]:
            for code, _ in coded(opened(part), within):
                met += found.pop(code, None) is not None
        ordered = sorted(found.items(), key=lambda each: each[0])
        extent, sections = self._sections(ordered)
        facts = {"count": len(ordered), "met": met, **extent}
        write_work(output, facts, sections, lasting=True)
        return facts

    def forward(self, output: str, arguments: dict[str, Any]) -> Facts:
        """Write the runs of the children of a part, and last where its positions lead."""
        runs: dict[int, dict[int, Any]] = {}
        leads: list[tuple[int, list[tuple[int, int, bool]] | None, int]] = []
        tier = arguments["tier"]
        for _, state in coded(opened(arguments["part"])):
            leads.append(self._expanded(state, tier, runs))
        stem = arguments["runs"]
        written = [
            self._write_run(f"{stem}-to-{to}.run", to, sorted(runs[to].items(), key=lambda each: each[0]))
            for to in sorted(runs)
        ]
        facts = {"runs": written, "children": sum(len(children or ()) for _, children, _ in leads)}
        write_work(output, facts, [pickle.dumps(leads)])
        return facts

    def _expanded(
        self, state: Any, tier: int, runs: dict[int, dict[int, Any]]
    ) -> tuple[int, list[tuple[int, int, bool]] | None, int]:
        """Return the utility of an end for the player to move, what is known of each child, and how many images."""
        game, mover, images = self._game, self._game.to_move(state), self._images(state)
        if game.terminal(state):
            return mover * whole_utility(game.utility(state), game.utility_range), None, images
        children = []
        for action in game.legal_actions(state):
            child = game.result(state, action)
            to = self._tier(child, tier + 1)
            if to <= tier:
                raise BrokenGame(f"an action leads from tier {tier} to tier {to}; every action must raise it")
            code = self._code(child)
            runs.setdefault(to, {}).setdefault(code, child)
            children.append((to, code, game.to_move(child) == mover))
        return 0, children, images

    def backward(self, output: str, arguments: dict[str, Any]) -> Facts:
        """Write the scores of a part's positions, and its part of the table."""
        leads = self._leads(arguments)
        known = self._known(leads, arguments["above"])
        scores = []
        for utility, children, _ in leads:
            if children is None:
                score = SCALE.score(utility)
            else:
                score = max(
                    SCALE.one_ply_later(known[to, code] if same else -known[to, code]) for to, code, same in children
                )
            scores.append(score)
        return self._finished(output, arguments, leads, scores)

    def _leads(self, arguments: dict[str, Any]) -> list[Any]:
        """Return where the positions of a part lead."""
        (section,) = opened(arguments["leads"]).sections
        leads: list[Any] = pickle.loads(section)
        return leads

    def _finished(self, output: str, arguments: dict[str, Any], leads: list[Any], scores: list[int]) -> Facts:
        """Write the scores of a part's positions, and its part of the table."""
        tally = Tally()
        for score, (_, children, images) in zip(scores, leads, strict=True):
            tally.add(SCALE.utility(score), SCALE.distance(score) or 0, images, is_end=children is None)
        codes = [code for code, _ in coded(opened(arguments["part"]))]
        utilities, distances = [SCALE.utility(each) for each in scores], [SCALE.distance(each) or 0 for each in scores]
        facts = {
            "count": len(scores),
            "tally": tally.facts(),
            "root": [utilities[0], SCALE.distance(scores[0])],
            **write_part(self._job, self._game, arguments, codes, utilities, distances),
        }
        write_work(output, facts, [pickle.dumps(scores)])
        return facts

    def _known(self, leads: Sequence[Any], above: Iterable[dict[str, Any]]) -> dict[tuple[int, int], int]:
        """Return the scores of all children, by tier and code, read from those parts that have any."""
        wanted: dict[int, set[int]] = {}
        for _, children, _ in leads:
            for to, code, _ in children or ():
                wanted.setdefault(to, set()).add(code)
        ordered = {to: sorted(codes) for to, codes in wanted.items()}
        known = {}
        for part in above:
            codes, tier = ordered.get(part["tier"], []), part["tier"]
            start, end = bisect_left(codes, part["first"]), bisect_left(codes, part["last"] + 1)
            if start == end:
                continue
            (section,) = opened(part["scores"]).sections
            scores = pickle.loads(section)
            for (code, _), score in zip(coded(opened(part["codes"])), scores, strict=True):
                if code in wanted[tier]:
                    known[tier, code] = score
        return known

    def _tier(self, state: Any, depth: int) -> int:
        if not self._job.tiered:
            return depth
        game = self._game
        tier_of = game.tier or game.plies
        assert tier_of is not None
        return tier_of(state)

    def _images(self, state: Any) -> int:
        """Return how many different states are symmetric to a state, itself included; 0 if that is not known."""
        game = self._game
        if game.symmetries is not None:
            return len({game.key(image) for image in game.symmetries(state)})
        return 0 if game.canonical is not None else 1

    def _write_run(self, path: str, tier: int, ordered: Sequence[Coded]) -> dict[str, Any]:
        """Write a run, and return what the driver needs to know of it."""
        extent, sections = self._sections(ordered)
        write_work(path, extent, sections)
        return {"tier": tier, "count": len(ordered), "file": path, "step": self._section, "marks": extent["starts"]}

    def _sections(self, ordered: Sequence[Coded]) -> tuple[Facts, list[bytes]]:
        """Return where each section begins, the last code of all, and the sections."""
        starts = range(0, len(ordered), self._section)
        extent = {"starts": [ordered[start][0] for start in starts], "last": ordered[-1][0] if ordered else -1}
        return extent, [pickle.dumps(ordered[start : start + self._section]) for start in starts]


def opened(path: str) -> WorkFile:
    """Return a work file that must be there."""
    found = read_work(path)
    if found is None:
        raise FileNotFoundError(2, "a work file is damaged", path)
    return found


def coded(file: WorkFile, within: Range | None = None) -> Iterator[Coded]:
    """Yield the codes and states of a run or a part, those within a range of codes."""
    starts = [*file.facts["starts"], file.facts["last"] + 1]
    for (first, after), section in zip(pairwise(starts), file.sections, strict=True):
        if within is None:
            yield from pickle.loads(section)
        elif within.meets(first, after - 1):
            yield from (each for each in pickle.loads(section) if within.has(each[0]))
