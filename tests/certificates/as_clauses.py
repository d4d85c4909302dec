"""Certificates of tic-tac-toe as clauses, which can be satisfied exactly if some line of play refutes the claim.

A program that decides such clauses knows nothing of games. The rules of tic-tac-toe are written here once more, as
clauses: variables say who has which cell before each of nine moves, and which cell is taken.
"""

from itertools import combinations, count

from tests.certificates.own_rules import Text

CELLS = range(9)
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def clauses(text: Text) -> list[list[int]]:
    """Return clauses that can be satisfied exactly if the claim `never loses` of a certificate fails."""
    new = count(1)
    found: list[list[int]] = []
    has = {(who, when, cell): next(new) for who in (0, 1) for when in range(10) for cell in CELLS}
    takes = {(when, cell): next(new) for when in range(9) for cell in CELLS}
    over = [next(new) for _ in range(10)]
    refuted: list[int] = []

    def both(parts: list[int]) -> int:
        """Return a variable that is true exactly if all of these are."""
        whole = next(new)
        found.extend([-whole, part] for part in parts)
        found.append([whole, *(-part for part in parts)])
        return whole

    found += [[-has[who, 0, cell]] for who in (0, 1) for cell in CELLS]
    for when in range(10):
        lines = {who: [both([has[who, when, cell] for cell in line]) for line in LINES] for who in (0, 1)}
        found.append([-over[when], *lines[0], *lines[1]])
        found.extend([over[when], -line] for line in (*lines[0], *lines[1]))
        refuted += lines[1 - text.seat]
    for when in range(9):
        mover = when % 2
        found.extend([-over[when], -takes[when, cell]] for cell in CELLS)
        found.extend([-takes[when, one], -takes[when, other]] for one, other in combinations(CELLS, 2))
        for cell in CELLS:
            found.extend([-takes[when, cell], -has[who, when, cell]] for who in (0, 1))
            before, after = has[mover, when, cell], has[mover, when + 1, cell]
            found += [[-after, before, takes[when, cell]], [after, -before], [after, -takes[when, cell]]]
            before, after = has[1 - mover, when, cell], has[1 - mover, when + 1, cell]
            found += [[-after, before], [after, -before]]
        someone_moves = [takes[when, cell] for cell in CELLS]
        if mover != text.seat:
            found.append([over[when], *someone_moves])
            continue
        met = []
        for moves, move in text.entries:
            if len(moves) == when:
                cells = {int(name) - 1: ply % 2 for ply, name in enumerate(moves)}
                same = both(
                    [has[who, when, cell] if cells.get(cell) == who else -has[who, when, cell]
                     for who in (0, 1) for cell in CELLS]
                )  # fmt: skip
                met.append(same)
                if int(move) - 1 in cells:
                    refuted.append(same)  # the cell is taken
                else:
                    found.append([-same, takes[when, int(move) - 1]])
        refuted.append(both([-over[when], *(-same for same in met)]))  # the certificate has no move
    return [*found, refuted]
