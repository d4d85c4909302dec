// What the position is worth: labels, one sentence, how far a long search is, hints, and the next mistake.

import { analyse } from "./api.js";
import { History } from "./history.js";
import { done, find, note, say } from "./page.js";
import { NOTHING, session } from "./session.js";
import { drawBoard, showMoves } from "./show.js";
import { next, travel } from "./navigation.js";

const BEFORE_SAYING = 700;

/** Turn an answer into what the board shows. */
function viewOf(answer, { position, flipped }) {
  const entries = answer.actions.length ? answer.actions : unlabelled(answer, position);
  return {
    labels: new Map(entries.map((entry) => [entry.action, entry])),
    best: new Set(answer.best),
    flipped,
    first: position.players[0],
    hint: null,
  };
}

// An answer may say what is best and no more: that has the position's own value, the rest is not known.
function unlabelled(answer, position) {
  return position.actions.map((action) => {
    const known = answer.best.includes(action) && answer.value !== "unknown";
    const { value, distance, margin, bound } = known ? answer : { value: "unknown", distance: null, margin: null, bound: null };
    return { action, value, distance, margin, bound };
  });
}

let latest = { position: null, answer: null, told: false };

// While the position stays, so does its answer, proven or not: a change of view does not search again.
async function answerHere(signal, progress) {
  const { state, position } = session.table;
  if (latest.position === position) return latest.answer;
  const answer = await analyse(state.game, state.position, signal, progress);
  latest = { position, answer, told: false };
  return answer;
}

const large = new Intl.NumberFormat("en");

/** Show the values of the position on the table. */
export async function analyseHere(signal) {
  const { table } = session;
  const sentence = find("sentence");
  sentence.setAttribute("aria-busy", "true");
  const slow = setTimeout(() => { sentence.textContent = "Searching …"; }, 250);
  try {
    const answer = await answerHere(signal, ({ depth, nodes, line }) => {
      clearTimeout(slow);
      if (signal.aborted) return;
      const found = line?.length ? `; so far best: ${line.slice(0, 6).join(" ")}` : "";
      sentence.textContent = `Searching: ${depth === null ? "" : `depth ${depth}, `}${large.format(nodes)} nodes${found}`;
    });
    if (signal.aborted) return;
    sentence.textContent = answer.sentence;
    session.view = { ...viewOf(answer, table), hint: session.view.hint };
    drawBoard();
    history().learn(table, answer);
    tell(latest, signal);
  } catch (error) {
    if (signal.aborted) return;
    sentence.textContent = `No analysis: ${error.message}`;
  } finally {
    clearTimeout(slow);
  }
  sentence.removeAttribute("aria-busy");
  done("analysis");
}

// Say what was found, once, and to those who stay: who moves on at once hears of the next position.
function tell(found, signal) {
  if (found.told || found.position.over) return;
  setTimeout(() => {
    if (signal.aborted || session.thinking || found.told) return;
    found.told = true;
    say(found.answer.sentence);
  }, BEFORE_SAYING);
}

function history() {
  session.history ??= new History((count) => session.acts.goTo(count), showMoves);
  return session.history;
}

/** Find the values along the line. */
export const followLine = (signal, told) => history().follow(session.table, signal, told);

/** Show a best move, and say what it leads to. */
export async function hint(signal) {
  const { table } = session;
  const answer = await answerHere(signal);
  if (signal.aborted) return;
  session.view = { ...(table.state.analyse ? viewOf(answer, table) : NOTHING), hint: answer.best[0] ?? null };
  drawBoard();
  note(`Hint: ${answer.best.length ? answer.sentence : "none; too little is known here."}`);
}

/** Go to the next mistake, as soon as the whole line is known, and say what was wrong. */
export async function nextMistake() {
  const { table, work: { signal } } = session;
  let aloud = "Looking for mistakes …";
  await followLine(signal, (count, all) => {
    note(`Looking for mistakes: ${count} of ${all} …`, aloud);
    aloud = "";
  });
  if (signal.aborted) return;
  const target = history().nextMistake(table);
  const words = target === null ? "No mistakes are known in this game." : history().about(table, target - 1);
  if (target !== null && target !== table.at) await next(() => travel(table.after(target), "push"));
  note(words);
}
