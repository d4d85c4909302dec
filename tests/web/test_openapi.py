"""The API matches its OpenAPI description: what it allows is answered as described, and all else is refused.

schemathesis generates the cases. Its check `positive_data_acceptance` is left out on purpose: a schema cannot say
whether a text is a position of a game, so most of what the schema allows is refused.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode
from schemathesis.checks import (
    allow_header_conformance,
    content_type_conformance,
    negative_data_rejection,
    not_a_server_error,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

import noughts
from noughts.capabilities import resolve
from noughts.games import GAMES
from noughts.web.endpoints import ENDPOINTS
from noughts.web.openapi import ANSWERS, description
from tests.helpers import TIMEOUT
from tests.web.serving import Server

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    negative_data_rejection,
    unsupported_method,
    allow_header_conformance,
]
EXAMPLES = [name for entry in GAMES.values() for name in entry.examples]
FEW, BRIEF = 500, 0.1
"""Limits of a search in nodes and seconds: only the form of the answers matters here."""

KINDS = ("fitting", "not fitting", "real")
"""Queries that match the schema, queries that violate it, and queries about positions of real games."""


@pytest.fixture(scope="module")
def schema(server: Server) -> Any:
    schema = schemathesis.openapi.from_url(f"{server.url}/api/openapi.json")
    refusals = schema.config.checks.negative_data_rejection
    refusals.expected_statuses = [
        *refusals.expected_statuses,
        *("414", "431"),
    ]  # for a text so long that the query exceeds its limit, or two so long that the head does
    return schema


@pytest.fixture(scope="module")
def session() -> Iterator[requests.Session]:
    with requests.Session() as session:
        yield session


def operations(schema: Any) -> list[Any]:
    return [found.ok() for found in schema.get_all_operations()]


@st.composite
def positions(draw: st.DrawFn) -> tuple[str, str]:
    """A game and one of its positions, reached by random moves."""
    name = draw(st.sampled_from(EXAMPLES))
    random, plies = Random(draw(st.integers(0, 10**6))), draw(st.integers(0, 30))
    game = noughts.load(name)
    offers = resolve(game)
    state = game.initial()
    words: list[str] = []
    while len(words) < plies and not game.terminal(state):
        action = random.choice(list(game.actions(state)))
        words.append(offers.action_name(action))
        state = game.result(state, action)
    return name, " ".join(words)


def brief(case: "Case[Any]") -> "Case[Any]":
    """Limit the search by nodes where that is possible, so that a busy machine makes no difference, or else by time."""
    limits = {parameter.name for parameter in case.operation.query} & {"nodes", "seconds"}
    if "nodes" in limits:
        case.query["nodes"] = min(case.query.get("nodes", FEW), FEW)
    elif "seconds" in limits:
        case.query["seconds"] = min(case.query.get("seconds", BRIEF), BRIEF)
    return case


def about(case: "Case[Any]", where: tuple[str, str]) -> "Case[Any]":
    case.query["game"], position = where
    if not any(parameter.name == "position" for parameter in case.operation.query):
        return of_a_small_game(case)
    case.query["position"] = position
    return brief(case)


def of_a_small_game(case: "Case[Any]") -> "Case[Any]":
    """Ask for puzzles that there are, by one seed or date, of a game in which they are found at once."""
    for name in ("kind", "moves", "level", "date", "seconds"):
        case.query.pop(name, None)
    games = ("tic-tac-toe", "misere", "nim:3,4,5")
    case.query["game"] = games[len(case.query["game"]) % len(games)]
    return case


def cases(operation: Any, kind: str) -> "st.SearchStrategy[Case[Any]]":
    if kind == "not fitting":
        found: st.SearchStrategy[Case[Any]] = operation.as_strategy(generation_mode=GenerationMode.NEGATIVE)
        return found
    fitting: st.SearchStrategy[Case[Any]] = operation.as_strategy(generation_mode=GenerationMode.POSITIVE)
    return fitting.map(brief) if kind == "fitting" else st.builds(about, fitting, positions())


def explored(schema: Any, url: str, session: requests.Session, each: int) -> "Counter[tuple[str, str, int]]":
    """Send `each` requests per operation and kind, check all responses, and count them by status."""
    statuses: Counter[tuple[str, str, int]] = Counter()

    def asking(strategy: "st.SearchStrategy[Case[Any]]", path: str, kind: str) -> Callable[[], None]:
        @seed(6)
        @settings(
            max_examples=each,
            database=None,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(strategy)
        def ask(case: "Case[Any]") -> None:
            response = case.call(base_url=url, session=session, timeout=TIMEOUT)
            statuses[path, kind, response.status_code] += 1
            case.validate_response(response, checks=CHECKS)

        return ask

    for operation in operations(schema):
        if operation.path == "/api/games":
            continue  # it takes no parameters, so there is only one case, which comes last
        for kind in KINDS:
            asking(cases(operation, kind), operation.path, kind)()
    asking(schema["/api/games"]["get"].as_strategy(), "/api/games", "fitting")()
    return statuses


def check_what_was_explored(statuses: "Counter[tuple[str, str, int]]") -> None:
    """Check that there was no 5xx, not even for a full queue, and that a fair share was really answered."""
    assert {200, 400} <= {status for _, _, status in statuses} <= {200, 400, 414, 431}
    for path in (f"/api/{kind}" for kind in ANSWERS):
        real = {status: count for (at, kind, status), count in statuses.items() if (at, kind) == (path, "real")}
        share = 25 if path == "/api/tree" else 4  # on a busy machine, few trees are finished in so little time
        assert real[200] >= sum(real.values()) / share, (path, real)
        assert {status for at, kind, status in statuses if (at, kind) == (path, "not fitting")} <= {400, 414, 431}


def test_the_api_answers_as_described(schema: Any, server: Server, session: requests.Session) -> None:
    statuses = explored(schema, server.url, session, 25)
    assert statuses.total() >= 300
    check_what_was_explored(statuses)


@pytest.mark.long
def test_the_api_answers_as_described_in_many_cases(schema: Any, server: Server, session: requests.Session) -> None:
    statuses = explored(schema, server.url, session, 700)
    assert statuses.total() >= 10_000
    check_what_was_explored(statuses)


def test_the_api_answers_as_described_at_the_limits_of_every_parameter(
    schema: Any, server: Server, session: requests.Session
) -> None:
    """Boundary cases that schemathesis derives from the schema: extreme and missing values, other methods."""
    asked: Counter[str] = Counter()
    for operation in operations(schema):
        made = schema.iter_coverage_cases(
            operation,
            generation_modes=list(GenerationMode),
            generation_config=schema.config.generation_for(operation=operation),
        )
        for case in made:
            response = case.call(base_url=server.url, session=session, timeout=TIMEOUT)
            case.validate_response(response, checks=CHECKS)
            asked[case.method] += 1
    assert asked["GET"] > 50
    assert all(asked[method] for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS"))


def test_the_description_is_valid(schema: Any) -> None:
    schema.validate()
    assert schema.specification.version == "3.1.0"


def test_every_endpoint_of_the_api_is_described(schema: Any) -> None:
    described = {operation.path for operation in operations(schema)}
    assert described == {"/api/games", *(endpoint.path for endpoint in ENDPOINTS if endpoint.path.startswith("/api/"))}
    for endpoint in ENDPOINTS:
        if not endpoint.html:
            found = description()["paths"][endpoint.path]["get"]["parameters"]
            assert [each["name"] for each in found] == [parameter.name for parameter in endpoint.parameters]


def test_every_schema_is_used() -> None:
    """A response or another schema refers to it."""
    text = str(description())
    for name in description()["components"]["schemas"]:
        assert f"#/components/schemas/{name}'" in text
