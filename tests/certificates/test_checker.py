"""The checker against brute force: certificates with every change, random games, damaged and malicious files."""

import ast
import io
import subprocess
import sys
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import noughts
from noughts.certificates import checker
from noughts.certificates.certificate import Certificate, Checked
from tests.certificates.own_rules import RULES, holds, mutations, read, refutes
from tests.endless import by_brute_force, random_graph
from tests.helpers import TIMEOUT

CHECKER = Path(checker.__file__)


def checked(certificate: Certificate, text: str, game: Any = None) -> Checked:
    """Check another text in place of that of a certificate."""
    return noughts.check(certificate._replace(text=text), game)


@pytest.mark.parametrize(
    ("name", "player", "share"),
    [
        ("tic-tac-toe", "X", 1.0),
        ("tic-tac-toe", "O", 0.03),
        pytest.param("tic-tac-toe", "O", 1.0, marks=pytest.mark.long),
        pytest.param("misere", "X", 1.0, marks=pytest.mark.long),
        pytest.param("mnk:4,3,3", "X", 0.3, marks=pytest.mark.long),
    ],
)
def test_every_change_of_an_entry_is_judged_as_by_brute_force(name: str, player: str, share: float) -> None:
    rules, certificate = RULES[name], noughts.prove(name, player)
    whole = read(certificate.text)
    assert whole.written(certificate.text) == certificate.text
    assert holds(rules, whole)
    cases = mutations(rules, whole)
    verdicts = set()
    for case in Random(1).sample(cases, round(share * len(cases))):
        found = checked(certificate, case.written(certificate.text))
        assert found.holds == holds(rules, case)
        assert found.holds or refutes(rules, case, found.line)
        verdicts.add(found.why)
    assert len(verdicts) >= 4  # it holds all the same, is lost, has no move, or an illegal one
