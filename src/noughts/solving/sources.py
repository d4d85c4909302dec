"""Where a worker gets the game from: its notation, the path of its file, or a pickle of it."""

import base64
import pickle
from types import ModuleType
from typing import Any, NamedTuple

from noughts.capabilities import ResolvedGame, resolve
from noughts.notation import load, normalised

__all__ = ["GameSource", "source_of"]


class GameSource(NamedTuple):
    """A game as text: one of these is given."""

    notation: str | None = None
    pickled: str | None = None

    def load(self) -> ResolvedGame[Any, Any]:
        """Return the game."""
        if self.notation is not None:
            return resolve(load(self.notation))
        return resolve(pickle.loads(base64.b85decode(self.pickled or "")))


def source_of(game: Any, notation: str | None = None) -> GameSource | None:
    """Return how other processes get a game; None if they cannot."""
    if notation is not None:
        return GameSource(notation=normalised(notation))
    path = getattr(game, "__file__", None)
    if isinstance(game, ModuleType) and path is not None:
        return GameSource(notation=str(path))
    try:
        return GameSource(pickled=base64.b85encode(pickle.dumps(resolve(game).game)).decode())
    except Exception:  # whatever its parts raise
        return None
