// Showing the table: board, buttons, status, choices. Nothing here decides anything.

import { write } from "./address.js";
import { Board, label, spokenValue } from "./board.js";
import { drawMoves } from "./moves.js";
import { enable, find, make, say, sentence } from "./page.js";
import { called, showChoices } from "./players.js";
import { NOTHING, session } from "./session.js";

const LONGEST = 2000;
const board = new Board(find("board"), (cell, name) => session.acts.choose(cell, name));

/** Show what is on the table now; `before` is what was. */
export function show(before) {
  const { position, state } = session.table;
  const moved = before?.position !== position;
  if (moved || before.state.view !== state.view || before.state.analyse !== state.analyse) session.view = NOTHING;
  if (moved) showTyped("");
  document.title = `${position.title}${progress()} · noughts`;
  find("title").textContent = position.title;
  find("summary").textContent = session.offered.games.find(({ game }) => game === state.game)?.summary ?? "";
  find("failure").hidden = true;
  find("table").hidden = false;
  showSettings();
  showAnalysis();
  drawBoard();
  showMoves();
  showButtons();
}

function progress() {
  const { position: { over, result }, at } = session.table;
  if (over) return `: ${result.sentence.replace(/\.$/, "")}`;
  return at ? `, move ${at}` : "";
}

/** Let all that can be chosen show what is chosen. */
export function showSettings() {
  const { state, position } = session.table;
  showChoices(session.table, session.offered.players);
  find("analyse").checked = state.analyse;
  find(`view-${state.view}`).checked = true;
  find("view-name").textContent = position.players[0];
}

export function showMoves() {
  const { table, history, acts } = session;
  drawMoves(table, table.state.analyse && history ? history.losses(table) : new Map(), acts.goTo);
}

/** Say what is wrong with the move that was typed. */
export function showTyped(text) {
  find("type-error").textContent = sentence(text);
  if (text) find("type-move").setAttribute("aria-invalid", "true");
  else find("type-move").removeAttribute("aria-invalid");
}

function showButtons() {
  const { table } = session;
  const { over } = table.position;
  const able = { undo: table.undoTo !== null, redo: table.redoTo !== null, first: table.at > 0, last: table.at < table.line.length, hint: !over && !table.computerToMove };
  for (const [id, on] of Object.entries(able)) enable(find(id), on);
  const { game, position } = table.state;
  const back = write(table.state).slice(1);
  const query = new URLSearchParams({ game, position, ...(back.length <= LONGEST && { back }) });
  for (const search of ["minimax", "alphabeta"]) {
    const link = find(`steps-${search}`);
    enable(link, !over);
    query.set("search", search);
    for (const [name, value] of Object.entries({ href: over ? null : `steps?${query}`, role: over ? "link" : null })) {
      if (value === null) link.removeAttribute(name);
      else link.setAttribute(name, value);
    }
  }
}

function showAnalysis() {
  const { state, position } = session.table;
  find("values").hidden = !state.analyse;
  find("history-of").textContent = `Value for ${position.players[0]}, move by move`;
  if (state.analyse) {
    session.history?.begin(session.table);
  } else {
    find("sentence").textContent = "";
    find("sentence").removeAttribute("aria-busy");
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
  if (focused >= 0) (area.children[Math.min(focused, actions.length - 1)] ?? find("new")).focus({ preventScroll: true });
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

/** Instead of a board, one line about what was wrong: with the address, or with the server. */
export function showFailure(message, status = 0) {
  const wrong = status >= 400 && status < 500;
  find("table").hidden = true;
  find("failure").hidden = false;
  find("failure-text").textContent = sentence(message);
  find("try-again").hidden = wrong;
  find("game").selectedIndex = -1;
  document.title = "noughts";
  find("title").textContent = wrong ? "This address leads nowhere" : status === 503 ? "The server is busy" : "The server cannot be reached";
  find("summary").textContent = "";
  say(find("failure-text").textContent);
}
