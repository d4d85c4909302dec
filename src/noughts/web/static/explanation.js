// The explanation panel: the reasons for each move's value, as in `noughts explain`; requested only while it is open.

import * as api from "./api.js";
import { label } from "./board.js";
import { find, make, style } from "./page.js";
import { playerCalled, say } from "./show.js";

await style("panels.css");

function reason(entry, best, flipped) {
  const item = make("li");
  item.classList.toggle("best", best);
  const [last, ...others] = [...entry.actions].reverse();
  const names = others.length ? `${others.reverse().join(", ")} and ${last}` : last;
  item.append(make("b", names), " ", label(entry, { flipped }), " ", make("span", say(entry.text)));
  if (best) item.append(make("span", ", best", "hidden"));
  return item;
}

function show(panel, answer, { position, flipped }) {
  const list = make("ul", undefined, "reasons");
  const rank = (each) => ({ win: 0, draw: 1, loss: 3 })[each.value] ?? 2;
  const isBest = (each) => rank(each) < 3 && each.value === answer.value && each.distance === answer.distance;
  const ranked = [...answer.groups].sort((one, other) => rank(one) - rank(other));
  list.append(...ranked.map((entry) => reason(entry, isBest(entry), flipped)));
  const whose = `For ${playerCalled(position.to_move)}, the player to move${flipped ? `; the labels are for ${playerCalled(position.players[0])}` : ""}:`;
  panel.replaceChildren(make("p", say(answer.sentence)), make("p", whose, "muted"), list, ...answer.notes.map((each) => make("p", say(each), "muted")));
}

let latest = { position: null, answer: null };

/** Fill the panel for the current position. */
export async function explainHere(match, signal) {
  const panel = find("explanation");
  const { position, state } = match;
  panel.removeAttribute("aria-busy");
  if (position.over) {
    panel.replaceChildren(make("p", `${say(position.result.sentence)} There are no moves to explain.`));
    return;
  }
  panel.setAttribute("aria-busy", "true");
  if (!panel.childElementCount) panel.replaceChildren(make("p", "Looking for reasons …", "muted"));
  try {
    // While the position stays the same, its explanation is reused, even if it ran out of time.
    if (latest.position !== position) {
      const answer = await api.explain(state.game, position.position, signal);
      latest = { position, answer };
    }
    if (signal.aborted) return;
    show(panel, latest.answer, match);
  } catch (error) {
    if (signal.aborted || api.isAbort(error)) return;
    panel.replaceChildren(make("p", `The moves cannot be explained: ${error.message}`));
  }
  panel.removeAttribute("aria-busy");
}
