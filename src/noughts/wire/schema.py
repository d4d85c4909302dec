"""JSON Schema of the wire types, for the OpenAPI description: derived from the types, so that both cannot differ."""

from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints, is_typeddict

__all__ = ["REFERENCE", "schemas"]

REFERENCE = "#/components/schemas/"

PLAIN: dict[Any, dict[str, Any]] = {
    str: {"type": "string"},
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
    Any: {},
}


def schemas(*types: type) -> dict[str, dict[str, Any]]:
    """Return the schema of each type, and of every type that they refer to, by name.

    >>> from typing import TypedDict
    >>> class Move(TypedDict):
    ...     name: str
    ...     number: int | None
    >>> schemas(Move)["Move"]["properties"]
    {'name': {'type': 'string'}, 'number': {'type': ['integer', 'null']}}
    """
    found: dict[str, dict[str, Any]] = {}
    waiting = list(types)
    while waiting:
        each: Any = waiting.pop(0)
        if each.__name__ in found:
            continue
        fields = get_type_hints(each)
        found[each.__name__] = {
            "type": "object",
            "description": " ".join((each.__doc__ or "").split()),
            "required": [name for name in fields if name in each.__required_keys__],
            "properties": {name: _schema(kind, waiting) for name, kind in fields.items()},
        }
    return found


def _schema(kind: Any, waiting: list[Any]) -> dict[str, Any]:
    """Return the schema of a type; types that it refers to are added to those that wait."""
    if kind in PLAIN:
        return dict(PLAIN[kind])
    if is_typeddict(kind):
        waiting.append(kind)
        return {"$ref": f"{REFERENCE}{kind.__name__}"}
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin is list:
        return {"type": "array", "items": _schema(arguments[0], waiting)}
    if origin is dict:
        return {"type": "object", "additionalProperties": _schema(arguments[1], waiting)}
    assert origin in (Union, UnionType), f"no schema for {kind}"
    parts = [_schema(each, waiting) for each in arguments if each is not NoneType]
    if NoneType not in arguments:
        return {"anyOf": parts}
    if len(parts) == 1 and isinstance(parts[0].get("type"), str) and set(parts[0]) == {"type"}:
        return {"type": [parts[0]["type"], "null"]}
    return {"anyOf": [*parts, {"type": "null"}]}
