// The commands behind the buttons and keys: play, undo, hint, next mistake, change players.

import { read } from "./address.js";
import { load } from "./api.js";
import { positionText } from "./game.js";
import { announce, busy, done, find, showNote } from "./page.js";
import { TABS } from "./tabs.js";
import { playerName } from "./players.js";
import { session } from "./session.js";
import { actionButton, playerCalled, say, showTypeError } from "./show.js";
import { enqueue, navigate, play } from "./navigation.js";

const SLOW = 300; // milliseconds

/** Handle a click on a cell: play its action, ask which of several, or say why it cannot be played. */
export function chooseCell(cell, name) {
  const { over } = session.match.position;
  const [action, ...more] = cell.actions;
  if (over) return showNote(overWords());
  if (action === undefined) return showNote(cell.mark ? `${name} is taken by ${playerCalled(cell.mark)}.` : `${name} cannot be played now.`);
  if (!more.length) return playAction(action);
  return mayPlay() && askWhich(cell.actions, name);
}

const overWords = () => `The game is over: ${find("status").textContent}`;

function mayPlay() {
  const { match, thinking } = session;
  if (!match.computerToMove) return true;
  const mover = playerName(match, match.position.to_move, playerCalled).replace(/^The/, "the");
  showNote(thinking ? `Please wait for ${mover}.` : `${mover.replace(/^t/, "T")} is to move. Press “Play on” to let it.`);
  return false;
}

/** Play an action for a person. A second click before the first takes effect is ignored. */
export function playAction(action) {
  if (!mayPlay()) return;
  const before = session.match;
  enqueue(() => (session.match === before ? play(action, "push") : null));
}

function askWhich(actions, name) {
  const dialog = find("choose-move");
  find("choose-move-title").textContent = `Which move at ${name}?`;
  const answer = (action) => () => {
    dialog.close();
    playAction(action);
  };
  find("choose-move-actions").replaceChildren(...actions.map((action) => actionButton(action, answer(action))));
  dialog.showModal();
}

/** Go to a position of the line, given as a number of moves, or as a function of the match at that time. */
export function goTo(count, how = "push") {
  enqueue(() => {
    const { match } = session;
    const wanted = typeof count === "function" ? (count(match) ?? match.at) : count;
    const target = Math.max(0, Math.min(match.line.length, wanted));
    if (target === match.at) return null;
    const move = match.line[target - 1];
    const place = move ? `move ${target}, ${playerCalled(move.by)} ${move.action}` : "the start";
    return navigate(match.after(target), how, `${target < match.at ? "Back to" : "Forward to"} ${place}.`);
  });
}

export const back = (how) => goTo((match) => match.at - 1, how);
export const forward = (how) => goTo((match) => match.at + 1, how);
export const first = (how) => goTo(0, how);
export const last = (how) => goTo(Infinity, how);
export const undo = () => (session.match.undoTo === null ? showNote("There is nothing to undo.") : goTo((match) => match.undoTo));
export const redo = () => (session.match.redoTo === null ? showNote("There is nothing to redo.") : goTo((match) => match.redoTo));

/** Go back to the position before a move, to find a better one. */
export const retry = (count) => enqueue(() => navigate({ ...session.match.after(count), tab: "play" }, "push", "Try again: find a better move."));

/** Play through a line from here: go to the position after some of its moves, with the rest undone. */
export function playLine(actions, count) {
  enqueue(() => {
    const { match } = session;
    const moves = match.line.slice(0, match.at).map((move) => move.action);
    const position = positionText(match.position.start, [...moves, ...actions.slice(0, count)]);
    return navigate({ ...match.state, position, then: actions.slice(count) }, "push");
  });
}

/** Change settings, but not the position. A function gets the state after earlier steps. */
export function change(part) {
  return enqueue(() => {
    const { match } = session;
    return match && navigate({ ...match.state, ...(typeof part === "function" ? part(match.state) : part) }, "push");
  });
}

/** Continue from a position chosen in the tree. */
export const playFrom = (position) => change({ position, then: [] });

export function newGame(part = {}) {
  enqueue(() => navigate({ ...(session.match?.state ?? read("")), ...part, position: "", then: [], paused: false }, "push", "New game."));
}

export function swap() {
  const { first: one, second: other } = session.match.state;
  if (one === other) showNote("Both sides have the same player, so there is nothing to swap.");
  else newGame({ first: other, second: one });
}

/** Open a tab: play, analyse or learn. */
export async function showTab(tab) {
  if (tab in TABS && session.match?.state.tab !== tab) await change({ tab });
}

export async function toggleAnalysis() {
  await change(({ tab }) => ({ tab: tab === "analyse" ? "play" : "analyse" }));
  announce(`Analysis ${session.match.analysed ? "on" : "off"}.`);
}

/** Show values for the player to move or the first player; without an argument, switch. */
export async function toggleView(view) {
  await change((state) => ({ view: view ?? (state.view === "first" ? "mover" : "first") }));
  const { state, position } = session.match;
  announce(`Values for ${state.view === "first" ? playerCalled(position.players[0]) : "the player to move"}.`);
}

/** Pause the computer, or let it play on from here, which discards undone moves. */
export function pauseOrPlay() {
  change(session.thinking ? { paused: true } : { paused: false, then: [] });
}

/** Show a best move. Like the code for mistakes, the code for hints is loaded when first needed. */
export async function hint() {
  const { match: { position }, work: { signal } } = session;
  if (position.over) return showNote(overWords());
  if (!mayPlay()) return undefined;
  busy("hint");
  const slow = setTimeout(() => showNote("Looking for a hint …"), SLOW);
  signal.addEventListener("abort", () => clearTimeout(slow));
  try {
    await (await load("analysis")).hint(signal);
  } catch (error) {
    if (!signal.aborted) showNote(`No hint is available: ${error.message}`);
  } finally {
    clearTimeout(slow);
    done("hint");
  }
  return undefined;
}

/** Turn the analysis on and go to the next mistake. */
export async function nextMistake() {
  if (!session.match.analysed) await change({ tab: "analyse" });
  busy("mistake");
  try {
    await (await load("analysis")).nextMistake();
  } catch (error) {
    showNote(`Could not look for mistakes: ${error.message}`);
  } finally {
    done("mistake");
  }
}

/** Play the move that was typed; the code is loaded when first needed. */
export async function typeMove() {
  try {
    await (await load("typing")).typeMove(mayPlay);
  } catch (error) {
    showTypeError(error.message);
  }
}

/** Hand the link to whatever this device shares with, or copy it; the code is loaded when first needed. */
const sharing = (command) => async () => {
  try {
    await (await load("share"))[command]();
  } catch (error) {
    showNote(error.message);
  }
};

export const share = sharing("share");
export const copyLink = sharing("copyLink");
