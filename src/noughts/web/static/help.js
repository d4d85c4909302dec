// The help: all keys, and a way to switch the letters off. Loaded when it is first asked for.

import { lettersOn, make, style } from "./page.js";

await style("panels.css");

const KEYS = [
  ["Tab", "to the board and on; the whole board is one stop"],
  ["← ↑ ↓ →", "on the board: from cell to cell; elsewhere ← and → go one move back and forward"],
  ["Home End", "on the board: the ends of the row, with Ctrl of the board; elsewhere: the first and the last position"],
  ["PageUp PageDown", "on the board: top and bottom of the column"],
  ["Enter Space", "on the board: play there; elsewhere Space gives a hint"],
  ["u r", "undo, redo"],
  ["h", "hint"],
  ["n s", "new game; swap sides and start again"],
  ["a v", "analysis on or off; for whom the values are"],
  ["m", "next mistake"],
  ["← ↑ ↓ → Enter", "in the tree: open, close, from node to node; Home and End go to the first and the last"],
  ["? Esc", "open and close this help"],
];

const TOLD = [
  "W3 means a win in 3 plies (moves by one side), D a draw, L4 a loss in 4; ≤ that or worse, ≥ that or better, ? not known. " +
    "✗ marks a mistake, ✗✗ a win turned into a loss.",
  "A computer waits while moves are taken back, or after Pause: Play on lets it move from the position shown. " +
    "The address of the page is a link to just this.",
];

function described([keys, what]) {
  const term = make("dt");
  for (const key of keys.split(" ")) term.append(make("kbd", key), " ");
  return [term, make("dd", what)];
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
  // The help is read from its top, also where it is longer than the screen.
  title.tabIndex = -1;
  title.autofocus = true;
  const list = make("dl");
  list.append(...KEYS.flatMap(described));
  const words = TOLD.map((text) => make("p", text, "soft"));
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
