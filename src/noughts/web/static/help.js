// The help dialog: all keys, and a switch for the letter keys. Loaded when first needed.

import { lettersOn, make, style } from "./page.js";

await style("panels.css");

const KEYS = [
  ["Tab", "move to the board and past it; the whole board is one stop"],
  ["← ↑ ↓ →", "on the board: go from cell to cell; elsewhere: ← and → go one move back and forward"],
  ["Home End", "on the board: go to the ends of the row, or of the board with Ctrl; elsewhere: the first and last position"],
  ["PageUp PageDown", "on the board: go to the top and bottom of the column"],
  ["Enter Space", "on the board: play there; elsewhere: Space shows a hint"],
  ["u r", "undo, redo"],
  ["h", "hint"],
  ["n s", "new game; swap sides and restart"],
  ["a v", "analysis on or off; change whose view the values take"],
  ["m", "next mistake"],
  ["← ↑ ↓ → Enter", "in the tree: open, close, go from node to node; Home and End go to the first and last node"],
  ["? Esc", "open this help; close it"],
];

const NOTES = [
  "W3 is a win in 3 moves (counting both sides), D a draw, L4 a loss in 4 moves. ≤ is that or worse, ≥ that or better, " +
    "? not known. ✗ marks a mistake, ✗✗ a blunder that turned a win into a loss.",
  "The computer waits after Undo and after Pause. Press Play on to let it move from the position shown. " +
    "To share what you see, copy the address of the page.",
];

function row([keys, meaning]) {
  const term = make("dt");
  for (const key of keys.split(" ")) term.append(make("kbd", key), " ");
  return [term, make("dd", meaning)];
}

function letterSwitch() {
  const label = make("label", undefined, "switch");
  const box = make("input");
  Object.assign(box, { type: "checkbox", id: "letters", checked: lettersOn() });
  box.setAttribute("role", "switch");
  box.addEventListener("change", () => lettersOn(box.checked));
  label.append(box, make("span", "Letter keys"));
  return label;
}

function build() {
  const dialog = make("dialog");
  dialog.id = "keys";
  dialog.setAttribute("aria-labelledby", "keys-title");
  const title = make("h2", "Keys");
  title.id = "keys-title";
  // Focus the title, so that a help longer than the screen starts at its top.
  title.tabIndex = -1;
  title.autofocus = true;
  const list = make("dl");
  list.append(...KEYS.flatMap(row));
  const words = NOTES.map((text) => make("p", text, "muted"));
  const close = make("button", "Close", "close");
  close.type = "button";
  close.addEventListener("click", () => dialog.close());
  dialog.append(title, list, ...words, letterSwitch(), close);
  return document.body.appendChild(dialog);
}

/** Open the help. */
export function showHelp() {
  (document.getElementById("keys") ?? build()).showModal();
}
