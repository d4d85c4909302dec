// Showing the match: board, buttons, status, menus. No decisions are made here.

import { stepsAddress } from "./api.js";
import { fragment, write } from "./address.js";
import { Board, label, spokenValue } from "./board.js";
import { drawMoves } from "./moves.js";
import { announce, enable, find, make, sentence } from "./page.js";
import { playerName, showChoices } from "./players.js";
import { NOTHING, session } from "./session.js";

const MAX_BACK = 2000;
const board = new Board(find("board"), (cell, name) => session.commands.chooseCell(cell, name));

/** Show the current match; `before` is the match shown until now. */
export function show(before) {
  const { position, state } = session.match;
  const moved = before?.position !== position;
  if (moved || before.state.view !== state.view || before.state.analyse !== state.analyse) session.view = NOTHING;
  if (moved) showTypeError("");
  document.title = `${position.title}${progress()} · noughts`;
  find("title").textContent = position.title;
  find("summary").textContent = session.offered.games.find(({ game }) => game === state.game)?.summary ?? "";
  find("failure").hidden = true;
  find("match").hidden = false;
  showSettings();
  showAnalysis();
  drawBoard();
  showMoves();
  showButtons();
}

function progress() {
  const { position: { over, result }, at } = session.match;
  if (over) return `: ${result.sentence.replace(/\.$/, "")}`;
  return at ? `, move ${at}` : "";
}

/** Show the current settings. */
export function showSettings() {
  const { state, position } = session.match;
  showChoices(session.match, session.offered.players);
  find("analyse").checked = state.analyse;
  find(`view-${state.view}`).checked = true;
  find("view-name").textContent = position.players[0];
}

export function showMoves() {
  const { match, history, commands } = session;
  drawMoves(match, match.state.analyse && history ? history.losses(match) : new Map(), commands.goTo);
}

/** Show what is wrong with the move that was typed. */
export function showTypeError(text) {
  find("type-error").textContent = sentence(text);
  if (text) find("type-move").setAttribute("aria-invalid", "true");
  else find("type-move").removeAttribute("aria-invalid");
}

function showButtons() {
  const { match } = session;
  const { over } = match.position;
  const usable = { undo: match.undoTo !== null, redo: match.redoTo !== null, first: match.at > 0, last: match.at < match.line.length, hint: !over && !match.computerToMove };
  for (const [id, on] of Object.entries(usable)) enable(find(id), on);
  const { game, position } = match.state;
  const back = write(match.state).slice(1);
  const query = new URLSearchParams({ game, position, ...(back.length <= MAX_BACK && { back }) });
  for (const search of ["minimax", "alphabeta"]) {
    const link = find(`steps-${search}`);
    enable(link, !over);
    query.set("search", search);
    for (const [name, value] of Object.entries({ href: over ? null : stepsAddress(query) + fragment(game), role: over ? "link" : null })) {
      if (value === null) link.removeAttribute(name);
      else link.setAttribute(name, value);
    }
  }
}

function showAnalysis() {
  const { state, position } = session.match;
  find("values").hidden = !state.analyse;
  find("history-of").textContent = `Value for ${position.players[0]}, move by move`;
  if (state.analyse) {
    session.history?.begin(session.match);
  } else {
    find("sentence").textContent = "";
    find("sentence").removeAttribute("aria-busy");
    find("history").replaceChildren();
  }
}

/** Draw the board, or the text drawing of a game without a board, and buttons for the actions that no cell plays. */
export function drawBoard() {
  const { position } = session.match;
  find("board").hidden = position.board === null;
  find("drawing").hidden = position.board !== null;
  if (position.board) board.draw(position, session.view);
  else find("drawing").textContent = position.drawing;
  drawActions(position.board ? position.elsewhere : position.actions);
}

function drawActions(actions) {
  const area = find("actions");
  const focused = [...area.children].indexOf(document.activeElement);
  area.replaceChildren(...actions.map((action) => actionButton(action, () => session.commands.playAction(action))));
  area.hidden = !actions.length;
  if (focused >= 0) (area.children[Math.min(focused, actions.length - 1)] ?? find("new")).focus({ preventScroll: true });
}

/** A button for an action, with its value if values are shown. */
export function actionButton(action, onClick) {
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
  button.addEventListener("click", onClick);
  return button;
}

/** Show the status above the board: whose turn it is, who is thinking, or how the game ended. */
export function showStatus() {
  const { match, thinking } = session;
  find("status").textContent = statusWords();
  find("status").classList.toggle("result", match.position.over || match.drawn);
  find("status").classList.toggle("thinking", thinking);
  find("board-area").setAttribute("aria-busy", String(thinking));
  // With a computer in the match the button always stays, so that the layout does not jump.
  find("pause").hidden = match.persons === 2;
  enable(find("pause"), match.computerToMove);
  find("pause").textContent = match.computerToMove && !thinking ? "Play on" : "Pause";
}

function statusWords() {
  const { match, thinking } = session;
  const { over, result, times, to_move: mover } = match.position;
  if (over) return result.sentence;
  if (match.drawn) return `A draw by repetition: this position has occurred ${times} times.`;
  if (thinking) return `${playerName(match, mover)} is thinking …`;
  if (match.computerToMove) return `${playerName(match, mover)} to move`;
  const turn = match.persons === 1 ? `Your turn (${mover})` : `${mover} to move`;
  return match.repeated ? `${turn}; this position has occurred ${times} times` : turn;
}

/** Instead of the board, show what is wrong with the address or the server. */
export function showFailure(message, status = 0) {
  const badAddress = status >= 400 && status < 500;
  find("match").hidden = true;
  find("failure").hidden = false;
  find("failure-text").textContent = sentence(message);
  find("try-again").hidden = badAddress;
  find("game").selectedIndex = -1;
  document.title = "noughts";
  find("title").textContent = badAddress ? "Page not found" : status === 503 ? "The server is busy" : "The server cannot be reached";
  find("summary").textContent = "";
  announce(find("failure-text").textContent);
}
