// Setting up a position by hand: choose a piece, click cells, and go there once the server finds nothing wrong with it.

import { ApiError, isAbort, position as ask } from "./api.js";
import { drawnMark } from "./marks.js";
import { announce, find, make, sentence, style } from "./page.js";
import { session } from "./session.js";
import { onScheme, paint, skinOf } from "./skins.js";
import { playerCalled } from "./show.js";

await style("setup.css");

const EMPTY = "";

/** The diagram of rows of marks, as the games read it: rows divided by `/`, and who is to move if the game asks. */
function diagram(rows, mover) {
  const text = rows.map((row) => (row === null ? "" : row.map((mark) => mark || ".").join(""))).join("/");
  return mover ? `${text} ${mover.toLowerCase()}` : text;
}

class Setup {
  constructor(match) {
    const { position, state } = match;
    this.game = state.game;
    this.skin = skinOf(state.game, Math.max(...position.board.map((row) => row.length)));
    this.rows = position.board.map((row) => (row.length ? row.map((cell) => cell && cell.mark) : null));
    this.marks = Object.keys(this.skin.marks);
    this.brush = this.marks[0];
    // Discs do not show whose turn it is, so that the diagram says it.
    this.mover = this.skin.counted ? position.to_move ?? position.players[0] : null;
    this.dialog = this.build(position);
    this.work = new AbortController();
    this.check();
  }

  build({ title, players }) {
    const dialog = make("dialog", undefined, "setup");
    dialog.setAttribute("aria-labelledby", "setup-title");
    const heading = make("h2", `Set up a position of ${title}`);
    heading.id = "setup-title";
    this.brushes = make("div", undefined, "buttons brushes");
    this.brushes.setAttribute("role", "group");
    this.brushes.setAttribute("aria-label", "Piece");
    for (const mark of [...this.marks, EMPTY]) this.brushes.append(this.brushButton(mark));
    this.board = make("div", undefined, "setup-board");
    paint(this.board, this.skin);
    onScheme(() => paint(this.board, this.skin));
    this.buildCells();
    this.problem = make("p", "", "error");
    this.problem.setAttribute("role", "status");
    const buttons = make("div", undefined, "buttons");
    this.done = this.button("Go to this position", () => this.finish());
    this.done.className = "main";
    buttons.append(this.done, this.button("Clear", () => this.clear()), this.button("Cancel", () => this.dialog.close()));
    dialog.append(heading, make("p", "Choose a piece, then click where it stands.", "muted"), this.brushes, ...(this.mover ? [this.moverChoice(players)] : []), this.board, this.problem, buttons);
    dialog.addEventListener("close", () => {
      this.work.abort();
      dialog.remove();
      find("menu-button").focus();
    });
    return dialog;
  }

  button(text, run) {
    const button = make("button", text);
    button.type = "button";
    button.addEventListener("click", run);
    return button;
  }

  brushButton(mark) {
    const button = this.button(mark ? "" : "Erase", () => this.choose(mark));
    button.dataset.mark = mark;
    button.setAttribute("aria-pressed", String(mark === this.brush));
    if (mark) {
      paint(button, this.skin);
      button.append(drawnMark(mark, this.skin));
      button.setAttribute("aria-label", playerCalled(mark));
    }
    return button;
  }

  moverChoice(players) {
    const label = make("label", undefined, "field inline");
    const menu = make("select");
    for (const player of players) menu.append(Object.assign(make("option", playerCalled(player)), { value: player, selected: player === this.mover }));
    menu.addEventListener("change", () => {
      this.mover = menu.value;
      this.check();
    });
    label.append(make("span", "To move"), menu);
    return label;
  }

  buildCells() {
    const columns = Math.max(...this.rows.map((row) => row?.length ?? 0));
    this.board.style.setProperty("--columns", String(columns));
    this.rows.forEach((row, y) => {
      const line = this.board.appendChild(make("div", undefined, "setup-row"));
      row?.forEach((mark, x) => {
        if (mark === null) return line.append(make("span", undefined, "setup-gap"));
        const cell = this.button("", () => this.put(cell, y, x));
        cell.className = "setup-cell";
        cell.dataset.place = `${y},${x}`;
        this.show(cell, mark, y, x);
        return line.append(cell);
      });
    });
  }

  show(cell, mark, y, x) {
    cell.replaceChildren(...(mark ? [drawnMark(mark, this.skin)] : []));
    cell.setAttribute("aria-label", `Row ${y + 1}, column ${x + 1}: ${mark ? playerCalled(mark) : "empty"}`);
  }

  choose(mark) {
    this.brush = mark;
    for (const button of this.brushes.children) button.setAttribute("aria-pressed", String(button.dataset.mark === mark));
  }

  put(cell, y, x) {
    this.rows[y][x] = this.rows[y][x] === this.brush ? EMPTY : this.brush;
    this.show(cell, this.rows[y][x], y, x);
    this.check();
  }

  clear() {
    this.rows = this.rows.map((row) => row?.map((mark) => (mark === null ? null : EMPTY)) ?? null);
    for (const cell of this.board.querySelectorAll(".setup-cell")) this.show(cell, EMPTY, ...cell.dataset.place.split(",").map(Number));
    this.check();
  }

  get text() {
    return diagram(this.rows, this.mover);
  }

  /** Ask the server whether the position is possible; only then can one go there. */
  async check() {
    this.work.abort();
    this.work = new AbortController();
    this.done.setAttribute("aria-disabled", "true");
    try {
      await ask(this.game, this.text, this.work.signal);
      this.problem.textContent = "";
      this.done.removeAttribute("aria-disabled");
    } catch (error) {
      if (isAbort(error)) return;
      if (!(error instanceof ApiError)) throw error;
      this.problem.textContent = sentence(error.message);
    }
  }

  finish() {
    if (this.done.getAttribute("aria-disabled") === "true") return;
    session.commands.playFrom(this.text);
    announce("The position is set up.");
    this.dialog.close();
  }
}

/** Open the dialog. */
export function setUp(match) {
  const { dialog } = new Setup(match);
  document.body.append(dialog);
  dialog.showModal();
}
