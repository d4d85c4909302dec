"""Building the native sweep of a game: its rules for all positions, compiled together with the loops over them."""

from pathlib import Path
from types import ModuleType

from noughts import bits
from noughts.capabilities import Kernel
from noughts.compiled import all_positions
from noughts.compiled.all_positions import run_rules, source_of_rules
from noughts.compiled.build import Plan
from noughts.compiled.searches import CompiledSearch
from noughts.solving import stub, sweep

__all__ = ["SweepPlan"]

SWEEP = CompiledSearch(
    source=Path(str(sweep.__file__)),
    layout=Path(str(bits.__file__)),
    from_rules=tuple(stub.__all__),
    defaults={},
    recursive="",
    returns="number",
    takes="",
    entries={
        "begin": "",
        "expand": "number number number number number number number",
        "index": "number number number number number",
        "settle": "number number number number number number number number number",
    },
)


class SweepPlan(Plan):
    """The sweep of a game to be built: its rules, its texts, its digest and its folder."""

    def __init__(self, kernel: Kernel) -> None:
        path = Path(kernel.rules)
        self.name = path.stem
        self.search = SWEEP
        self.texts = {
            "rules.py": source_of_rules(kernel),
            "kernel.py": SWEEP.source.read_text(encoding="utf-8"),
        }
        ours = (str(all_positions.__file__), __file__)
        self.digest = self._digest([Path(file).read_text(encoding="utf-8") for file in ours])

    def check(self) -> None:
        """Do nothing: what is compiled is compared with the game before it is used."""

    def functions(self, filename: str) -> ModuleType:
        """Return the rules as a module."""
        return run_rules(self.texts["rules.py"], filename, f"noughts_all_positions_{self.digest}")
