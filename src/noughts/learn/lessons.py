"""The lessons: what each says, which trees it shows, and what it asks. The page computes the answers from the search.

A question says what is asked and of what; its answer is never written here. The `kind` of a question is one of:

- `value`: the value of a node, which is named by its path, the actions from the root;
- `best`: a best action at the root;
- `backup`, `cutoff`: what the n-th such step will do, with the search standing just before it;
- `count`: how many `nodes`, `ends`, `pruned`, `positions`, `classes`, `hits`, `best`, or ends worth a `utility`;
- `size`: the number of nodes of the whole tree, roughly;
- `fill`: the values of all the inner nodes of a tree of numbers.
"""

from typing import Any, NamedTuple

__all__ = ["LESSONS", "Example", "Lesson", "Question"]


class Example(NamedTuple):
    """A tree to search, and how."""

    label: str
    game: str
    position: str = ""
    search: str = "minimax"
    view: str = "textbook"
    depth: int | None = None
    """How many plies ahead, where the tree is too large."""
    beside: str = ""
    """A second search of the same tree, drawn beside it."""


class Question(NamedTuple):
    """A question about an example of the lesson."""

    ask: str
    kind: str
    about: dict[str, Any] = {}  # noqa: RUF012 - nobody writes to it
    example: int = 0
    search: str = ""
    """The search that it is about, if not that of the example."""
    view: str = ""


class Lesson(NamedTuple):
    """A lesson: text, examples, questions and a summary."""

    name: str
    """In the address."""
    title: str
    text: tuple[str, ...]
    examples: tuple[Example, ...]
    questions: tuple[Question, ...]
    summary: tuple[str, ...]


BOOK = "numbers:((3 12 8) (2 4 6) (14 5 2))"
WORST = "numbers:((14 5 2) (6 4 2) (12 8 3))"
BEST = "numbers:((3 8 12) (2 4 6) (2 5 14))"
DEEP = "numbers:(((5 6) (7 4) (5 3)) ((6 6) (9 7) (5 9)) ((8 6) (2 7) (4 5)))"

LESSONS = (
    Lesson(
        "ends",
        "What the end is worth",
        (
            "Minimax looks at every way in which a game can go on. Each way ends in a finished game, and a "
            "finished game "
            "has a number: its utility. If X has won it is +1, a draw is 0, and if O has won it is −1.",
            "X wants a high number and is called MAX. O wants a low number and is called MIN. All numbers are from "
            "X's side, whoever is to move.",
            "Below are all ways in which this game can go on. Step until the search meets its first finished game.",
        ),
        (Example("Three free cells", "tic-tac-toe", "1 2 8 5 9 6"),),
        (
            Question("X plays 7. What is that worth?", "value", {"path": "7"}),
            Question("X plays 3, and O plays 4. What is that worth?", "value", {"path": "3 4"}),
            Question("How many of the finished games in this tree are drawn?", "count", {"of": "ends", "utility": 0}),
        ),
        (
            "The search gives a number only to finished games. Every other number is worked out from those.",
            "Utilities are written from MAX's side: +1 is good for MAX, −1 is good for MIN.",
        ),
    ),
    Lesson(
        "backing-up",
        "Backing values up",
        (
            "A textbook leaves the board out. The ends of this tree are just numbers. At A, MAX chooses a branch. "
            "Then MIN chooses an end, at B, C or D.",
            "MIN will choose the lowest number below B, so B is worth that number. The search backs it up: it "
            "takes the "
            "values of the actions one by one, and keeps the lowest in v. At A it keeps the highest.",
            "Follow v. The line “v = min(v, …)” is where minimax happens.",
        ),
        (Example("The book's tree", BOOK),),
        (
            Question("The search backs up the second value at B. What does v become?", "backup", {"number": 2}),
            Question("What is the tree worth to MAX?", "value", {"path": ""}),
            Question("Which branch should MAX choose?", "best"),
            Question("Fill in the values of all nodes.", "fill"),
        ),
        (
            "MAX's node is worth the highest value below it, MIN's node the lowest.",
            "12 and 14 are there, and MAX gets neither of them: MIN would not let that happen.",
        ),
    ),
    Lesson(
        "both-players",
        "Both players at their best",
        (
            "Here O is to move, so MIN is at the root. max_value and min_value call each other all the way down to "
            "the ends. Look at which of the two is lit when X is to move, and which when O is.",
            "There is another way to write it. In negamax one function serves both players: each value is for "
            "the player to move, and is turned round on its way up. Choose that view, and compare.",
        ),
        (Example("Four free cells", "tic-tac-toe", "5 7 3 1 9"),),
        (
            Question("What is this position worth?", "value", {"path": ""}),
            Question("Which move should O play?", "best"),
            Question("O plays 6. What is the value of the position then?", "value", {"path": "6"}),
        ),
        (
            "Minimax assumes that both players play their best. Against weaker play, the result can only be better.",
            "Textbook and negamax compute the same thing: one in MAX's view, the other in the view of the player "
            "to move.",
        ),
    ),
    Lesson(
        "depth",
        "Sooner is better",
        (
            "O can win at once here. O can also win later, and both are worth −1. A search that knows no more than "
            "that may take the slow win, and then again a slow one.",
            "The remedy is to count moves. In this view W1 is a win at the next move, W3 a win in three moves, L2 a "
            "loss in two, and D a draw. A sooner win is better; so is a later loss.",
            "W1 for one player is L2 for the other, one move earlier: the step that backs it up shows how.",
        ),
        (
            Example("With distance", "tic-tac-toe", "1 2 9 5 4", view="negamax"),
            Example("Without distance", "tic-tac-toe", "1 2 9 5 4"),
        ),
        (
            Question(
                "Without distance, how many of O's moves are among the best?",
                "count",
                {"of": "best"},
                1,
                view="textbook",
            ),
            Question("With distance, which move is best?", "best"),
        ),
        (
            "Without distance, all wins look the same, and a winning player may go on for ever without winning.",
            "With distance, a won game is won soon, and a lost one is made to last.",
        ),
    ),
    Lesson(
        "pruning",
        "Pruning: alpha and beta",
        (
            "At C, MIN finds a 2. So C is worth 2 or less. But MAX already has 3, from B. Whatever else is below "
            "C, MAX "
            "will not go there. The search need not look at 4 and 6.",
            "Alpha-beta keeps two numbers. α is what MAX is sure of so far, β is what MIN is sure of. As soon as a "
            "node turns out to lie outside of them, the rest of it is pruned.",
            "Minimax stands beside it for comparison. Jump from cutoff to cutoff.",
        ),
        (Example("The book's tree", BOOK, search="alphabeta", beside="minimax"),),
        (
            Question("4 ends have been looked at. Is this a cutoff?", "cutoff", {"number": 5}),
            Question("Is there a cutoff at D after its first end?", "cutoff", {"number": 7}),
            Question("How many ends does alpha-beta look at?", "count", {"of": "ends"}),
            Question("What is the value of the root, with pruning?", "value", {"path": ""}),
        ),
        (
            "A cutoff never changes the value of the root. It only saves work.",
            "A node that was cut off has no exact value: C is worth 2 or less (≤ 2). That is all MAX needs to know.",
        ),
    ),
    Lesson(
        "order",
        "The order of moves",
        (
            "How much alpha-beta prunes depends on which move it tries first. A good move first sets α or β early, and "
            "the others fail against it at once.",
            "The first two examples hold the same numbers. In one, the best comes last everywhere; in the other, "
            "the best comes "
            "first. The third is larger: shuffle its order a few times, and watch the count of nodes.",
        ),
        (
            Example("Best last", WORST, search="alphabeta", beside="minimax"),
            Example("Best first", BEST, search="alphabeta", beside="minimax"),
            Example("Three layers", DEEP, search="alphabeta"),
        ),
        (
            Question("Best last: how many of the 9 ends are looked at?", "count", {"of": "ends"}),
            Question("Best first: how many of the 9 ends are looked at?", "count", {"of": "ends"}, 1),
            Question("How many nodes of the large tree are pruned, as it stands?", "count", {"of": "pruned"}, 2),
        ),
        (
            "The order of moves changes the work, never the value.",
            "With the best move first everywhere, the number of ends is about the square root of what minimax "
            "looks at. So "
            "good programs spend effort on guessing the best move.",
        ),
    ),
    Lesson(
        "tables",
        "Tables and symmetry",
        (
            "The same position can be reached in several ways: 3 and then 7, or 7 and then 3. Minimax searches it "
            "again "
            "each time. A table remembers what each position was worth.",
            "This board has a mirror: its diagonal from 1 to 9. Positions that are mirror images of each other are "
            "worth "
            "the same, so one entry in the table can serve both.",
            "Choose another search above the tree, and compare how many nodes each visits.",
        ),
        (
            Example("With a table", "tic-tac-toe", "4 5 2 1 9", search="table"),
            Example("With symmetry", "tic-tac-toe", "4 5 2 1 9", search="symmetry"),
        ),
        (
            Question(
                "The whole tree has 61 nodes. How many different positions are among them?",
                "count",
                {"of": "positions"},
            ),
            Question("How often is a position found in the table?", "count", {"of": "hits"}),
            Question("And with symmetry?", "count", {"of": "hits"}, 1),
        ),
        (
            "A table turns a tree into a graph of positions. Symmetry makes the graph smaller still.",
            "An entry from a search with cutoffs may be only a bound, and must say so: “at least” is not “equal to”.",
        ),
    ),
    Lesson(
        "too-large",
        "When the tree is too large",
        (
            "Connect Four has 4,531,985,219,092 positions. No program looks at all of them for one move. It looks "
            "a few moves ahead, "
            "here two, and there it guesses: open lines of one player, less those of the other. A real win counts "
            "100, more than any guess.",
            "The second example is all of tic-tac-toe, from the empty board. Do not step through it: jump from "
            "cutoff to cutoff, or click a node to go there. A number such as +932 says how many nodes are below.",
        ),
        (
            Example("Two moves ahead", "connect-four", search="alphabeta", depth=2),
            Example("All of tic-tac-toe", "tic-tac-toe", search="alphabeta"),
        ),
        (
            Question("Two moves ahead: which column looks best for the first move?", "best"),
            Question("About how many nodes has the whole tree of tic-tac-toe?", "size", {}, 1),
            Question("What is tic-tac-toe worth, if both play their best?", "value", {"path": ""}, 1),
        ),
        (
            "At a horizon the search guesses. A value that rests on a guess can be wrong; a value from finished "
            "games cannot.",
            "All of tic-tac-toe is no trouble for a computer: alpha-beta, tables and symmetry make the tree small.",
        ),
    ),
)
"""The lessons in order."""
