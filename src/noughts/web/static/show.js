// Showing the match: board, buttons, status, menus. No decisions are made here.

import { stepsAddress } from "./api.js";
import { fragment, write } from "./address.js";
import { Board, label, spokenValue } from "./board.js";
import { markOf } from "./cells.js";
import { drawnMark } from "./marks.js";
import { drawMoves } from "./moves.js";
import { announce, cellNames, enable, find, make, sentence } from "./page.js";
import { playerName, seatName, showChoices } from "./players.js";
import { NOTHING, session } from "./session.js";
import { called, named, paint } from "./skins.js";
import { showTab } from "./tabs.js";

const MAX_BACK = 2000;
const board = new Board(find("board"), (cell, name) => session.commands.chooseCell(cell, name));

/** What a text of the server says, with the players called as in the game's skin. */
export const say = (text) => named(session.skin, text);

/** What a player is called. */
export const playerCalled = (player) => called(session.skin, player);

/** Show the current match; `before` is the match shown until now. */
export function show(before) {
  const { position, state } = session.match;
  const moved = before?.position !== position;
  if (moved || before.state.view !== state.view || before.state.tab !== state.tab) session.view = NOTHING;
  if (moved) showTypeError("");
  showTab(state.tab);
  document.body.dataset.view = "match";
  board.rows(position);
  session.skin = board.skin;
  document.title = `${position.title}${progress()} · noughts`;
  find("title").textContent = position.title;
  const facts = session.offered.games.find(({ game }) => game === state.game);
  find("summary").textContent = facts?.summary ?? "";
  find("known").hidden = !facts?.known;
  find("known").textContent = facts?.known ? `Known: ${facts.known}.` : "";
  find("failure").hidden = true;
  find("gallery").hidden = true;
  find("menu-button").hidden = false;
  find("games").hidden = session.offered.games.length === 1;
  find("match").hidden = false;
  showSettings();
  showAnalysis();
  drawBoard();
  showMoves();
  showButtons();
}

function progress() {
  const { position: { over }, at } = session.match;
  if (over) return `: ${outcome().replace(/\.$/, "")}`;
  return at ? `, move ${at}` : "";
}

/** How the game ended, as people say it. */
function outcome() {
  const { match } = session;
  const { winner, margin, sentence: said } = match.position.result;
  if (match.persons !== 1 || winner === null) return say(said);
  const by = margin > 1 ? ` by ${margin}` : "";
  return match.isPerson(winner) ? `You win${by}.` : `The computer wins${by}.`;
}

/** Show the current settings. */
export function showSettings() {
  const { state, position } = session.match;
  showChoices(session.match, session.offered.players, playerCalled);
  find(`view-${state.view}`).checked = true;
  find("view-name").textContent = playerCalled(position.players[0]);
}

export function showMoves() {
  const { match, history, commands } = session;
  drawMoves(match, match.analysed && history ? history.losses(match) : new Map(), commands.goTo, playerCalled);
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
  for (const id of ["next-mistake", "review"]) find(id).hidden = !match.line.length;
  find("hint").hidden = over;
  find("review-now").hidden = !over || !match.line.length;
  find("set-up").hidden = !board.skin.marks || !match.position.board;
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
  const { analysed, position } = session.match;
  find("bar").hidden = !analysed;
  find("history-of").textContent = `Value for ${playerCalled(position.players[0])}, move by move`;
  if (analysed) {
    session.history?.begin(session.match);
  } else {
    find("sentence").textContent = "";
    find("sentence").removeAttribute("aria-busy");
    find("history").replaceChildren();
    find("more-moves").hidden = true;
    find("best-line").hidden = true;
  }
}

/** Draw the board, or the text drawing of a game without a board, and buttons for the actions that no cell plays. */
export function drawBoard() {
  const { position } = session.match;
  const rows = board.rows(position);
  find("board").hidden = rows === null;
  find("drawing").hidden = rows !== null;
  find("drawing").textContent = position.drawing;
  if (rows) board.draw(position, { ...session.view, names: cellNames() });
  const onBoard = new Set((rows ?? []).flat().flatMap((cell) => cell?.actions ?? []));
  drawActions(position.actions.filter((action) => !onBoard.has(action)));
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
  showSeats();
  // With a computer in the match the button always stays, so that the layout does not jump.
  find("pause").hidden = match.persons === 2 || (match.persons === 1 && !match.computerToMove);
  enable(find("pause"), match.computerToMove);
  find("pause").textContent = match.computerToMove && !thinking ? "Play on" : "Pause";
}

// Who sits on each side, with a piece of theirs; whose turn it is; and how many discs they have, where that counts.
function showSeats() {
  const { match, skin } = session;
  const cells = match.position.board?.flat().filter(Boolean) ?? [];
  match.position.players.forEach((player, index) => {
    const side = index ? "second" : "first";
    const mark = markOf(player, skin);
    find(`${side}-piece`).hidden = !mark;
    find(`${side}-piece`).replaceChildren(...(mark ? [drawnMark(mark, skin)] : []));
    find(`${side}-who`).textContent = seatName(match, player, playerCalled);
    find(`${side}-count`).textContent = skin.counted ? cells.filter((cell) => cell.mark === player).length : "";
    find(`${side}-who`).closest(".seat").classList.toggle("turn", match.position.to_move === player);
    const tint = skin.marks?.[player]?.find(([, { fill }]) => fill)?.[1].fill ?? skin.tints?.[player];
    const [light, dark] = skin.colours?.[tint] ?? [];
    if (tint) find("bar").style.setProperty(`--${side}-tint`, matchMedia("(prefers-color-scheme: dark)").matches ? dark : light);
    else find("bar").style.removeProperty(`--${side}-tint`);
    paint(find(`${side}-piece`), skin);
  });
}

function statusWords() {
  const { match, thinking } = session;
  const { over, times, to_move: mover } = match.position;
  if (over) return outcome();
  if (match.drawn) return `A draw by repetition: this position has occurred ${times} times.`;
  const name = playerName(match, mover, playerCalled);
  if (thinking) return `${name} is thinking …`;
  if (match.computerToMove) return `${name} to move`;
  const turn = match.persons === 1 ? `Your turn (${playerCalled(mover)})` : `${playerCalled(mover)} to move`;
  return match.repeated ? `${turn}; this position has occurred ${times} times` : turn;
}

/** Instead of the board, show what is wrong with the address or the server. */
export function showFailure(message, status = 0) {
  const badAddress = status >= 400 && status < 500;
  document.body.dataset.view = "failure";
  for (const id of ["match", "gallery", "menu-button"]) find(id).hidden = true;
  find("failure").hidden = false;
  find("failure-text").textContent = sentence(message);
  find("try-again").hidden = badAddress;
  document.title = "noughts";
  find("title").textContent = badAddress ? "Page not found" : status === 503 ? "The server is busy" : "The server cannot be reached";
  find("summary").textContent = "";
  announce(find("failure-text").textContent);
}
