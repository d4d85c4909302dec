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

/** Show items in a list, each known by a key: what has not changed stays, the focus too, and the current one is seen. */
export function fill(list, keys, build) {
  if (!list.children.length) list.place = "";
  const focused = [...list.children].findIndex((item) => item.contains(document.activeElement));
  keys.forEach((key, index) => {
    const old = list.children[index];
    if (old?.key === key) return;
    const item = Object.assign(build(index), { key });
    if (old) old.replaceWith(item);
    else list.append(item);
  });
  while (list.children.length > keys.length) list.lastChild.remove();
  const goal = list.children[Math.min(focused, keys.length - 1)]?.firstElementChild;
  if (goal && goal !== document.activeElement) goal.focus({ preventScroll: true });
  const current = list.querySelector("[aria-current]");
  const place = `${[...list.children].indexOf(current?.parentElement)} of ${keys.length}`;
  if (current && place !== list.place) {
    list.scrollTop = current.offsetTop + (current.offsetHeight - list.clientHeight) / 2;
    list.scrollLeft = current.offsetLeft + (current.offsetWidth - list.clientWidth) / 2;
  }
  list.place = place;
}

/** A sentence begins with a capital; what does not begin with a plain word, such as the name of a move, stays as it is. */
export const sentence = (text) => text.replace(/^[a-z](?=[a-z]*[ ,;:])/, (letter) => letter.toUpperCase());

let spoken = [];
let spokenAt = 0;

/**
 * Say something to those who listen. What comes right after another is added to it, else the first would be lost; but
 * two are enough, and of one topic only the last.
 */
export function say(text, topic = "") {
  if (!text) return;
  const soon = performance.now() - spokenAt < 900;
  const before = soon ? spoken.filter((each) => each.text !== text && !(topic && each.topic === topic)) : [];
  spoken = [...before.slice(-1), { text, topic }];
  spokenAt = performance.now();
  const words = spoken.map((each) => each.text).join(" ");
  // The same words again are news only if something about them differs.
  find("said").textContent = words === find("said").textContent ? `${words}\u00a0` : words;
}

/** Show one line about what went wrong, at once spoken; nothing clears it. */
export function alarm(text = "") {
  find("alert").textContent = sentence(text);
}

/** A line beside the board: a hint, a caveat, why a click did nothing. */
export function note(text = "", aloud = text) {
  find("note").textContent = text;
  say(aloud);
}

let waits = 0;

/** Count the questions that a busy server has put off, and say so while there are any. */
export function waiting(change) {
  waits += change;
  const text = waits ? "The server is busy; trying again …" : "";
  if (find("busy").textContent !== text) find("busy").textContent = text;
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
