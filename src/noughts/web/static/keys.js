// Keys for the whole page. On the board the arrows belong to the grid; text fields keep all their keys.

import { lettersOn } from "./page.js";

const TYPING = "input:not([type=checkbox], [type=radio]), select, textarea, [contenteditable], dialog";
const CONTROL = "button, a, summary, input, [role=gridcell], [role=treeitem], [tabindex]";

/** Listen for keys; `commands` has a function for each name below, `ready` says whether there is a board. */
export function listen(commands, ready) {
  const letters = { u: commands.undo, r: commands.redo, h: commands.hint, n: commands.fresh, a: commands.analyse, m: commands.mistake, v: commands.view, s: commands.swap, "?": commands.help };
  const moves = { ArrowLeft: commands.back, ArrowRight: commands.forward, Home: commands.first, End: commands.last };
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
    const target = event.target instanceof Element ? event.target : document.body;
    if (document.querySelector("dialog[open]") || target.closest(TYPING)) return;
    const run = commandFor(event, target, letters, moves, commands);
    if (!run || !(ready() || run === commands.help)) return;
    event.preventDefault();
    run();
  });
}

function commandFor(event, target, letters, moves, commands) {
  const inside = target.closest('[role="grid"], [type="radio"], [role="tablist"], #tree');
  if (event.key in moves) return inside ? null : () => moves[event.key](event.repeat ? "replace" : "push");
  if (event.key === " ") return target.closest(CONTROL) ? null : commands.hint;
  const letter = event.key.toLowerCase();
  if (!Object.hasOwn(letters, letter) || event.repeat) return null;
  // The help key always works, since the help says whether letter keys are on.
  return lettersOn() || letter === "?" ? letters[letter] : null;
}
