// The list of moves, including undone ones; a click goes to that position.

import { fill, find, make } from "./page.js";
import { mistakeName, mistakeSign } from "./values.js";

function entry({ move, loss, current, undone }, count, goTo, called) {
  const item = make("li", undefined, move ? "" : "start");
  const button = item.appendChild(make("button", move ? undefined : "Start", "move"));
  button.type = "button";
  if (move) button.append(make("span", `${count}.`, "number"), ` ${called(move.by)} `, make("b", move.action));
  if (loss) button.append(make("span", mistakeSign(loss), "mistake"));
  button.querySelector(".mistake")?.setAttribute("aria-hidden", "true");
  const spoken = [mistakeName(loss), undone && "undone"].filter(Boolean).join(", ");
  if (spoken) button.append(make("span", ` ${spoken}`, "hidden"));
  if (current) button.setAttribute("aria-current", "step");
  item.classList.toggle("undone", undone);
  button.addEventListener("click", () => goTo(count));
  return item;
}

/** Draw the list; `losses` has how much each mistake gave away, as far as known. */
export function drawMoves(match, losses, goTo, called) {
  const entries = [null, ...match.line].map((move, count) => (
    { move, loss: losses.get(count - 1) ?? 0, current: count === match.at, undone: count > match.at }
  ));
  fill(find("moves"), entries.map((each) => JSON.stringify(each)), (index) => entry(entries[index], index, goTo, called));
}
