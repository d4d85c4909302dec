// Travelling: every change of the page's state goes through here, one after another, and starts what it calls for.

import { read, write } from "./address.js";
import * as api from "./api.js";
import { Table, written } from "./game.js";
import { alarm, busy, done, note, onlyBusy, say } from "./page.js";
import { fillOpenPanels } from "./panels.js";
import { session } from "./session.js";
import { show, showFailure, showStatus } from "./show.js";

const A_MOMENT = 350;
const BETWEEN_COMPUTERS = 900;

let journey = Promise.resolve();

/** Do a step when those before it are done; what it throws is shown. */
export function next(step) {
  journey = journey.then(step).catch(report);
  return journey;
}

function report(error) {
  if (api.isAbort(error)) return;
  if (!(error instanceof api.Refused)) console.error(error);
  alarm(error.message);
  settle();
}

/** Go to a state: ask for its position, then show it. `how` is push, replace or none: what becomes of the address. */
export async function travel(state, how, words) {
  session.work.abort();
  session.work = new AbortController();
  session.thinking = false;
  onlyBusy("position");
  const position = await api.position(state.game, state.position);
  const { line, then } = await lineThrough(position, state);
  const before = session.table;
  session.table = new Table({ ...state, position: position.position, then }, position, line);
  if (how !== "none") window.history[`${how}State`](null, "", write(session.table.state));
  alarm();
  note();
  show(before);
  say(words);
  settle();
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
export function settle() {
  const { table, work } = session;
  if (!table) return done("position");
  if (table.state.analyse) startAnalysis(work.signal);
  fillOpenPanels();
  if (table.computerToMove && !table.waits) think(work.signal);
  showStatus();
  return done("position");
}

// The code for it is loaded when it is first wanted.
async function startAnalysis(signal) {
  busy("analysis");
  try {
    const { analyseAndFollow } = await import("./analysis.js");
    if (!signal.aborted) await analyseAndFollow(signal);
  } catch (error) {
    if (signal.aborted) return;
    alarm(error.message);
    done("analysis");
  }
}

async function think(signal) {
  const { table } = session;
  session.thinking = true;
  busy("computer");
  try {
    const [answer] = await Promise.all([
      api.move(table.state.game, table.state.position, table.seat(table.position.to_move), signal),
      api.pause(table.persons ? A_MOMENT : BETWEEN_COMPUTERS, signal),
    ]);
    next(() => (signal.aborted ? null : play(answer.action, "replace", answer.caveat)));
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
  if (caveat) note(caveat);
}

/** Show what the address says; if it says something wrong, say so. */
export async function arrive(how) {
  const { games, players } = session.offered;
  const state = read(window.location.search);
  state.game ||= games[0].game;
  try {
    const known = players.map(({ player }) => player);
    for (const seat of [state.first, state.second]) {
      if (seat !== "human" && !known.includes(seat)) throw new api.Refused(`There is no player “${seat}”; there are: human, ${known.join(", ")}.`);
    }
    await travel(state, how);
  } catch (error) {
    fail(error);
  }
}

/** There is nothing to show but what went wrong. */
export function fail(error) {
  if (api.isAbort(error)) return;
  if (!(error instanceof api.Refused)) console.error(error);
  session.table = null;
  session.work.abort();
  showFailure(error.message);
  onlyBusy("position");
  done("position");
}
