// The board: a grid of cells by the W3C grid pattern, with one tab stop and arrow keys. The server says what a cell plays.

import { coordinates, markOf, parts, rowsOf } from "./cells.js";
import { drawnMark, runs, strike } from "./marks.js";
import { make } from "./page.js";
import { called, onScheme, paint, skinOf } from "./skins.js";
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

/** The fewest pixels of a cell: as large as a finger, unless there are many. */
const leastOf = (columns) => (columns <= 6 ? 44 : columns <= 9 ? 28 : 30);

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
    area.addEventListener("focusout", () => this.hover(null));
    area.addEventListener("scroll", () => this.cue(), { passive: true });
    new ResizeObserver(() => this.resized()).observe(area);
    onScheme(() => this.skin && paint(this.frame, this.skin));
  }

  /** The rows of cells that show a position in its skin; null if it has no board. */
  rows(position) {
    const columns = Math.max(0, ...(position.board ?? []).map((row) => row.length));
    this.skin = skinOf(position.game, columns);
    return rowsOf(position, this.skin.layout);
  }

  /** Show a position; `view` has labels, best actions, a hint, and whose values they are. */
  draw(position, view) {
    const rows = this.rows(position);
    const shape = JSON.stringify([position.game, rows.map((row) => row.map((cell) => cell !== null))]);
    const isNew = shape !== this.shape;
    if (isNew) this.build(position, rows, shape);
    this.grid.setAttribute("aria-label", `Board of ${position.title}`);
    this.frame.style.setProperty("--tint", `var(--skin-${this.skin.tints?.[position.result?.winner]}, var(--accent))`);
    const cells = rows.flat().filter(Boolean);
    const count = (values) => values.reduce((counts, each) => counts.set(each, (counts.get(each) ?? 0) + 1), new Map());
    const names = count(cells.map((cell) => cell.name));
    // If several cells play one action, as in a column, the last of them shows its label.
    const carriers = new Map(cells.flatMap((cell, index) => cell.actions.map((action) => [action, index])));
    const last = position.moves.at(-1)?.action;
    const won = position.over && cells.some((cell) => cell.lit);
    this.cells.forEach((cell, index) => {
      const now = cells[index];
      const before = cell.now;
      Object.assign(cell, { now, lit: now.lit, unique: Boolean(now.name) && names.get(now.name) === 1 });
      cell.carried = now.actions.filter((action) => carriers.get(action) === index);
      cell.fresh = !isNew && Boolean(now.mark) && before.mark !== now.mark;
      cell.turned = cell.fresh && Boolean(before.mark);
      cell.last = Boolean(now.mark) && cell.unique && now.name === last && !now.actions.length;
      cell.dim = won && Boolean(now.mark) && !now.lit;
    });
    const fresh = this.cells.filter((cell) => cell.fresh);
    if (fresh.length === 1) fresh[0].last = true;
    this.winner = position.result?.winner ?? null;
    this.mover = position.over ? null : markOf(position.to_move, this.skin);
    for (const cell of this.cells) this.fill(cell, view);
    // If all moves are equally good, they are emphasised less.
    this.grid.classList.toggle("level", view.best.size === position.actions.length);
    this.lines = position.over && this.skin.parts !== "won" ? runs(this.cells) : [];
    this.cover(position);
    this.resized();
    this.reveal(this.cells.find((cell) => cell.last));
  }

  // Scroll a board that is too wide to the last move, but only sideways: the page itself stays where it is.
  reveal(cell) {
    if (!cell || this.area.scrollWidth <= this.area.clientWidth) return;
    const [outer, inner] = [this.area, cell.element].map((element) => element.getBoundingClientRect());
    if (inner.left < outer.left) this.area.scrollLeft += inner.left - outer.left - inner.width;
    if (inner.right > outer.right) this.area.scrollLeft += inner.right - outer.right + inner.width;
  }

  resized() {
    this.strike();
    this.cue();
  }

  // Show on which sides there is more of a board that is too wide.
  cue() {
    const { scrollLeft, scrollTop, scrollWidth, scrollHeight, clientWidth, clientHeight } = this.area;
    this.area.parentElement.classList.toggle("more-down", scrollTop < scrollHeight - clientHeight - 14);
    this.area.parentElement.classList.toggle("more-left", scrollLeft > 4);
    this.area.parentElement.classList.toggle("more-right", scrollLeft < scrollWidth - clientWidth - 4);
  }

  build(position, rows, shape) {
    this.shape = shape;
    this.focus = 0;
    this.cells = [];
    this.lines = [];
    this.grid = make("div", undefined, "grid");
    this.grid.setAttribute("role", "grid");
    let block = null;
    let rowNumber = 0;
    let blockNumber = -1;
    rows.forEach((row, index) => {
      if (!row.length) block = null;
      if (!row.length) return;
      if (!block) {
        block = this.grid.appendChild(make("div", undefined, "block"));
        block.setAttribute("role", "rowgroup");
        blockNumber += 1;
      }
      this.buildRow(block.appendChild(make("div", undefined, "row")), rows, index, rowNumber, blockNumber);
      rowNumber += 1;
    });
    const columns = Math.max(...rows.map((row) => row.filter(Boolean).length));
    const gaps = Math.max(...rows.map((row) => row.filter((cell) => cell === null).length));
    const blocks = blockNumber + 1;
    this.grid.classList.toggle("series", blocks > 1 && !gaps && this.skin.layout === "lines");
    const measures = { columns, rows: rowNumber, blocks, gaps, "down-gaps": blockNumber, "series-gaps": blockNumber, least: `${leastOf(columns)}px` };
    if (this.skin.layout === "layers") measures.least = `${Math.max(40, 228 / columns)}px`;
    if (this.skin.layout === "heaps") Object.assign(measures, { least: "72px", narrow: columns > 14 ? "24px" : "44px" });
    for (const [name, value] of Object.entries(measures)) this.grid.style.setProperty(`--${name}`, String(value));
    this.grid.classList.toggle("crowded", columns > 9);
    this.svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    this.svg.setAttribute("class", "strike");
    this.svg.setAttribute("aria-hidden", "true");
    this.frame = make("div", undefined, "frame");
    this.frame.dataset.motion = this.skin.motion;
    paint(this.frame, this.skin);
    this.frame.dataset.skin = this.skin.name;
    this.area.dataset.layout = this.skin.layout;
    this.area.dataset.skin = this.skin.name;
    this.frame.append(this.grid, this.svg);
    this.nameEdges(coordinates(rows, this.skin.layout));
    this.area.replaceChildren(this.frame);
    this.covers = [];
    if (this.cells[0]) this.cells[0].element.tabIndex = 0;
  }

  buildRow(element, rows, index, rowNumber, blockNumber) {
    element.setAttribute("role", "row");
    let columnNumber = 0;
    let part = 0;
    rows[index].forEach((cell, column) => {
      if (cell === null) part += 1;
      if (cell === null) return;
      const square = element.appendChild(make("div", undefined, "cell"));
      square.setAttribute("role", "gridcell");
      square.tabIndex = -1;
      const neighbours = { left: rows[index][column - 1], right: rows[index][column + 1], up: rows[index - 1]?.[column], down: rows[index + 1]?.[column] };
      for (const [side, neighbour] of Object.entries(neighbours)) square.classList.toggle(`join-${side}`, Boolean(neighbour));
      square.classList.toggle("after-gap", rows[index][column - 1] === null);
      square.style.setProperty("--drop", String(index + 1));
      this.cells.push({ element: square, row: index, column, line: rowNumber, place: columnNumber, blockNumber, part, now: { mark: "" } });
      columnNumber += 1;
    });
  }

  /** Name the columns and rows at the edges of the board; screen readers read the names of the cells instead. */
  nameEdges(names) {
    this.frame.classList.toggle("coords", Boolean(names));
    for (const [edge, texts] of [["top", names?.columns], ["left", names?.rows]]) {
      if (!texts) continue;
      const strip = make("div", undefined, edge);
      strip.setAttribute("aria-hidden", "true");
      strip.append(...texts.map((text) => make("span", text)));
      this.frame.prepend(strip);
    }
  }

  // Cover the parts in which a line is complete, and tint those that can be played in if that is not all.
  cover(position) {
    for (const each of this.covers) each.remove();
    this.covers = [];
    if (!this.skin.parts) return;
    const all = parts(this.cells);
    const open = all.filter((cells) => cells.some((cell) => cell.now.actions.length));
    for (const cells of all) {
      const mark = cells.find((cell) => cell.lit)?.now.mark;
      if (!mark && !(open.length < all.length && open.includes(cells) && this.skin.parts === "won")) continue;
      const cover = make("div", undefined, mark ? `cover ${this.skin.parts}` : "part-open");
      cover.setAttribute("aria-hidden", "true");
      if (mark && this.skin.parts === "won") cover.append(drawnMark(mark, this.skin));
      if (mark && this.skin.parts === "dead") cover.dataset.word = position.over ? "" : "dead";
      cover.corners = [cells[0].element, cells.at(-1).element];
      this.frame.append(cover);
      this.covers.push(cover);
    }
  }

  fill(cell, view) {
    const { element, now } = cell;
    element.dataset.name = now.name;
    element.dataset.actions = now.actions.join(" ");
    const entries = cell.carried.map((action) => view.labels.get(action)).filter(Boolean);
    const ghost = view.ghosts?.get(`${cell.line},${cell.place}`);
    const named = now.name && !now.mark && (view.names || (entries.length > 0 && !this.frame.classList.contains("coords")));
    const key = JSON.stringify([now.mark, now.lit, named && now.name, cell.fresh, entries, view.flipped, view.hint, ghost, view.best.size]);
    element.setAttribute("aria-label", this.spoken(cell, view));
    element.classList.toggle("free", now.actions.length > 0);
    element.classList.toggle("lit", now.lit);
    element.classList.toggle("last", cell.last);
    element.classList.toggle("dim", cell.dim);
    element.classList.toggle("fresh", cell.fresh);
    element.classList.toggle("turned", cell.turned);
    element.classList.toggle("hint", cell.carried.includes(view.hint));
    element.classList.toggle("best", entries.some((entry) => view.best.has(entry.action)));
    element.classList.toggle("several", entries.length > 1);
    if (key === cell.key) return;
    cell.key = key;
    const content = [];
    if (now.mark) content.push(drawnMark(now.mark, this.skin));
    if (named) content.push(make("span", now.name, "name"));
    if (ghost) content.push(...this.ghost(ghost.mark, ghost.number));
    else if (entries.length) content.push(this.labels(entries, view));
    element.replaceChildren(...content);
  }

  ghost(mark, number) {
    const drawn = drawnMark(mark, this.skin);
    drawn.classList.add("ghost");
    if (number === undefined) return [drawn];
    drawn.classList.add("numbered");
    return [drawn, make("span", number, "ghost-number")];
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
    parts.push(now.mark ? called(this.skin, now.mark) : "empty");
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
    const frame = this.frame.getBoundingClientRect();
    for (const cover of this.covers) {
      const [from, to] = cover.corners.map((element) => element.getBoundingClientRect());
      const place = { left: from.left - frame.left, top: from.top - frame.top, width: to.right - from.left, height: to.bottom - from.top };
      for (const [name, value] of Object.entries(place)) cover.style.setProperty(name, `${value}px`);
    }
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
    for (const cell of this.cells) {
      cell.element.classList.toggle("hovered", cell.now.actions.some((each) => actions.includes(each)));
      const here = actions.length === 1 && cell.carried?.includes(actions[0]) && this.mover && !cell.now.mark;
      const shown = cell.element.querySelector(".ghost:not(.numbered)");
      if (here && !shown && !cell.element.querySelector(".labels")) cell.element.append(...this.ghost(this.mover));
      if (!here && shown) shown.remove();
    }
  }

  focused(element) {
    const index = this.find(element);
    if (index < 0) return;
    this.setTabStop(index);
    // A key that moves over the board shows what it would play, as the pointer does.
    if (element.matches(":focus-visible")) this.hover(element);
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
