// What the cells of a board are: their neighbours, the names at the edge, the parts, and the heaps of a game without a board.

const LETTERS = "abcdefghi";
const TAKES = /^([a-i])(\d+)$/;

/** The rows of cells of a position. Heaps have a cell for each match; taking it also takes those to the right of it. */
export function rowsOf(position, layout) {
  if (layout !== "heaps") return position.board;
  const full = (position.game.split(":")[1] ?? "").split(",").filter((size) => /^\d+$/.test(size)).map(Number);
  const left = new Map();
  for (const [, heap, count] of position.actions.map((action) => TAKES.exec(action)).filter(Boolean)) left.set(heap, Math.max(left.get(heap) ?? 0, Number(count)));
  return full.map((size, index) => Array.from({ length: size }, (_, place) => {
    const heap = LETTERS[index];
    const taken = (left.get(heap) ?? 0) - place;
    const name = taken > 0 ? `${heap}${taken}` : "";
    return { mark: name && "match", name, actions: name ? [name] : [], lit: false };
  }));
}

const letterOf = (column) => String.fromCharCode(97 + column);

/**
 * The names of columns and rows at the edge of a board: letters and numbers if all cells that have names are called so,
 * or the columns' numbers if a column is one move; null if there are none.
 */
export function coordinates(rows, layout) {
  if (rows.some((row) => !row.length || row.includes(null))) return null;
  const width = Math.max(...rows.map((row) => row.length));
  const columns = Array.from({ length: width }, (_, column) => letterOf(column));
  if (layout === "frame") return { columns: columns.map((_, column) => String(column + 1)), rows: null };
  const named = rows.flatMap((row, y) => row.map((cell, x) => [cell.name, `${columns[x]}${y + 1}`])).filter(([name]) => name);
  if (layout === "heaps") return { columns: null, rows: rows.map((_, heap) => LETTERS[heap]) };
  if (width > 26 || !named.length || named.some(([name, expected]) => name !== expected)) return null;
  return { columns, rows: rows.map((_, y) => String(y + 1)) };
}

/** The parts of a board, as lists of cells: what gaps between rows and columns divide. */
export function parts(cells) {
  const found = new Map();
  for (const cell of cells) {
    const key = `${cell.blockNumber},${cell.part}`;
    found.set(key, [...(found.get(key) ?? []), cell]);
  }
  return [...found.values()];
}

/** The mark that a player places; null if that is not certain. */
export function markOf(player, skin) {
  const marks = Object.keys(skin.marks ?? {});
  if (marks.includes(player)) return player;
  return marks.length === 1 && skin.layout !== "heaps" ? marks[0] : null;
}
