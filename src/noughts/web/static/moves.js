// The list of moves, those taken back included: a click goes there.

import { fill, find, make } from "./page.js";
import { fault, sign } from "./values.js";

function entry({ move, loss, current, back }, count, goTo) {
  const item = make("li", undefined, move ? "" : "start");
  const button = item.appendChild(make("button", move ? undefined : "Start", "ply"));
  button.type = "button";
  if (move) button.append(make("span", `${count}.`, "number"), ` ${move.by} `, make("b", move.action));
  if (loss) button.append(make("span", sign(loss), "mistake"));
  button.querySelector(".mistake")?.setAttribute("aria-hidden", "true");
  const spoken = [fault(loss), back && "taken back"].filter(Boolean).join(", ");
  if (spoken) button.append(make("span", ` ${spoken}`, "hidden"));
  if (current) button.setAttribute("aria-current", "step");
  item.classList.toggle("taken-back", back);
  button.addEventListener("click", () => goTo(count));
  return item;
}

/** Draw the list; `losses` says how much each move gave away, as far as that is known. */
export function drawMoves(table, losses, goTo) {
  const entries = [null, ...table.line].map((move, count) => (
    { move, loss: losses.get(count - 1) ?? 0, current: count === table.at, back: count > table.at }
  ));
  fill(find("moves"), entries.map((each) => JSON.stringify(each)), (index) => entry(entries[index], index, goTo));
}
