// The board: a grid of cells by the W3C grid pattern, with one tab stop and arrow keys. The server says what a cell plays.

import { drawnMark, runs, strike } from "./marks.js";
import { make } from "./page.js";
import { kind, short, words } from "./values.js";

/** The label of an action: its short value; the class sets shape and colour. */
export function label(entry, view) {
  const text = make("span", short(entry, view.flipped), `label ${kind(entry, view.flipped)}`);
  text.dataset.action = entry.action;
  return text;
}

/** A label in words, with whether its action is among the best. */
export function spokenValue(entry, view) {
  const whose = view.flipped ? `for ${view.first}: ` : "";
  return `${whose}${words(entry, view.flipped)}${view.best.has(entry.action) ? ", best" : ""}`;
}

export class Board {
  /** `choose` is called with the data of the cell that was clicked or entered, and its name. */
  constructor(area, choose) {
    this.area = area;
    this.choose = choose;
    this.cells = [];
    this.shape = "";
    this.focus = 0;
    area.addEventListener("click", (event) => this.pressed(event.target));
    area.addEventListener("keydown", (event) => this.key(event));
    area.addEventListener("pointerover", (event) => this.hover(event.target));
    area.addEventListener("pointerleave", () => this.hover(null));
    area.addEventListener("focusin", (event) => this.focused(event.target));
    new ResizeObserver(() => this.strike()).observe(area);
  }

  /** Show a position; `view` has labels, best actions, a hint, and whose values they are. */
  draw(position, view) {
    const shape = JSON.stringify([position.game, position.board.map((row) => row.map((cell) => cell !== null))]);
    const isNew = shape !== this.shape;
    if (isNew) this.build(position, shape);
    this.grid.setAttribute("aria-label", `Board of ${position.title}`);
    const cells = position.board.flat().filter(Boolean);
    const count = (values) => values.reduce((counts, each) => counts.set(each, (counts.get(each) ?? 0) + 1), new Map());
    const names = count(cells.map((cell) => cell.name));
    // If several cells play one action, as in a column, the last of them shows its label.
    const carriers = new Map(cells.flatMap((cell, index) => cell.actions.map((action) => [action, index])));
    const last = position.moves.at(-1)?.action;
    this.cells.forEach((cell, index) => {
      const now = cells[index];
      const before = cell.now;
      Object.assign(cell, { now, lit: now.lit, unique: Boolean(now.name) && names.get(now.name) === 1 });
      cell.carried = now.actions.filter((action) => carriers.get(action) === index);
      cell.fresh = !isNew && Boolean(now.mark) && before.mark !== now.mark;
      cell.last = Boolean(now.mark) && cell.unique && now.name === last;
    });
    const fresh = this.cells.filter((cell) => cell.fresh);
    if (fresh.length === 1) fresh[0].last = true;
    this.winner = position.result?.winner ?? null;
    for (const cell of this.cells) this.fill(cell, view);
    // If all moves are equally good, they are emphasised less.
    this.grid.classList.toggle("level", view.best.size === position.actions.length);
    this.lines = position.over ? runs(this.cells) : [];
    this.strike();
    this.reveal(this.cells.find((cell) => cell.last));
  }

  // Scroll a board that is too wide to the last move, but only sideways: the page itself stays where it is.
  reveal(cell) {
    if (!cell || this.area.scrollWidth <= this.area.clientWidth) return;
    const [outer, inner] = [this.area, cell.element].map((element) => element.getBoundingClientRect());
    if (inner.left < outer.left) this.area.scrollLeft += inner.left - outer.left - inner.width;
    if (inner.right > outer.right) this.area.scrollLeft += inner.right - outer.right + inner.width;
  }

  build(position, shape) {
    this.shape = shape;
    this.focus = 0;
    this.cells = [];
    this.lines = [];
    this.grid = make("div", undefined, "grid");
    this.grid.setAttribute("role", "grid");
    const gapped = position.board.some((row) => row.includes(null));
    let block = null;
    let rowNumber = 0;
    position.board.forEach((row, index) => {
      if (!row.length) block = null;
      if (!row.length) return;
      if (!block) {
        block = this.grid.appendChild(make("div", undefined, "block"));
        block.setAttribute("role", "rowgroup");
      }
      this.buildRow(block.appendChild(make("div", undefined, "row")), row, index, rowNumber);
      rowNumber += 1;
    });
    const columns = Math.max(...position.board.map((row) => row.filter(Boolean).length));
    const blocks = this.grid.children.length;
    const gaps = Math.max(...position.board.map((row) => row.filter((cell) => cell === null).length));
    const measures = { columns, rows: rowNumber, blocks, gaps: gaps || blocks - 1 };
    for (const [name, value] of Object.entries(measures)) this.grid.style.setProperty(`--${name}`, String(value));
    // Layers go side by side if there is room; the fields of one big board stay below each other.
    this.grid.classList.toggle("layers", blocks > 1 && !gapped);
    this.grid.classList.toggle("crowded", columns > 9);
    this.svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    this.svg.setAttribute("class", "strike");
    this.svg.setAttribute("aria-hidden", "true");
    const frame = make("div", undefined, "frame");
    frame.append(this.grid, this.svg);
    this.frame = frame;
    this.area.replaceChildren(frame);
    if (this.cells[0]) this.cells[0].element.tabIndex = 0;
  }

  buildRow(element, row, gridRow, rowNumber) {
    element.setAttribute("role", "row");
    let columnNumber = 0;
    row.forEach((cell, column) => {
      if (cell === null) return;
      const square = element.appendChild(make("div", undefined, "cell"));
      square.setAttribute("role", "gridcell");
      square.tabIndex = -1;
      square.classList.toggle("after-gap", row[column - 1] === null);
      this.cells.push({ element: square, row: gridRow, column, line: rowNumber, place: columnNumber, now: { mark: "" } });
      columnNumber += 1;
    });
  }

  fill(cell, view) {
    const { element, now } = cell;
    element.dataset.name = now.name;
    element.dataset.actions = now.actions.join(" ");
    const entries = cell.carried.map((action) => view.labels.get(action)).filter(Boolean);
    const named = cell.unique || cell.carried.length > 0;
    const key = JSON.stringify([now.mark, now.lit, named && now.name, cell.fresh, entries, view.flipped, view.hint]);
    element.setAttribute("aria-label", this.spoken(cell, view));
    element.classList.toggle("free", now.actions.length > 0);
    element.classList.toggle("lit", now.lit);
    element.classList.toggle("last", cell.last);
    element.classList.toggle("hint", cell.carried.includes(view.hint));
    element.classList.toggle("best", entries.some((entry) => view.best.has(entry.action)));
    element.classList.toggle("several", entries.length > 1);
    if (key === cell.key) return;
    cell.key = key;
    const parts = [];
    if (now.mark) parts.push(drawnMark(now.mark));
    else if (named) parts.push(make("span", now.name, "name"));
    parts[0]?.classList.toggle("fresh", cell.fresh);
    if (entries.length) parts.push(this.labels(entries, view));
    element.replaceChildren(...parts);
  }

  labels(entries, view) {
    const box = make("span", undefined, "labels");
    for (const entry of entries) {
      const line = box.appendChild(make("span"));
      line.classList.toggle("best", view.best.has(entry.action));
      if (entries.length > 1) line.append(make("span", entry.action, "action-name"), " ");
      line.append(label(entry, view));
      if (Math.abs(entry.margin ?? 0) > 1) line.append(make("span", `by ${Math.abs(entry.margin)}`, "margin"));
    }
    return box;
  }

  spoken(cell, view) {
    const { now } = cell;
    const parts = [cell.unique ? now.name : `row ${cell.line + 1}, column ${cell.place + 1}`];
    parts.push(now.mark || "empty");
    if (now.lit) parts.push(now.mark && now.mark === this.winner ? "in the winning line" : "in a completed line");
    if (cell.last) parts.push("last move");
    if (!cell.unique && now.actions.length === 1) parts.push(`plays ${now.actions[0]}`);
    const entries = now.actions.map((action) => view.labels.get(action)).filter(Boolean);
    for (const entry of entries) parts.push((entries.length > 1 ? `${entry.action} ` : "") + spokenValue(entry, view));
    if (now.actions.includes(view.hint)) parts.push("hint");
    return parts.join(", ");
  }

  strike() {
    if (!this.svg) return;
    strike(this.svg, this.frame, (this.lines ?? []).map((pair) => pair.map((cell) => cell.element)));
  }

  find(element) {
    const square = element?.closest?.('[role="gridcell"]');
    return this.cells.findIndex((cell) => cell.element === square);
  }

  pressed(element) {
    const index = this.find(element);
    if (index < 0) return;
    this.move(index);
    this.choose(this.cells[index].now, this.spokenPlace(index));
  }

  spokenPlace(index) {
    const cell = this.cells[index];
    return cell.unique ? cell.now.name : `Row ${cell.line + 1}, column ${cell.place + 1}`;
  }

  hover(element) {
    const index = this.find(element);
    const actions = index < 0 ? [] : this.cells[index].now.actions;
    for (const cell of this.cells) cell.element.classList.toggle("hovered", cell.now.actions.some((each) => actions.includes(each)));
  }

  focused(element) {
    const index = this.find(element);
    if (index >= 0) this.setTabStop(index);
  }

  // Only one cell is in the tab order: the one that was focused last.
  setTabStop(index) {
    this.cells[this.focus].element.tabIndex = -1;
    this.focus = index;
    this.cells[index].element.tabIndex = 0;
  }

  move(index) {
    this.setTabStop(index);
    this.cells[index].element.focus();
  }

  key(event) {
    if (event.altKey || event.metaKey || this.find(event.target) < 0) return;
    const { key, ctrlKey } = event;
    if (!ctrlKey && (key === "Enter" || key === " ")) {
      event.preventDefault();
      if (!event.repeat) this.choose(this.cells[this.focus].now, this.spokenPlace(this.focus));
      return;
    }
    const goal = this.goal(key, ctrlKey);
    if (goal === null) return;
    event.preventDefault();
    this.move(goal);
  }

  goal(key, ctrl) {
    const { line, place } = this.cells[this.focus];
    const end = this.cells.length - 1;
    const lastLine = this.cells[end].line;
    if (ctrl) return { Home: 0, End: end }[key] ?? null;
    const width = this.cells.filter((cell) => cell.line === line).length;
    const places = {
      ArrowLeft: [line, place - 1], ArrowRight: [line, place + 1], ArrowUp: [line - 1, place], ArrowDown: [line + 1, place],
      Home: [line, 0], End: [line, width - 1], PageUp: [0, place], PageDown: [lastLine, place],
    };
    if (!(key in places)) return null;
    const [toLine, toPlace] = places[key];
    const found = this.cells.findIndex((cell) => cell.line === toLine && cell.place === toPlace);
    return found < 0 ? this.focus : found;
  }
}
