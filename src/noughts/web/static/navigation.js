// Navigation: every change of the page's state goes through here, in order.

import { fragment, read, write } from "./address.js";
import * as api from "./api.js";
import { Match, positionText } from "./game.js";
import { announce, busy, done, find, onlyBusy, sentence, showAlert, showNote } from "./page.js";
import { fillOpenPanels, stopPanels } from "./panels.js";
import { session } from "./session.js";
import { loadStyle } from "./skins.js";
import { playerCalled, say, show, showFailure, showSettings, showStatus } from "./show.js";

// In milliseconds.
const BETWEEN_COMPUTERS = 900;
const MAX_WAIT_FOR_VALUES = 3000;

let queue = Promise.resolve();

/** Run a step after all earlier steps; its errors are shown. */
export function enqueue(step) {
  queue = queue.then(step).catch(report);
  return queue;
}

function report(error) {
  if (!(error instanceof api.ApiError || api.isAbort(error))) console.error(error);
  if (!api.isAbort(error)) showAlert(error.message);
  if (session.match) showSettings();
  startWork();
}

/** Go to a state: request its position, then show it. `how` says what happens to the address: push, replace or none. */
export async function navigate(state, how, words) {
  session.work.abort();
  session.work = new AbortController();
  session.thinking = false;
  find("choose-move").close();
  onlyBusy("position");
  const position = await api.position(state.game, state.position);
  const [{ line, then }] = await Promise.all([lineThrough(position, state), loadStyle(position)]);
  const before = session.match;
  session.match = new Match({ ...state, game: position.game, position: position.position, then }, position, line);
  if (how !== "none") setAddress(write(session.match.state) + fragment(position.game), how);
  showAlert();
  showNote();
  show(before);
  announce(words, "navigation");
  startWork();
}

// The same address is not pushed twice, else it would take two steps back to leave it.
function setAddress(address, how) {
  const same = new URL(address, window.location.href).search === window.location.search;
  window.history[same ? "replaceState" : `${how}State`](null, "", address);
}

// Undone moves are part of the line. If they are illegal, only they are dropped from the address.
async function lineThrough(position, { game, then }) {
  if (!then.length) return { line: position.moves, then };
  try {
    const actions = position.moves.map((move) => move.action);
    const whole = await api.position(game, positionText(position.start, [...actions, ...then]));
    return { line: whole.moves, then: whole.moves.slice(position.moves.length).map((move) => move.action) };
  } catch (error) {
    if (error.status !== 400) throw error;
    return { line: position.moves, then: [] };
  }
}

/** Start the work for the current position: values, explanation, tree, the computer's move. */
function startWork() {
  const { match, work } = session;
  if (!match) return done("position");
  const values = match.analysed ? startAnalysis(work.signal) : null;
  fillOpenPanels();
  if (match.computerToMove && !match.waits) think(work.signal, values);
  showStatus();
  return done("position");
}

// The code is loaded when first needed. Earlier positions are analysed after the current one.
async function startAnalysis(signal) {
  busy("analysis");
  try {
    const { analyseHere, followLine } = await api.load("analysis");
    if (!signal.aborted) await analyseHere(signal);
    if (!signal.aborted) followLine(signal);
  } catch (error) {
    if (signal.aborted) return;
    showAlert(error.message);
    done("analysis");
  }
}

// When two computers play, show the values of each position before the next move, unless they take long.
async function waitForViewer(values, signal) {
  if (values) await Promise.race([values, api.delay(MAX_WAIT_FOR_VALUES, signal)]);
  await api.delay(BETWEEN_COMPUTERS, signal);
}

async function think(signal, values) {
  const { match } = session;
  session.thinking = true;
  busy("computer");
  try {
    const [answer] = await Promise.all([
      api.move(match.state.game, match.state.position, match.seat(match.position.to_move), match.state.think, signal),
      match.persons ? null : waitForViewer(values, signal),
    ]);
    enqueue(() => (signal.aborted ? null : play(answer.action, "replace", answer.caveat).catch((error) => {
      match.state.paused = true; // else it would retry for ever
      throw error;
    })));
  } catch (error) {
    if (signal.aborted) return;
    session.thinking = false;
    showAlert(error.message);
    showStatus();
    done("computer");
  }
}

/** Play an action and announce it. */
export async function play(action, how, caveat = "") {
  const by = session.match.position.to_move;
  await navigate(session.match.played(action), how);
  announce(`${playerCalled(by)} plays ${action}.${session.match.position.over ? ` ${find("status").textContent}` : ""}`);
  if (caveat) showNote(sentence(say(caveat)));
}

/** Show the state in the address, or what is wrong with it. */
export async function openAddress(how) {
  const { games, players } = session.offered;
  const state = read(window.location.search);
  try {
    if (games.length === 1) state.game ||= games[0].game;
    if (!state.game) return await openGallery();
    const known = players.map(({ player }) => player);
    for (const seat of [state.first, state.second]) {
      if (seat !== "human" && !known.includes(seat)) throw new api.ApiError(`There is no player “${seat}”. Choose one of: human, ${known.join(", ")}.`, 400);
    }
    await navigate(state, how);
  } catch (error) {
    fail(error);
  }
  return undefined;
}

/** Go to an address of this page without loading it again. */
export function goToAddress(address) {
  window.history.pushState(null, "", address);
  return enqueue(() => openAddress("none"));
}

/** Show all games, each with a picture; the code is loaded when first needed. */
async function openGallery() {
  session.match = null;
  session.work.abort();
  stopPanels();
  onlyBusy("position");
  const { showGallery } = await api.load("gallery");
  showGallery(session.offered.games, goToAddress);
  done("position");
}

/** Show an error instead of the board. */
export function fail(error) {
  if (!(error instanceof api.ApiError)) console.error(error);
  session.match = null;
  session.work.abort();
  stopPanels();
  showFailure(error.message, error.status);
  onlyBusy("position");
  done("position");
}
