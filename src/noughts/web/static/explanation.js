// Why the moves are worth what they are, in the words of `noughts explain`; asked for only while the panel is open.

import * as api from "./api.js";
import { label } from "./board.js";
import { find, make, style } from "./page.js";

await style("panels.css");

function reason(entry, best) {
  const item = make("li");
  item.classList.toggle("best", best);
  item.append(make("b", entry.action), " ", label(entry, { flipped: false }), " ", make("span", entry.text));
  if (best) item.append(make("span", ", best", "hidden"));
  return item;
}

/** Fill the panel for the position on the table. */
export async function explainHere(table, signal) {
  const panel = find("explanation");
  if (table.position.over) {
    panel.replaceChildren(make("p", `${table.position.result.sentence} There is nothing left to explain.`));
    return;
  }
  panel.setAttribute("aria-busy", "true");
  if (!panel.childElementCount) panel.replaceChildren(make("p", "Thinking about it …", "soft"));
  try {
    const answer = await api.explain(table.state.game, table.position.position, signal);
    if (signal.aborted) return;
    const list = make("ul", undefined, "reasons");
    const rank = (each) => ({ win: 0, draw: 1, loss: 3 })[each.value] ?? 2;
    const ranked = [...answer.actions].sort((one, other) => rank(one) - rank(other));
    list.append(...ranked.map((entry) => reason(entry, rank(entry) < 3 && entry.value === answer.value && entry.distance === answer.distance)));
    panel.replaceChildren(make("p", answer.sentence), list, ...answer.notes.map((each) => make("p", each, "soft")));
  } catch (error) {
    if (signal.aborted || api.isAbort(error)) return;
    panel.replaceChildren(make("p", `No explanation: ${error.message}`));
  }
  panel.removeAttribute("aria-busy");
}
