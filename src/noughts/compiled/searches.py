"""The two searches that can be compiled for a game, and which of them a game's rules are for.

The *solving* search is for small games: win, draw or loss, turns that alternate, a key of one number. The *deep* search
is for all others. Rules are for it if they have `evaluate`, or do not have `plies`; docs/own-game.md describes both.
"""

from pathlib import Path
from typing import NamedTuple

from noughts.compiled import deep_kernel, deep_layout, kernel, layout, tasks
from noughts.compiled.rules import Rules

__all__ = ["DEEP", "SOLVING", "CompiledSearch", "search_for"]


class CompiledSearch(NamedTuple):
    """A search as source code: what it takes from the rules, and which of its functions are called from Python.

    Signatures are words: `position`, `number`, and `pair` for two numbers.
    """

    source: Path
    layout: Path
    from_rules: tuple[str, ...]
    defaults: dict[str, str]
    """Functions that rules may leave out, and what is compiled instead."""
    recursive: str
    """The function that calls itself; an empty text if there is none."""
    returns: str
    """What that function returns."""
    takes: str
    entries: dict[str, str]
    """The functions that are called from Python, and what they take."""
    uncached: tuple[str, ...] = ()
    """Functions that are rarely called, and quick to compile at the first call."""
    before: tuple[Path, ...] = ()
    """Other files that are compiled together with the source, and run before it."""
    inlined: tuple[str, ...] = ()
    """Functions that are compiled as part of their callers."""


SOLVING = CompiledSearch(
    source=Path(str(kernel.__file__)),
    layout=Path(str(layout.__file__)),
    from_rules=("expand", "play", "key", "score_bounds", "plies", "order", "foresee", "finish"),
    defaults={
        "order": "def order(position, move):\n    return 0\n",
        "foresee": "def foresee(position, beta):\n    return -longest - 1, longest + 1\n",
        "finish": "def finish(position):\n    return 0\n",
    },
    recursive="search",
    returns="number",
    takes="position number number number number",
    entries={"answer": "number position number number number number number", "grow": "number number"},
    uncached=("minimax",),
    before=(Path(str(tasks.__file__)),),
    inlined=tasks.INLINED,
)

DEEP = CompiledSearch(
    source=Path(str(deep_kernel.__file__)),
    layout=Path(str(deep_layout.__file__)),
    from_rules=("moves_of", "after", "words_of", "bounds", "rank", "evaluate", "plies_left", "is_same_player"),
    defaults={
        "evaluate": "def evaluate(position):\n    return 0\n",
        "plies_left": "def plies_left(position):\n    return longest\n",
    },
    recursive="search",
    returns="pair",
    takes="position number number number number number number",
    entries={
        "look": "position number number number number number",
        "known_move": "position number number",
    },
)


def search_for(rules: Rules) -> CompiledSearch:
    """Return the search that some rules are for."""
    return DEEP if rules.is_deep else SOLVING


def added_functions(rules: Rules) -> str:
    """Return the source of the functions that a search needs and the rules do not have."""
    search = search_for(rules)
    added = [text for name, text in search.defaults.items() if not hasattr(rules.functions, name)]
    return "\n\n" + "\n\n".join([*added, *(_adapters(rules) if rules.is_deep else ())])


def _adapters(rules: Rules) -> list[str]:
    """Return the source of the functions of the deep search, in terms of those that the rules have.

    Moves are numbers here, words of moves and keys are tuples, and plies count from the position.
    """
    functions = rules.functions
    single = not isinstance(functions.expand(functions.initial()), tuple)
    texts = [
        f"def moves_of(position):\n    return {'(expand(position),)' if single else 'expand(position)'}\n",
        f"def after(position, move):\n    return play(position, {'1 << move' if single else 'move'})\n",
        "def words_of(position):\n    return "
        + ("key(position)\n" if isinstance(functions.key(functions.initial()), tuple) else "(key(position),)\n"),
    ]
    move = "1 << move" if single else "move"
    if not hasattr(functions, "order"):
        ranked = "0"
    elif functions.order.__code__.co_argcount == 3:
        ranked = f"order(position, {move}, child)"
    else:
        ranked = f"order(position, {move})"
    texts.append(f"def rank(position, move, child):\n    return {ranked}\n")
    alike = "player(position) == player(child)" if hasattr(functions, "player") else "False"
    texts.append(f"def is_same_player(position, child):\n    return {alike}\n")
    if not hasattr(functions, "plies"):
        texts.append("def bounds(position):\n    return score_bounds(position)\n")
    else:
        most = rules.most * (rules.longest + 1)
        texts.append(
            "def bounds(position):\n"
            "    low, high = score_bounds(position)\n"
            "    played = plies(position)\n"
            "    low += (low > 0) * played - (low < 0) * played\n"
            "    high += (high > 0) * played - (high < 0) * played\n"
            f"    return max(low, {-most}), min(high, {most})\n"
        )
    return texts
