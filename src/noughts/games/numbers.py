"""Trees of numbers, as textbooks draw them: who is to move chooses a branch, and the number at the end is the utility.

`((3 12 8) (2 4 6) (14 5 2))` is a tree in which MAX chooses one of three branches, and then MIN one of three numbers.
Commas may stand for the spaces. A branch is a number or another pair of brackets; the players move in turn, MAX
first, or MIN where `min` stands before the tree. Branches are named by their place from the left, 1, 2, 3 and so on.

>>> from noughts.notation import replay
>>> game = make("((3 12 8) (2 4 6) (14 5 2))")
>>> state = replay(game, "1 2")
>>> game.terminal(state), game.utility(state)
(True, 12)
>>> print(game.draw(replay(game, "3")))
(14 5 2)
"""

import re
from typing import NamedTuple

from noughts.errors import IllegalAction, shown
from noughts.game import MAX, MIN

__all__ = ["MOST_NODES", "Branch", "Numbers", "make"]

MOST_NODES = 2_000
DEEPEST = 20
LARGEST = 999

Tree = int | tuple["Tree", ...]
"""A number at the end of the game, or the branches of a choice."""

SIGNS = {MAX: "MAX", MIN: "MIN"}
WORD = re.compile(r"[()]|[^()\s,]+")


class Branch(NamedTuple):
    """A state: the branches chosen so far, by their places from the left, and what is below them."""

    chosen: tuple[int, ...]
    tree: Tree


class Numbers:
    """The game whose tree is written out in numbers; `first` is who chooses at the top."""

    title = "Tree of numbers"
    marks = (SIGNS[MAX], SIGNS[MIN])

    def __init__(self, tree: Tree, first: int = MAX) -> None:
        self.tree = tree
        self.first = first
        ends = _ends(tree)
        self.utility_range = (min(0, *ends), max(0, *ends))
        self.longest = max(1, _depth(tree))

    # The six functions.

    def initial(self) -> Branch:
        """Return the top of the tree."""
        return Branch((), self.tree)

    def player(self, state: Branch) -> int:
        """Return whose choice it is: the players take turns."""
        return self.first if len(state.chosen) % 2 == 0 else -self.first

    def actions(self, state: Branch) -> list[int]:
        """Return the places of the branches, from the left."""
        return [] if isinstance(state.tree, int) else list(range(1, len(state.tree) + 1))

    def result(self, state: Branch, action: int) -> Branch:
        """Return the state at the end of a branch."""
        if action not in self.actions(state):
            raise IllegalAction(f"{action!r} is not a branch of {self.draw(state)}")
        assert not isinstance(state.tree, int)
        return Branch((*state.chosen, action), state.tree[action - 1])

    def terminal(self, state: Branch) -> bool:
        """Say whether a number is reached."""
        return isinstance(state.tree, int)

    def utility(self, state: Branch) -> int:
        """Return the number."""
        assert isinstance(state.tree, int)
        return state.tree

    # Optional functions.

    def key(self, state: Branch) -> tuple[int, ...]:
        """Return the branches chosen: no two places of the tree are the same position."""
        return state.chosen

    def draw(self, state: Branch) -> str:
        """Return what is left of the tree, as it is written."""
        return _written(state.tree)


def make(arguments: str) -> Numbers:
    """Return the game of a tree such as `((3 12 8) (2 4 6) (14 5 2))`; `min` before it lets MIN choose first.

    >>> make("min (1 (2 -3))").player(make("min (1 (2 -3))").initial())
    -1
    """
    words = WORD.findall(arguments.replace("\N{MINUS SIGN}", "-"))
    first = MAX
    if words and words[0] in ("max", "min"):
        first = MAX if words.pop(0) == "max" else MIN
    if len(words) > 2 * MOST_NODES:
        raise ValueError(f"a tree has at most {MOST_NODES:,} nodes")
    if not words or words[0] != "(":
        raise ValueError("a tree begins with a bracket, such as ((3 12 8) (2 4 6) (14 5 2))")
    return Numbers(_read(words), first)


def _read(words: list[str]) -> Tree:
    """Return the tree that the words write, from its first bracket to its last."""
    open_branches: list[list[Tree]] = [[]]
    for place, word in enumerate(words):
        if len(open_branches) == 1 and open_branches[0]:
            raise ValueError(f"the tree ends before {shown(' '.join(words[place:]))}")
        if word == "(":
            if len(open_branches) > DEEPEST:
                raise ValueError(f"a tree is at most {DEEPEST} branches deep")
            open_branches.append([])
        elif word == ")":
            branches = open_branches.pop()
            if not open_branches:
                raise ValueError("there is one ) too many")
            if not branches:
                raise ValueError("there is nothing between ( and )")
            open_branches[-1].append(tuple(branches))
        else:
            open_branches[-1].append(_number(word))
    if len(open_branches) > 1:
        raise ValueError("a ) is missing")
    return open_branches[0][0]


def _number(word: str) -> int:
    if re.fullmatch(r"[+-]?[0-9]{1,6}", word) is None or abs(int(word)) > LARGEST:
        raise ValueError(f"{shown(word)} is not a whole number from -{LARGEST} to {LARGEST}")
    return int(word)


def _ends(tree: Tree) -> list[int]:
    return [tree] if isinstance(tree, int) else [end for branch in tree for end in _ends(branch)]


def _depth(tree: Tree) -> int:
    return 0 if isinstance(tree, int) else 1 + max(map(_depth, tree))


def _written(tree: Tree) -> str:
    return str(tree) if isinstance(tree, int) else f"({' '.join(map(_written, tree))})"
