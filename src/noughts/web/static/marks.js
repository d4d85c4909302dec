// Marks as the shapes of a skin, and the line through a winning row.

const NAMESPACE = "http://www.w3.org/2000/svg";
const COLOURS = ["fill", "stroke"];

/** An SVG element. */
export function shape(tag, attributes) {
  const element = document.createElementNS(NAMESPACE, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

function part([tag, attributes], strokes) {
  const rest = Object.fromEntries(Object.entries(attributes).filter(([name]) => !COLOURS.includes(name)));
  const element = shape(tag, { ...rest, ...(strokes && { pathLength: 1 }) });
  for (const name of COLOURS) element.style.setProperty(name, attributes[name] ? `var(--skin-${attributes[name]}, currentColor)` : "none");
  return element;
}

/** The picture of a mark; a mark without shapes is shown as text. */
export function drawnMark(mark, skin) {
  const shapes = skin?.marks?.[mark];
  if (shapes) {
    const strokes = shapes.every(([, { fill }]) => !fill);
    const svg = shape("svg", { viewBox: "0 0 100 100", class: `mark ${strokes ? "strokes" : "solid"}`, "aria-hidden": "true" });
    svg.append(...shapes.map((each) => part(each, strokes)));
    return svg;
  }
  const text = document.createElement("span");
  text.className = "mark as-text";
  text.textContent = mark;
  return text;
}

const DIRECTIONS = [[0, 1], [1, 0], [1, 1], [1, -1]];
const MAX_LINES = 4;

/**
 * Find the straight runs of lit cells, as pairs of end cells. Cells are {row, column, lit}; a gap skips a number.
 * If some lit cells are on no run, because a line wraps round an edge or goes through layers, no lines are drawn.
 */
export function runs(cells) {
  const lit = new Map(cells.filter((cell) => cell.lit).map((cell) => [`${cell.row},${cell.column}`, cell]));
  const found = [];
  const alone = new Set(lit.values());
  for (const cell of lit.values()) {
    for (const [down, right] of DIRECTIONS) {
      const step = (from, count) => lit.get(`${from.row + count * down},${from.column + count * right}`);
      if (step(cell, -1)) continue;
      let length = 1;
      while (step(cell, length)) length += 1;
      if (length > 1) found.push(Array.from({ length }, (_, count) => step(cell, count)));
    }
  }
  // Runs of two count only if there are no longer ones, and then they all share the cell that was played.
  const long = found.filter((run) => run.length > 2);
  const lines = long.length ? long : found.filter((run, _, all) => run.some((cell) => all.every((each) => each.includes(cell))));
  for (const cell of lines.flat()) alone.delete(cell);
  // If whole areas are lit, lines would cross everywhere.
  return lines.length <= MAX_LINES && !alone.size ? lines.map((run) => [run[0], run.at(-1)]) : [];
}

/** Draw lines between the centres of pairs of elements, in an SVG that covers `area`. */
export function strike(svg, area, pairs) {
  svg.setAttribute("viewBox", `0 0 ${area.offsetWidth} ${area.offsetHeight}`);
  const frame = area.getBoundingClientRect();
  const centre = (element) => {
    const box = element.getBoundingClientRect();
    return [box.left - frame.left + box.width / 2, box.top - frame.top + box.height / 2];
  };
  // Existing lines are only moved, so that resizing does not repeat their animation.
  while (svg.children.length > pairs.length) svg.lastChild.remove();
  pairs.forEach(([from, to], index) => {
    const line = svg.children[index] ?? svg.appendChild(shape("line", { pathLength: 1 }));
    const [[fromX, fromY], [toX, toY]] = [centre(from), centre(to)];
    const beyond = (from.offsetWidth * 0.3) / (Math.hypot(toX - fromX, toY - fromY) || 1);
    const [moreX, moreY] = [(toX - fromX) * beyond, (toY - fromY) * beyond];
    const ends = { x1: fromX - moreX, y1: fromY - moreY, x2: toX + moreX, y2: toY + moreY };
    for (const [name, value] of Object.entries(ends)) line.setAttribute(name, value);
  });
}
