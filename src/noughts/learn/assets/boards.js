// Boards and nodes as SVG.

const SVG = "http://www.w3.org/2000/svg";

function draw(tag, attributes = {}, text) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== null && value !== undefined) element.setAttribute(name, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

function make(tag, text, name, attributes = {}) {
  const element = document.createElement(tag);
  if (text !== undefined && text !== null) element.textContent = text;
  if (name) element.className = name;
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

function marksOf(tree, position) {
  const board = tree.boards[position];
  return typeof board === "string" ? [...board].map(Number) : board;
}

/** Width and height of a board in cells; a gap counts a third. */
function boardSize(tree) {
  const width = Math.max(...tree.shape.map((row) => row.reduce((sum, cell) => sum + (cell < 0 ? 0.35 : 1), 0)));
  const height = tree.shape.reduce((sum, row) => sum + (row.length ? 1 : 0.35), 0);
  return [width, height];
}

/** A board of the given cell size; `names` shows the actions on free cells, and `last` marks the cell played last. */
function boardPicture(tree, position, size, { names = false, from = null } = {}) {
  const group = draw("g", { class: "board" });
  const marks = marksOf(tree, position), before = from === null ? null : marksOf(tree, from);
  const lit = new Set(tree.lit[position] ?? []);
  let top = 0;
  for (const row of tree.shape) {
    let left = 0;
    for (const cell of row) {
      if (cell < 0) {
        left += size * 0.35;
        continue;
      }
      const mark = tree.marks[marks[cell]];
      const isNew = before !== null && mark && before[cell] !== marks[cell];
      group.append(draw("rect", { x: left, y: top, width: size, height: size, class: `cell${lit.has(cell) ? " lit" : ""}${isNew ? " new" : ""}` }));
      if (mark) group.append(markPicture(tree, mark, left, top, size));
      else if (names) group.append(draw("text", { x: left + size / 2, y: top + size / 2, class: "cell-name", "font-size": Math.min(14, size / 2.6) }, tree.cells[cell]));
      left += size;
    }
    top += row.length ? size : size * 0.35;
  }
  return group;
}

function markPicture(tree, mark, left, top, size) {
  const who = mark === tree.players[0] ? "max" : mark === tree.players[1] ? "min" : "other";
  const inset = size * 0.24, middle = size / 2;
  if (mark === "X") {
    const [near, far] = [inset, size - inset];
    return draw("path", { class: `mark stroke ${who}`, d: `M${left + near} ${top + near}L${left + far} ${top + far}M${left + far} ${top + near}L${left + near} ${top + far}`, "stroke-width": size / 8 });
  }
  if (mark === "O") return draw("circle", { class: `mark stroke ${who}`, cx: left + middle, cy: top + middle, r: middle - inset, "stroke-width": size / 8 });
  return draw("text", { class: `mark ${who}`, x: left + middle, y: top + middle, "font-size": size * (mark.length > 1 ? 0.45 : 0.7) }, mark);
}

/** A board in words, for screen readers. */
function boardWords(tree, position) {
  if (!tree.shape.length) return tree.boards[position];
  const marks = marksOf(tree, position);
  return tree.shape.filter((row) => row.length).map((row) => row.filter((cell) => cell >= 0).map((cell) => tree.marks[marks[cell]] || "empty").join(" ")).join(", ");
}
