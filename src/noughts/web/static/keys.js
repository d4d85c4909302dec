// Keys for the whole page. Inside the board the arrows belong to the grid; where people type, nothing is taken from them.

import { lettersOn } from "./page.js";

const TYPING = "input:not([type=checkbox], [type=radio]), select, textarea, [contenteditable], dialog";
const CONTROL = "button, a, summary, input, [role=gridcell], [role=treeitem], [tabindex]";

/** Listen; `acts` has a function for each name below, and `able` says whether there is a board to do it on. */
export function listen(acts, able) {
  const letters = { u: acts.undo, r: acts.redo, h: acts.hint, n: acts.fresh, a: acts.analyse, m: acts.mistake, v: acts.view, s: acts.swap, "?": acts.help };
  const moves = { ArrowLeft: acts.back, ArrowRight: acts.forward, Home: acts.first, End: acts.last };
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
    const target = event.target instanceof Element ? event.target : document.body;
    if (document.querySelector("dialog[open]") || target.closest(TYPING)) return;
    const act = chosen(event, target, letters, moves, acts);
    if (!act || !(able() || act === acts.help)) return;
    event.preventDefault();
    act();
  });
}

function chosen(event, target, letters, moves, acts) {
  const inside = target.closest('[role="grid"], [type="radio"], #tree');
  if (event.key in moves) return inside ? null : () => moves[event.key](event.repeat ? "replace" : "push");
  if (event.key === " ") return target.closest(CONTROL) ? null : acts.hint;
  const letter = event.key.toLowerCase();
  if (!Object.hasOwn(letters, letter) || event.repeat) return null;
  // Help is how one finds out that the letters are off, so it stays.
  return lettersOn() || letter === "?" ? letters[letter] : null;
}
