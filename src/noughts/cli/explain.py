"""`noughts explain`: why a position is worth what it is, in words."""

import json
from collections.abc import Sequence
from typing import Any

from noughts.capabilities import ResolvedGame, resolve
from noughts.cli.commands import Parser
from noughts.cli.limits import STOPS, check_limits, interruptible
from noughts.cli.terminal import drawn, wrapped
from noughts.engine import Engine
from noughts.errors import NoughtsError, counted, shown
from noughts.notation import load, normalised, read_action, read_position
from noughts.search.limits import Limits
from noughts.wire.answers import explanation as facts
from noughts.words.explanation import Explanation, explain
from noughts.words.report import names_of, report

__all__ = ["run"]

EXAMPLES = """\
examples:
  noughts explain tic-tac-toe 5 1 3               every action after 5 1 3
  noughts explain tic-tac-toe 5 1 3 --action 7    one action
  noughts explain tic-tac-toe "5 1 3" 7           the same: a position in one word, then an action
  noughts explain tic-tac-toe O.X/.X./... 7       the same, with a diagram
  noughts explain connect-four 4453 --seconds 30

What cannot be found out within the limits is called unknown. Ctrl-C ends the search and explains what is known.
"""


def run(argv: Sequence[str]) -> int:
    """Explain a position, print it, and return the exit code."""
    args = _parser().parse_args(argv)
    check_limits(args, "nodes", "seconds")
    game = resolve(load(args.game))
    words, word = _position_and_action(game, args.position, args.action)
    position = read_position(game, words)
    state = position.state
    action = None if word is None else _action(game, state, word)
    with interruptible() as cancelled:
        engine = Engine(game, table=args.table)
        explanation = explain(engine, state, action, limits=Limits(args.nodes, args.seconds or None, cancelled))
    names = names_of(game, state)
    if args.json:
        print(json.dumps(facts(normalised(args.game), position, game, explanation)))
    else:
        print(f"{drawn(game, state)}\n\n{wrapped(report(explanation, names))}\n\n{wrapped(_spent(explanation))}")
    return 0


def _position_and_action(
    game: ResolvedGame[Any, Any], words: Sequence[str], option: str | None
) -> tuple[str, str | None]:
    """Tell the position from the action: of two words the second is the action if the first is a whole position."""
    if option is None and len(words) == 2:
        position, action = words
        if len(game.split_actions(position)) != 1 or any(sign in position for sign in "/|\n"):
            return position, action
    return " ".join(words), option


def _action(game: ResolvedGame[Any, Any], state: Any, word: str) -> Any:
    legal = [] if game.terminal(state) else game.legal_actions(state)
    if not legal:
        raise NoughtsError(f"{shown(word)} cannot be played here: the game is over")
    try:
        return read_action(legal, game, word)
    except NoughtsError:
        names = [game.action_name(action) for action in legal]
        can = " ".join(names[:12]) + (" ..." if len(names) > 12 else "")
        raise NoughtsError(f"{shown(word)} cannot be played here; you can play {can}") from None


def _spent(explanation: Explanation[Any, Any]) -> str:
    answer = explanation.answer
    stopped = "" if answer.stopped == "done" else f", stopped by {STOPS[answer.stopped]}"
    return f"{answer.method}: {counted(answer.nodes, 'node')}, {answer.seconds:.2f} s{stopped}"


def _parser() -> Parser:
    parser = Parser(
        prog="noughts explain",
        description="Say why a position is worth what it is: what each action does, what refutes it, which are equal.",
        usage="noughts explain GAME [POSITION] [ACTION] [OPTIONS]",
        epilog=EXAMPLES,
    )
    parser.add_position("; after a position in one word, an ACTION")
    parser.add_argument("--action", metavar="ACTION", help="explain this action only")
    parser.add_argument("--nodes", type=int, metavar="N", help="visit no more than N nodes")
    parser.add_seconds(10.0)
    parser.add_table()
    parser.add_json()
    return parser
