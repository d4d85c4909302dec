// What people can do: play, take back, look for a hint or a mistake, change who plays.

import { read } from "./address.js";
import { load } from "./api.js";
import { busy, done, find, note, say } from "./page.js";
import { called } from "./players.js";
import { session } from "./session.js";
import { actionButton, showTyped } from "./show.js";
import { next, play, travel } from "./navigation.js";

const A_WHILE = 300;

/** A person wants this cell: play, ask which of its actions, or say why not. */
export function choose(cell, name) {
  const { over, result } = session.table.position;
  const [action, ...more] = cell.actions;
  if (over) return note(`The game is over: ${result.sentence}`);
  if (action === undefined) return note(cell.mark ? `${name} is taken: ${cell.mark} is there.` : `${name} cannot be played now.`);
  if (!more.length) return person(action);
  return mayPlay() && askWhich(cell.actions, name);
}

function mayPlay() {
  const { table, thinking } = session;
  if (!table.computerToMove) return true;
  const mover = called(table, table.position.to_move);
  note(thinking ? `Please wait: ${mover} is to move.` : `${mover} is to move; “Play on” lets it.`);
  return false;
}

/** A person plays an action. A second click that comes before the first has arrived is for a board that is gone. */
export function person(action) {
  if (!mayPlay()) return;
  const seen = session.table;
  next(() => (session.table === seen ? play(action, "push") : null));
}

function askWhich(actions, name) {
  const dialog = find("which");
  find("which-title").textContent = `Which move at ${name}?`;
  const answer = (action) => () => {
    dialog.close();
    person(action);
  };
  find("which-actions").replaceChildren(...actions.map((action) => actionButton(action, answer(action))));
  dialog.showModal();
}

/** Go to a place in the line, given as a number of moves, or as a function if it depends on where one is by then. */
export function goTo(count, how = "push") {
  next(() => {
    const { table } = session;
    const wanted = typeof count === "function" ? (count(table) ?? table.at) : count;
    const target = Math.max(0, Math.min(table.line.length, wanted));
    if (target === table.at) return null;
    const move = table.line[target - 1];
    const place = move ? `move ${target}, ${move.by} ${move.action}` : "the start";
    return travel(table.after(target), how, `${target < table.at ? "Back to" : "Forward to"} ${place}.`);
  });
}

export const back = (how) => goTo((table) => table.at - 1, how);
export const forward = (how) => goTo((table) => table.at + 1, how);
export const first = (how) => goTo(0, how);
export const last = (how) => goTo(Infinity, how);
export const undo = () => (session.table.undoTo === null ? note("There is nothing to take back.") : goTo((table) => table.undoTo));
export const redo = () => (session.table.redoTo === null ? note("There is nothing to redo.") : goTo((table) => table.redoTo));

/** Change settings; the position stays. What follows from the state is given as a function: it may have to wait its turn. */
export function change(part) {
  return next(() => {
    const { table } = session;
    return table && travel({ ...table.state, ...(typeof part === "function" ? part(table.state) : part) }, "push");
  });
}

/** Play on from a position that was chosen elsewhere. */
export const jump = (position) => change({ position, then: [] });

export function newGame(part = {}) {
  next(() => travel({ ...(session.table?.state ?? read("")), ...part, position: "", then: [], paused: false }, "push", "New game."));
}

export function swap() {
  const { first: one, second: other } = session.table.state;
  if (one === other) note("Both sides are played alike: there is nothing to swap.");
  else newGame({ first: other, second: one });
}

export async function toggleAnalysis() {
  await change((state) => ({ analyse: !state.analyse }));
  say(`Analysis ${session.table.state.analyse ? "on" : "off"}.`);
}

/** Show values for the player to move, or for the one who starts; without a wish, for the other than now. */
export async function toggleView(view) {
  await change((state) => ({ view: view ?? (state.view === "first" ? "mover" : "first") }));
  const { state, position } = session.table;
  say(`Values for ${state.view === "first" ? position.players[0] : "the player to move"}.`);
}

/** Pause what thinks, or let the computer move on from here; moves taken back are then gone. */
export function pauseOrPlay() {
  change(session.thinking ? { paused: true } : { paused: false, then: [] });
}

/** Show a best move; the code for it is loaded when it is first wanted, as for mistakes. */
export async function hint() {
  const { table: { position }, work: { signal } } = session;
  if (position.over) return note(`The game is over: ${position.result.sentence}`);
  if (!mayPlay()) return undefined;
  busy("hint");
  const slow = setTimeout(() => note("Looking for a hint …"), A_WHILE);
  signal.addEventListener("abort", () => clearTimeout(slow));
  try {
    await (await load("analysis")).hint(signal);
  } catch (error) {
    if (!signal.aborted) note(`No hint: ${error.message}`);
  } finally {
    clearTimeout(slow);
    done("hint");
  }
  return undefined;
}

/** Go to the next mistake; the analysis is switched on for it. */
export async function nextMistake() {
  if (!session.table.state.analyse) await change({ analyse: true });
  busy("mistake");
  try {
    await (await load("analysis")).nextMistake();
  } catch (error) {
    note(`No mistakes can be looked for: ${error.message}`);
  } finally {
    done("mistake");
  }
}

/** Play what was typed; the code for it is loaded when it is first wanted. */
export async function typeMove() {
  try {
    await (await load("typing")).typeMove(mayPlay);
  } catch (error) {
    showTyped(error.message);
  }
}

export async function copyLink() {
  try {
    await navigator.clipboard.writeText(window.location.href);
    note("Link copied.");
  } catch {
    note("The link is in the address bar: copy it from there.");
  }
}
