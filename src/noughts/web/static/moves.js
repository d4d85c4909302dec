// The list of moves, those taken back included: a click goes there.

import { find, make } from "./page.js";
import { sign } from "./values.js";

function entry(text, spoken, current, go) {
  const item = make("li");
  const button = item.appendChild(make("button", undefined, "ply"));
  button.type = "button";
  button.append(...text);
  if (spoken) button.append(make("span", spoken, "hidden"));
  if (current) button.setAttribute("aria-current", "step");
  button.addEventListener("click", go);
  return item;
}

/** Draw the list; `losses` says how much each move gave away, as far as that is known. */
export function drawMoves(table, losses, goTo) {
  const first = entry(["Start"], "", table.at === 0, () => goTo(0));
  first.className = "start";
  const items = table.line.map((move, index) => {
    const text = [make("span", `${index + 1}.`, "number"), ` ${move.by} `, make("b", move.action)];
    const mark = sign(losses.get(index) ?? 0);
    const spoken = [];
    if (mark) {
      text.push(make("span", mark, "mistake"));
      spoken.push(mark === "??" ? " grave mistake" : " mistake");
    }
    if (index >= table.at) spoken.push(" taken back");
    const item = entry(text, spoken.join(","), index + 1 === table.at, () => goTo(index + 1));
    item.classList.toggle("taken-back", index >= table.at);
    return item;
  });
  const list = find("moves");
  // The list is drawn anew, so the focus has to be handed on.
  const focused = [...list.children].findIndex((item) => item.contains(document.activeElement));
  list.replaceChildren(first, ...items);
  list.children[focused]?.firstElementChild.focus();
  const current = list.querySelector("[aria-current]");
  if (current) list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2;
}
