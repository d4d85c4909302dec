// Travelling: every change of the page's state goes through here, one after another, and starts what it calls for.

import { read, write } from "./address.js";
import * as api from "./api.js";
import { Table, written } from "./game.js";
import { alarm, busy, done, find, note, onlyBusy, say, sentence } from "./page.js";
import { fillOpenPanels, leavePanels } from "./panels.js";
import { session } from "./session.js";
import { show, showFailure, showSettings, showStatus } from "./show.js";

const A_MOMENT = 350;
const BETWEEN_COMPUTERS = 900;
const FOR_VALUES = 3000;

let journey = Promise.resolve();

/** Do a step when those before it are done; what it throws is shown. */
export function next(step) {
  journey = journey.then(step).catch(report);
  return journey;
}

function report(error) {
  if (!(error instanceof api.Refused || api.isAbort(error))) console.error(error);
  if (!api.isAbort(error)) alarm(error.message);
  if (session.table) showSettings();
  settle();
}

/** Go to a state: ask for its position, then show it. `how` is push, replace or none: what becomes of the address. */
export async function travel(state, how, words) {
  session.work.abort();
  session.work = new AbortController();
  session.thinking = false;
  find("which").close();
  onlyBusy("position");
  const position = await api.position(state.game, state.position);
  const { line, then } = await lineThrough(position, state);
  const before = session.table;
  session.table = new Table({ ...state, game: position.game, position: position.position, then }, position, line);
  if (how !== "none") setAddress(write(session.table.state), how);
  alarm();
  note();
  show(before);
  say(words, "travel");
  settle();
}

// What is there already is not put on top of itself, else it would take two steps back to leave it.
function setAddress(address, how) {
  const same = new URL(address, window.location.href).search === window.location.search;
  window.history[same ? "replaceState" : `${how}State`](null, "", address);
}

// The moves taken back are part of the line; if they do not fit, the address was wrong about them only.
async function lineThrough(position, { game, then }) {
  if (!then.length) return { line: position.moves, then };
  try {
    const actions = position.moves.map((move) => move.action);
    const whole = await api.position(game, written(position.start, [...actions, ...then]));
    return { line: whole.moves, then: whole.moves.slice(position.moves.length).map((move) => move.action) };
  } catch (error) {
    if (error.status !== 400) throw error;
    return { line: position.moves, then: [] };
  }
}

/** Start what the position on the table calls for: values, reasons, the tree, the computer's move. */
function settle() {
  const { table, work } = session;
  if (!table) return done("position");
  const values = table.state.analyse ? startAnalysis(work.signal) : null;
  fillOpenPanels();
  if (table.computerToMove && !table.waits) think(work.signal, values);
  showStatus();
  return done("position");
}

// The code for it is loaded when it is first wanted. It is done when the values are shown; those along the line follow.
async function startAnalysis(signal) {
  busy("analysis");
  try {
    const { analyseHere, followLine } = await api.load("analysis");
    if (!signal.aborted) await analyseHere(signal);
    if (!signal.aborted) followLine(signal);
  } catch (error) {
    if (signal.aborted) return;
    alarm(error.message);
    done("analysis");
  }
}

// Who watches computers play sees the values of each position before the next move, unless they take long.
async function watching(values, signal) {
  if (values) await Promise.race([values, api.pause(FOR_VALUES, signal)]);
  await api.pause(BETWEEN_COMPUTERS, signal);
}

async function think(signal, values) {
  const { table } = session;
  session.thinking = true;
  busy("computer");
  try {
    const [answer] = await Promise.all([
      api.move(table.state.game, table.state.position, table.seat(table.position.to_move), signal),
      table.persons ? api.pause(A_MOMENT, signal) : watching(values, signal),
    ]);
    next(() => (signal.aborted ? null : play(answer.action, "replace", answer.caveat).catch((error) => {
      table.state.paused = true; // else it would try for ever
      throw error;
    })));
  } catch (error) {
    if (signal.aborted) return;
    session.thinking = false;
    alarm(error.message);
    showStatus();
    done("computer");
  }
}

/** Play an action and say so. */
export async function play(action, how, caveat = "") {
  const by = session.table.position.to_move;
  await travel(session.table.played(action), how);
  const { over, result } = session.table.position;
  say(`${by} plays ${action}.${over ? ` ${result.sentence}` : ""}`);
  if (caveat) note(sentence(caveat));
}

/** Show what the address says; if it says something wrong, say so. */
export async function arrive(how) {
  const { games, players } = session.offered;
  const state = read(window.location.search);
  state.game ||= games[0].game;
  try {
    const known = players.map(({ player }) => player);
    for (const seat of [state.first, state.second]) {
      if (seat !== "human" && !known.includes(seat)) throw new api.Refused(`There is no player “${seat}”; there are: human, ${known.join(", ")}.`, 400);
    }
    await travel(state, how);
  } catch (error) {
    fail(error);
  }
}

/** There is nothing to show but what went wrong. */
export function fail(error) {
  if (!(error instanceof api.Refused)) console.error(error);
  session.table = null;
  session.work.abort();
  leavePanels();
  showFailure(error.message, error.status);
  onlyBusy("position");
  done("position");
}
