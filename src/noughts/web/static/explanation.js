// Why the moves are worth what they are, in the words of `noughts explain`; asked for only while the panel is open.

import * as api from "./api.js";
import { label } from "./board.js";
import { find, make, style } from "./page.js";

await style("panels.css");

function reason(entry, best, flipped) {
  const item = make("li");
  item.classList.toggle("best", best);
  item.append(make("b", entry.action), " ", label(entry, { flipped }), " ", make("span", entry.text));
  if (best) item.append(make("span", ", best", "hidden"));
  return item;
}

function show(panel, answer, { position, flipped }) {
  const list = make("ul", undefined, "reasons");
  const rank = (each) => ({ win: 0, draw: 1, loss: 3 })[each.value] ?? 2;
  const isBest = (each) => rank(each) < 3 && each.value === answer.value && each.distance === answer.distance;
  const ranked = [...answer.actions].sort((one, other) => rank(one) - rank(other));
  list.append(...ranked.map((entry) => reason(entry, isBest(entry), flipped)));
  const whose = `For ${position.to_move}, the player to move${flipped ? `; the signs are for ${position.players[0]}` : ""}:`;
  panel.replaceChildren(make("p", answer.sentence), make("p", whose, "soft"), list, ...answer.notes.map((each) => make("p", each, "soft")));
}

let latest = { position: null, answer: null };

/** Fill the panel for the position on the table. */
export async function explainHere(table, signal) {
  const panel = find("explanation");
  const { position, state } = table;
  panel.removeAttribute("aria-busy");
  if (position.over) {
    panel.replaceChildren(make("p", `${position.result.sentence} There is nothing left to explain.`));
    return;
  }
  panel.setAttribute("aria-busy", "true");
  if (!panel.childElementCount) panel.replaceChildren(make("p", "Thinking about it …", "soft"));
  try {
    // While the position stays, so do its reasons, even if time ran out on them.
    if (latest.position !== position) {
      const answer = await api.explain(state.game, position.position, signal);
      latest = { position, answer };
    }
    if (signal.aborted) return;
    show(panel, latest.answer, table);
  } catch (error) {
    if (signal.aborted || api.isAbort(error)) return;
    panel.replaceChildren(make("p", `No explanation: ${error.message}`));
  }
  panel.removeAttribute("aria-busy");
}
