// Showing the table: board, buttons, status, choices. Nothing here decides anything.

import { Board, label, spokenValue } from "./board.js";
import { drawMoves } from "./moves.js";
import { enable, find, make } from "./page.js";
import { called, showChoices } from "./players.js";
import { NOTHING, session } from "./session.js";

const board = new Board(find("board"), (cell, name) => session.acts.choose(cell, name));

/** Show what is on the table now; `before` is what was. */
export function show(before) {
  const { position, state } = session.table;
  const same = before?.position === position && before.state.view === state.view && before.state.analyse === state.analyse;
  if (!same) session.view = NOTHING;
  document.title = `${position.title} · noughts`;
  find("title").textContent = position.title;
  find("summary").textContent = session.offered.games.find(({ game }) => game === state.game)?.summary ?? "";
  find("failure").hidden = true;
  find("table").hidden = false;
  showChoices(session.table, session.offered.players);
  showAnalysis();
  drawBoard();
  showMoves();
  showButtons();
}

export function showMoves() {
  const { table, history, acts } = session;
  drawMoves(table, table.state.analyse && history ? history.losses : new Map(), acts.goTo);
}

function showButtons() {
  const { table } = session;
  const able = { undo: table.undoTo !== null, redo: table.redoTo !== null, first: table.at > 0, last: table.at < table.line.length, hint: !table.position.over };
  for (const [id, on] of Object.entries(able)) enable(find(id), on);
  const { game, position } = table.state;
  for (const search of ["minimax", "alphabeta"]) find(`steps-${search}`).href = `steps?${new URLSearchParams({ game, position, search })}`;
}

function showAnalysis() {
  const { state, position } = session.table;
  find("analyse").checked = state.analyse;
  find("values").hidden = !state.analyse;
  find("view").textContent = `Values for ${state.view === "first" ? position.players[0] : "the player to move"}`;
  find("history-of").textContent = `Value for ${position.players[0]}, move by move`;
  if (state.analyse) {
    session.history?.begin(session.table);
  } else {
    find("sentence").textContent = "";
    find("history").replaceChildren();
  }
}

/** Draw the board, or the drawing of a game without one, and the actions that no cell plays. */
export function drawBoard() {
  const { position } = session.table;
  find("board").hidden = position.board === null;
  find("drawing").hidden = position.board !== null;
  if (position.board) board.draw(position, session.view);
  else find("drawing").textContent = position.drawing;
  drawActions(position.board ? position.elsewhere : position.actions);
}

function drawActions(actions) {
  const area = find("actions");
  const focused = [...area.children].indexOf(document.activeElement);
  area.replaceChildren(...actions.map((action) => actionButton(action, () => session.acts.person(action))));
  area.hidden = !actions.length;
  if (focused >= 0) (area.children[Math.min(focused, actions.length - 1)] ?? find("new")).focus();
}

/** A button for an action, with its value if values are shown. */
export function actionButton(action, act) {
  const { view } = session;
  const button = make("button", action, "action");
  button.type = "button";
  button.dataset.actions = action;
  const entry = view.labels.get(action);
  if (entry) {
    button.append(" ", label(entry, view));
    button.setAttribute("aria-label", `${action}, ${spokenValue(entry, view)}`);
    button.classList.toggle("best", view.best.has(action));
  }
  button.classList.toggle("hint", view.hint === action);
  button.addEventListener("click", act);
  return button;
}

/** Say in large words whose turn it is, who is thinking, or how it ended. */
export function showStatus() {
  const { table, thinking } = session;
  find("status").textContent = statusWords();
  find("status").classList.toggle("result", table.position.over);
  find("status").classList.toggle("thinking", thinking);
  find("place").setAttribute("aria-busy", String(thinking));
  // Where a computer plays, the button keeps its place, so that nothing jumps at every turn.
  find("pause").hidden = table.persons === 2;
  enable(find("pause"), table.computerToMove);
  find("pause").textContent = table.computerToMove && !thinking ? "Play on" : "Pause";
}

function statusWords() {
  const { table, thinking } = session;
  const { over, result, to_move: mover } = table.position;
  if (over) return result.sentence;
  if (thinking) return `${called(table, mover)} is thinking …`;
  if (table.computerToMove) return `${called(table, mover)} is to move`;
  return table.persons === 1 ? `Your move: ${mover}` : `${mover} to move`;
}

/** Instead of a board, one line about what was wrong with the address. */
export function showFailure(message) {
  find("table").hidden = true;
  find("failure").hidden = false;
  find("failure-text").textContent = message;
  document.title = "noughts";
  find("title").textContent = "This leads nowhere";
  find("summary").textContent = "";
}
