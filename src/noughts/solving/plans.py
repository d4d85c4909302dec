"""Building the native sweep of a game: its rules for all positions, compiled together with the loops over them."""

from pathlib import Path
from types import ModuleType

from noughts import bits
from noughts.capabilities import Kernel
from noughts.compiled import all_positions
from noughts.compiled.all_positions import rules_module, run_rules, source_of_rules
from noughts.compiled.build import Plan
from noughts.compiled.searches import CompiledSearch
from noughts.solving import look_up, stub, sweep

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
        "begin": "number",
        "expand": "number number number number number number number number number",
        "fill": "number number number number number number",
        "start": "number number number number",
        "settle": "number number number number number number number number number number",
        "tell": "number number number number number number number",
    },
    before=(Path(str(look_up.__file__)),),
)

NO_TIER = "\n\ndef tier(position):\n    return 0\n"
"""What is compiled where rules do not say in which tier a position is: one more than that of the position before."""


class SweepPlan(Plan):
    """The sweep of a game to be built: its rules, its texts, its digest and its folder."""

    def __init__(self, kernel: Kernel) -> None:
        path = Path(kernel.rules)
        self.name = path.stem
        self.search = SWEEP
        rules = source_of_rules(kernel)
        self.texts = {
            "rules.py": rules if hasattr(rules_module(rules, kernel.rules), "tier") else rules + NO_TIER,
            **{each.name: each.read_text(encoding="utf-8") for each in SWEEP.before},
            "kernel.py": SWEEP.source.read_text(encoding="utf-8"),
        }
        ours = (str(all_positions.__file__), __file__)
        self.digest = self._digest([Path(file).read_text(encoding="utf-8") for file in ours])

    def check(self) -> None:
        """Do nothing: what is compiled is compared with the game before it is used."""

    def functions(self, filename: str) -> ModuleType:
        """Return the rules as a module."""
        return run_rules(self.texts["rules.py"], filename, f"noughts_all_positions_{self.digest}")
