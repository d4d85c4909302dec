// The evaluation bar beside the board: the share of it that belongs to the first player, and the value in short.

import { find } from "./page.js";
import { fromView, short } from "./values.js";

const FARTHEST = 40;

/** How much of the bar is the first player's, for a value in the first player's view: a near win fills it. */
export function share({ value, distance }) {
  if (value === "draw") return 0.5;
  const far = Math.min(distance ?? FARTHEST, FARTHEST) / FARTHEST;
  const held = 1 - 0.3 * far;
  return value === "win" ? held : 1 - held;
}

/** Show the value of an answer. */
export function showBar(match, answer) {
  const bar = find("bar");
  const value = fromView(answer, answer.to_move !== null && answer.to_move !== match.position.players[0]);
  const unknown = value.value === "unknown";
  bar.classList.remove("searching");
  bar.classList.toggle("unknown", unknown);
  if (!unknown) bar.style.setProperty("--share", share(value));
  bar.classList.toggle("second", value.value === "loss");
  bar.lastElementChild.textContent = unknown ? "" : short(value);
}

/** Show that a search runs. */
export const searching = () => find("bar").classList.add("searching");
