// The analysis of a position: labels, a sentence, the progress of a long search, hints, and the next mistake.

import { analyse } from "./api.js";
import { searching, showBar } from "./bar.js";
import { History } from "./history.js";
import { showLine } from "./line.js";
import { announce, done, find, showNote } from "./page.js";
import { NOTHING, session } from "./session.js";
import { drawBoard, playerCalled, say, showMoves } from "./show.js";
import { enqueue, navigate } from "./navigation.js";
import { choice } from "./values.js";

const ANNOUNCE_DELAY = 700;
const MAX_UNKNOWN = 12;

/** The view of the board for an answer. */
function viewOf(answer, { position, flipped }) {
  const entries = answer.actions.length ? answer.actions : entriesFromBest(answer, position);
  const shown = entries.filter(whatMatters(entries, answer));
  return {
    labels: new Map(shown.map((entry) => [entry.action, entry])),
    best: new Set(answer.best),
    flipped,
    first: playerCalled(position.players[0]),
    hint: null,
    ghosts: null,
  };
}

/** Of many moves of which nothing is known, only those that are best or a guess are labelled. */
function whatMatters(entries, answer) {
  const unknown = entries.filter(({ value }) => value === "unknown").length;
  const chosen = new Set(choice(answer));
  return ({ action, value }) => unknown <= MAX_UNKNOWN || value !== "unknown" || chosen.has(action);
}

function showOthers(answer, view) {
  const others = answer.actions.length - view.labels.size;
  find("more-moves").hidden = !view.labels.size || others <= 0;
  find("more-moves").textContent = `Nothing is known of the other ${large.format(others)} moves.`;
}

// An answer may name only the best actions: they have the position's value, and the other values are unknown.
function entriesFromBest(answer, position) {
  return position.actions.map((action) => {
    const known = answer.best.includes(action) && answer.value !== "unknown";
    const { value, distance, margin, bound } = known ? answer : { value: "unknown", distance: null, margin: null, bound: null };
    return { action, value, distance, margin, bound };
  });
}

let latest = { position: null, answer: null, announced: false };

// While the position stays the same, its answer is reused, proven or not: a change of view does not search again.
async function answerHere(signal, progress) {
  const { state, position } = session.match;
  if (latest.position === position) return latest.answer;
  const answer = await analyse(state.game, state.position, signal, progress);
  latest = { position, answer, announced: false };
  return answer;
}

const YOURS = { wins: "win", draws: "draw", loses: "lose" };

/** A sentence about whose turn it is: with one person in the match, it is "You win in 3 moves" or "The computer wins". */
function sayOf(match, text) {
  const words = say(text);
  const mover = match.position.to_move;
  const found = /^(\S+) (wins|draws|loses)\b/.exec(words);
  if (match.persons !== 1 || !found || found[1] !== playerCalled(mover)) return words;
  const start = match.isPerson(mover) ? `You ${YOURS[found[2]]}` : `The computer ${found[2]}`;
  return start + words.slice(found[0].length);
}

const large = new Intl.NumberFormat("en");

/** Show the values of the current position. */
export async function analyseHere(signal) {
  const { match } = session;
  const sentence = find("sentence");
  sentence.setAttribute("aria-busy", "true");
  const slow = setTimeout(() => { sentence.textContent = "Searching …"; searching(); }, 80);
  try {
    const answer = await answerHere(signal, ({ depth, nodes, line }) => {
      clearTimeout(slow);
      if (signal.aborted) return;
      const found = line?.length ? `; so far: ${line.slice(0, 6).join(" ")}` : "";
      sentence.textContent = `Searching: ${depth === null ? "" : `depth ${depth}, `}${large.format(nodes)} nodes${found}`;
    });
    if (signal.aborted) return;
    sentence.textContent = sayOf(match, answer.sentence);
    session.view = { ...viewOf(answer, match), hint: session.view.hint };
    drawBoard();
    showBar(match, answer);
    showLine(match, answer);
    showOthers(answer, session.view);
    history().add(match, answer);
    announceLater(latest, signal);
  } catch (error) {
    if (signal.aborted) return;
    sentence.textContent = `The position cannot be analysed: ${error.message}`;
  } finally {
    clearTimeout(slow);
  }
  sentence.removeAttribute("aria-busy");
  done("analysis");
}

// Announce the result once, and only if the player stays: after a quick move the next position is announced instead.
function announceLater(found, signal) {
  if (found.announced || found.position.over) return;
  setTimeout(() => {
    if (signal.aborted || session.thinking || found.announced) return;
    found.announced = true;
    announce(sayOf(session.match, found.answer.sentence));
  }, ANNOUNCE_DELAY);
}

function history() {
  session.history ??= new History((count) => session.commands.goTo(count), showMoves);
  return session.history;
}

/** Analyse all positions of the line. */
export const followLine = (signal, progress) => history().follow(session.match, signal, progress);

/** Show a best move, or a guess, and what it leads to. */
export async function hint(signal) {
  const { match } = session;
  const answer = await answerHere(signal);
  if (signal.aborted) return;
  session.view = { ...(match.analysed ? viewOf(answer, match) : NOTHING), hint: choice(answer)[0] ?? null };
  drawBoard();
  showNote(`Hint: ${choice(answer).length ? say(answer.sentence) : "none. Too little is known about this position."}`);
}

/** Analyse the whole line, then go to the next mistake and say what was wrong. */
export async function nextMistake() {
  const { match, work: { signal } } = session;
  let spoken = "Looking for mistakes …";
  await followLine(signal, (count, all) => {
    showNote(`Looking for mistakes: ${count} of ${all} …`, spoken);
    spoken = "";
  });
  if (signal.aborted) return;
  const target = history().nextMistake(match);
  const words = target === null ? "No mistakes found in this game." : history().about(match, target - 1);
  if (target !== null && target !== match.at) await enqueue(() => navigate(match.after(target), "push"));
  showNote(words);
}
