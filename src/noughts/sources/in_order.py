"""The sources of one game, in the order in which an engine asks them: the cheapest first."""

import os
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Generic

from noughts.capabilities import ResolvedGame
from noughts.game import Action, State
from noughts.sources.interpreted import AtLeisure, AtOnce, Glance, LookAhead, Proofs, ToTheEnd
from noughts.sources.question import Loadable, Source
from noughts.sources.solved import SolvedGame

if TYPE_CHECKING:
    from noughts.sources.book import OpeningBook
    from noughts.sources.endless import EndlessGameSolved
    from noughts.sources.lines import LineSearch
    from noughts.sources.plain import PlainSearch
    from noughts.sources.table import TableSource
    from noughts.sources.theory import TheoryOf
    from noughts.tables.table import Table

__all__ = ["Sources"]


class Sources(Generic[State, Action]):
    """What an engine asks, as an iterable. Sources that search are set up when a question first comes to them.

    To add a source, write a class with `ask` (see `Source`), and put it into one of the two lists below: `at_hand` if
    it answers without a long search, else `searches`. Which questions it answers, it decides itself: `ask` returns None
    for all others. Import it where it is made, if most games do without.
    """

    def __init__(self, game: ResolvedGame[State, Action], table_mib: float, threads: int | None) -> None:
        self._game, self._sizes = game, (table_mib, threads)
        self._solving: list[Loadable] = []
        """The compiled searches that solve a position faster than `SolvedGame`; here once they are set up."""
        self.compiled: list[Loadable] = []
        """All compiled searches that are set up: with them, an interpreted one would only take time."""
        self._proofs: Proofs[State, Action] = Proofs(game, table_mib)
        self.solved: SolvedGame[State, Action] | EndlessGameSolved[State, Action] = SolvedGame(game, self._solving)
        self.table = _table_of(game)
        at_once = AtOnce(self._proofs, self.compiled)
        self.is_endless = False
        """Whether positions of the game can repeat, as one of the searches has found."""
        self.at_hand = _without_none(self.table, _book_of(game), self.solved, _theory_of(game), at_once)

    def use_table(self, table: "Table[State, Action] | str | os.PathLike[str]") -> None:
        """Ask a table first; raise BadTable if it is none of this game."""
        from noughts.sources.table import TableSource
        from noughts.tables.table import Table

        if not isinstance(table, Table):
            table = Table(os.fspath(table), self._game)
        elif table.game.game is not self._game.game:
            table = Table(table.folder, self._game)
        before, self.table = self.table, TableSource(self._game, table)
        self.at_hand = self.table, *(source for source in self.at_hand if source is not before)

    def expect_endless_play(self) -> None:
        """Replace the searches, which refuse a game in which positions repeat, by those that do not.

        Raises BrokenGame if endless play has no value in this game.
        """
        # Imported here, since most games end.
        from noughts.sources.endless import EndlessGameSolved, LookUp, SolveEndlessGame

        if self.is_endless:  # another thread has found that, too
            return
        self.solved = solved = EndlessGameSolved(self._game)
        look_ahead: LookAhead[State, Action] = LookAhead(self._game, self._sizes[0], endless=True)
        kept = (LookUp(solved) if isinstance(each, SolvedGame) else each for each in self.at_hand)
        self.at_hand = tuple(each for each in kept if not isinstance(each, AtOnce))
        self.searches = Glance(self._game, endless=True), SolveEndlessGame(solved), look_ahead
        self._proofs.forget()
        self.is_endless = True

    @cached_property
    def searches(self) -> tuple[Source[State, Action], ...]:
        """The sources that search, in order."""
        kernel_at_once, glance, draws, kernel = self._of_kernel()
        lines = self._of_lines(has_kernel=kernel is not None)
        plain_at_once, plain = (None, None) if lines or self._game.kernel() else self._of_functions()
        return _without_none(
            kernel_at_once,
            plain_at_once,
            lines or glance,
            draws,
            kernel,
            ToTheEnd(self._proofs),
            plain,
            AtLeisure(self._proofs),
            self.look_ahead,
        )

    @cached_property
    def look_ahead(self) -> LookAhead[State, Action]:
        """The last source, which always answers; a question with a limit of depth is for it alone."""
        return LookAhead(self._game, self._sizes[0])

    def __iter__(self) -> Iterator[Source[State, Action]]:
        yield from self.at_hand
        yield from self.searches

    @property
    def set_up(self) -> tuple[Source[State, Action], ...]:
        """The sources that are set up by now."""
        if "searches" in self.__dict__:
            return *self.at_hand, *self.searches
        return *self.at_hand, *([self.look_ahead] if "look_ahead" in self.__dict__ else ())

    def _of_kernel(self) -> "tuple[Source[State, Action] | None, ...]":
        """Return a kernel's first attempt, the short look ahead, the proof of draws, and the kernel's long search."""
        game, offered = self._game, self._game.kernel()
        if offered is None:
            return None, Glance(game), None, None
        # Imported here, since terminal play of small games must not wait for it.
        from noughts.compiled.build import available
        from noughts.compiled.rules import rules_of
        from noughts.sources.deep import DeepNative, DeepSearch, GlanceBeforeLoading
        from noughts.sources.draws import DrawSearch
        from noughts.sources.kernel import NativeSearch
        from noughts.sources.kernel_attempts import KernelAtOnce, KernelSearch

        if available() and rules_of(offered).is_deep:
            ahead: DeepNative[State, Action] = DeepNative(game, *self._sizes)
            deep = DeepSearch(ahead)
            self.compiled.append(deep)
            return None, GlanceBeforeLoading(ahead), DrawSearch(game) if DrawSearch.fits(game) else None, deep
        if available() and not game.has_margins:
            native: NativeSearch[State, Action] = NativeSearch(game, *self._sizes)
            solving = KernelSearch(native)
            self.compiled.append(solving)
            self._solving.append(solving)
            return KernelAtOnce(native), Glance(game), None, solving
        return None, Glance(game), None, None

    def _of_lines(self, *, has_kernel: bool) -> "LineSearch[State, Action] | None":
        """Return the search of large boards of lines by their threats, which is asked instead of a short look ahead."""
        if self._game.lineup is None:
            return None
        from noughts.sources.lines import LineSearch  # imported here, since most games are not of lines

        if not LineSearch.fits(self._game):
            return None
        lines = LineSearch(self._game, shares=has_kernel)
        self.compiled.append(lines)
        return lines

    def _of_functions(self) -> "tuple[Source[State, Action] | None, PlainSearch[State, Action] | None]":
        """Return the search by the game's own functions, compiled: as asked once it is loaded, and before."""
        from noughts.compiled.build import available

        if not available():
            return None, None
        from noughts.sources.plain import PlainAtOnce, PlainNative, PlainSearch

        plain: PlainSearch[State, Action] = PlainSearch(PlainNative(self._game, self._sizes[0]))
        self.compiled.append(plain)
        self._solving.append(plain)
        return PlainAtOnce(plain), plain


def _without_none(*sources: Source[State, Action] | None) -> tuple[Source[State, Action], ...]:
    return tuple(source for source in sources if source is not None)


def _table_of(game: ResolvedGame[State, Action]) -> "TableSource[State, Action] | None":
    """Return the source that looks for a table in the user's folder of tables; None if there is none at all."""
    from noughts.tables.places import found_tables

    if not found_tables():
        return None
    from noughts.sources.table import TableSource  # imported here, since most people have no tables

    return TableSource(game, None)


def _book_of(game: ResolvedGame[State, Action]) -> "OpeningBook[State, Action] | None":
    if game.book is None:
        return None
    from noughts.sources.book import OpeningBook  # imported here, since most games have no book

    return OpeningBook(game)


def _theory_of(game: ResolvedGame[State, Action]) -> "TheoryOf[State, Action] | None":
    if game.theory is None:
        return None
    from noughts.sources.theory import TheoryOf  # imported here, since most games have no theory

    return TheoryOf(game)
