// What the position is worth: labels, one sentence, how far a long search is, hints, and the next mistake.

import { analyse } from "./api.js";
import { History } from "./history.js";
import { done, find, note } from "./page.js";
import { NOTHING, session } from "./session.js";
import { drawBoard, showMoves } from "./show.js";
import { next, travel } from "./travel.js";

/** Turn an answer into what the board shows. */
function viewOf(answer, position, state) {
  const entries = answer.actions.length ? answer.actions : unlabelled(answer, position);
  return {
    labels: new Map(entries.map((entry) => [entry.action, entry])),
    best: new Set(answer.best),
    flipped: state.view === "first" && position.to_move !== null && position.to_move !== position.players[0],
    first: position.players[0],
    hint: null,
  };
}

// An answer may say what is best and no more: that has the position's own value, the rest is not known.
function unlabelled(answer, position) {
  return position.actions.map((action) => {
    const known = answer.best.includes(action) && answer.value !== "unknown";
    const { value, distance, margin } = known ? answer : { value: "unknown", distance: null, margin: null };
    return { action, value, distance, margin, exact: known };
  });
}

/** Show the values of the position on the table, then those along the line. */
export async function analyseAndFollow(signal) {
  await analyseHere(signal);
  if (!signal.aborted) await followLine(signal);
}

const large = new Intl.NumberFormat("en");

async function analyseHere(signal) {
  const { state, position } = session.table;
  const sentence = find("sentence");
  sentence.setAttribute("aria-busy", "true");
  const slow = setTimeout(() => { sentence.textContent = "Searching …"; }, 250);
  try {
    const answer = await analyse(state.game, state.position, signal, ({ depth, nodes, line }) => {
      clearTimeout(slow);
      const found = line?.length ? `; so far best: ${line.slice(0, 6).join(" ")}` : "";
      sentence.textContent = `Searching: ${depth === null ? "" : `depth ${depth}, `}${large.format(nodes)} nodes${found}`;
    });
    if (signal.aborted) return;
    sentence.textContent = answer.sentence;
    session.view = { ...viewOf(answer, position, state), hint: session.view.hint };
    drawBoard();
  } catch (error) {
    if (signal.aborted) return;
    sentence.textContent = `No analysis: ${error.message}`;
  } finally {
    clearTimeout(slow);
  }
  sentence.removeAttribute("aria-busy");
  done("analysis");
}

async function followLine(signal) {
  session.history ??= new History((count) => session.acts.goTo(count), showMoves);
  await session.history.follow(session.table, signal);
}

/** Show a best move, and say what it leads to. */
export async function hint() {
  const { table: { state, position }, work: { signal } } = session;
  try {
    const answer = await analyse(state.game, state.position, signal);
    if (signal.aborted) return;
    session.view = { ...(state.analyse ? viewOf(answer, position, state) : NOTHING), hint: answer.best[0] ?? null };
    drawBoard();
    note(`Hint: ${answer.best.length ? answer.sentence : "none; too little is known here."}`);
  } catch (error) {
    if (signal.aborted) return;
    note(`No hint: ${error.message}`);
  }
  done("hint");
}

/** Go to the next mistake, as soon as the whole line is known, and say what was wrong. */
export async function nextMistake() {
  const { table, work: { signal } } = session;
  await followLine(signal);
  if (signal.aborted) return;
  const target = session.history.nextMistake(table);
  const words = target === null ? "No mistakes are known in this game." : session.history.about(table, target - 1);
  if (target !== null && target !== table.at) await next(() => travel(table.after(target), "push"));
  done("mistake");
  note(words);
}
