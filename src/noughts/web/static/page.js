// Small helpers around the document: elements, what is said aloud, and whether anything is under way.

export const find = (id) => document.getElementById(id);

export function make(tag, text, name) {
  const element = document.createElement(tag);
  if (text !== undefined) element.textContent = text;
  if (name) element.className = name;
  return element;
}

/** Load a style sheet, once, and wait until it counts. */
export function style(name) {
  const address = new URL(name, import.meta.url).href;
  if ([...document.styleSheets].some((sheet) => sheet.href === address)) return Promise.resolve();
  return new Promise((resolve) => {
    const link = Object.assign(make("link"), { rel: "stylesheet", href: address, onload: resolve, onerror: resolve });
    document.head.append(link);
  });
}

/** A button that stays where it is, and keeps the focus, while it has nothing to do. */
export function enable(button, on) {
  if (on) button.removeAttribute("aria-disabled");
  else button.setAttribute("aria-disabled", "true");
}

export const enabled = (button) => button.getAttribute("aria-disabled") !== "true";

let spoken = "";
let spokenAt = 0;

/** Say something to those who listen. What comes right after another is added to it, else the first would be lost. */
export function say(text) {
  if (!text) return;
  const soon = performance.now() - spokenAt < 900;
  spoken = soon && !spoken.endsWith(text) ? `${spoken} ${text}` : text;
  // The same words again are news only if something about them differs.
  if (spoken === find("said").textContent) spoken += "\u00a0";
  spokenAt = performance.now();
  find("said").textContent = spoken;
}

/** Show one line about what went wrong, at once spoken; nothing clears it. */
export function alarm(text = "") {
  find("alert").textContent = text;
}

/** A line beside the board: a hint, a caveat, why a click did nothing. */
export function note(text = "") {
  find("note").textContent = text;
  say(text);
}

const pending = new Set();

/** Note what is under way; tests and the mouse pointer look at `data-ready`. */
export function busy(name) {
  pending.add(name);
  document.body.dataset.ready = "false";
}

export function done(name) {
  pending.delete(name);
  document.body.dataset.ready = String(pending.size === 0);
}

/** Of all that was under way only this still counts. */
export function onlyBusy(name) {
  pending.clear();
  busy(name);
}

const LETTERS = "noughts.letters";
let letters = "on";

/** Whether letters are keys: a setting of this person on this machine. Without storage it lasts as long as the page. */
export function lettersOn(wanted) {
  if (wanted !== undefined) letters = wanted ? "on" : "off";
  try {
    if (wanted !== undefined) localStorage.setItem(LETTERS, letters);
    letters = localStorage.getItem(LETTERS) ?? letters;
  } catch {
    // Private windows and strict settings have no storage.
  }
  return letters === "on";
}
