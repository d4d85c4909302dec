"""The same files, checked by programs that share nothing with the package: another language, and a SAT solver."""

from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser
from pysat.solvers import Cadical153

import noughts
from noughts.certificates.certificate import Certificate
from tests.certificates.as_clauses import clauses
from tests.certificates.own_rules import RULES, changes, holds, read, refutes
from tests.helpers import in_the_long_run
from tests.web.conftest import browser

__all__ = ["browser"]

SOURCE = Path(__file__).with_name("second_checker.js").read_text(encoding="utf-8")

PROVED = [
    *(("tic-tac-toe", "first"), ("tic-tac-toe", "second"), ("misere", "first"), ("misere", "second")),
    *(("mnk:4,3,3", "first"), ("connect:4x4", "first"), ("connect:4x4", "second")),
    *(("connect:5x4", "first"), ("connect:6x4", "second")),
]
"""Games with the players who do not lose them."""


def certificates() -> list[Any]:
    return in_the_long_run(PROVED, all_but=PROVED[:2])


@pytest.mark.parametrize(("name", "player"), certificates())
def test_another_language(browser: Browser, name: str, player: str) -> None:
    certificate = noughts.prove(name, player)
    text, rules = read(certificate.text), RULES[name]
    changed = [change.of(text) for change in Random(2).sample(changes(rules, text, adding=False), 12)]
    texts = [certificate.text, *(case.written(certificate.text) for case in changed)]
    page = browser.new_page()
    found = page.evaluate(f"(texts) => {{ {SOURCE}; return texts.map(check); }}", texts)
    page.close()
    assert found[0] == "holds"
    for case, written, verdict in zip(changed, texts[1:], found[1:], strict=True):
        ours = noughts.check(certificate._replace(text=written))
        assert ours.holds == (verdict == "holds")
        if verdict != "holds":
            kind, _, line = verdict.partition(": ")
            assert kind == "refuted"
            assert refutes(rules, case, tuple(line.split()))
    assert len({verdict == "holds" for verdict in found}) == 2


def refutable(certificate: Certificate) -> bool:
    """Return whether a SAT solver finds a line of play that refutes a certificate of tic-tac-toe."""
    with Cadical153(bootstrap_with=clauses(read(certificate.text))) as solver:
        answer: bool = solver.solve()
        return answer


@pytest.mark.parametrize("player", ["first", "second"])
def test_a_sat_solver(player: str) -> None:
    """No line of play refutes the certificate; and one is found exactly if brute force refutes a changed one."""
    certificate = noughts.prove("tic-tac-toe", player)
    assert not refutable(certificate)
    rules, text = RULES["tic-tac-toe"], read(certificate.text)
    cases = [change.of(text) for change in Random(3).sample(changes(rules, text, adding=False), 6)]
    verdicts = [refutable(certificate._replace(text=case.written(certificate.text))) for case in cases]
    assert verdicts == [not holds(rules, case) for case in cases]
    assert True in verdicts
