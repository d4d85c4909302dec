"""The rooms are those of docs/architecture.md, and imports follow its order: upwards in the table, never down."""

import ast
import runpy
from pathlib import Path

PACKAGE = Path("src/noughts")
PAGE = Path("docs/architecture.md")


def rooms() -> list[str]:
    """Return the rooms of the page's table, in its order."""
    table = PAGE.read_text(encoding="utf-8").partition("| room |")[2].partition("\n\n")[0]
    return [line.split("`")[1] for line in table.splitlines() if line.startswith("| `")]


def test_the_page_lists_every_room_once() -> None:
    files = {path.name.removesuffix(".py") for path in PACKAGE.iterdir() if path.suffix == ".py" or path.is_dir()}
    assert sorted(rooms()) == sorted(files - {"__init__", "__main__", "__pycache__"})


def test_every_room_is_in_the_picture() -> None:
    drawn = runpy.run_path("docs/pictures/draw_rooms.py")
    assert sorted(room for _, layer in drawn["LAYERS"] for room in layer) == sorted(rooms())
    picture = Path("docs/pictures/rooms.svg").read_text(encoding="utf-8")
    assert drawn["picture"]() == picture, "python docs/pictures/draw_rooms.py draws it again"


def test_the_layers_of_the_picture_follow_the_order_of_the_table() -> None:
    """An import that the table allows never points upwards in the picture."""
    layer_of: dict[str, int] = {}
    for depth, (_, layer) in enumerate(reversed(runpy.run_path("docs/pictures/draw_rooms.py")["LAYERS"])):
        layer_of |= dict.fromkeys(layer, depth)
    for room, imported in imports():
        assert layer_of[imported] <= layer_of[room], f"{room} imports {imported}"


def imports() -> set[tuple[str, str]]:
    """Return which room imports which, at the top of a file or inside a function."""
    found = set()
    for path in PACKAGE.rglob("*.py"):
        room = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
        if room in ("__init__", "__main__"):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names: list[str] = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                assert not node.level, f"{path}: write imports in full"
                module = node.module or ""
                names = [f"{module}.{alias.name}" for alias in node.names] if module == "noughts" else [module]
            for name in names:
                if name.startswith("noughts.") and name.split(".")[1] in rooms():
                    found.add((room, name.split(".")[1]))
    return found


def test_imports_point_up_the_table() -> None:
    """The model knows nothing of what is built on it, and nobody knows the shells."""
    order = rooms()
    for room, imported in sorted(imports()):
        assert order.index(imported) <= order.index(room), f"{room} imports {imported}"


def test_the_oracle_imports_nothing_that_it_judges() -> None:
    allowed = {"answer", "events", "limits"}
    tree = ast.parse((PACKAGE / "search" / "minimax.py").read_text(encoding="utf-8"))
    modules = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module}
    searches = {module.rpartition(".")[2] for module in modules if module.startswith("noughts.search")}
    assert searches <= allowed
    for name in allowed:
        source = (PACKAGE / "search" / f"{name}.py").read_text(encoding="utf-8")
        found = {n.module for n in ast.walk(ast.parse(source)) if isinstance(n, ast.ImportFrom) and n.module}
        assert {m.rpartition(".")[2] for m in found if m.startswith("noughts.search")} <= allowed


def test_the_kernel_imports_no_game() -> None:
    assert ("compiled", "games") not in imports()
