// Helpers for the document: elements, messages, announcements, and whether work is in progress.

export const find = (id) => document.getElementById(id);

export function make(tag, text, name) {
  const element = document.createElement(tag);
  if (text !== undefined) element.textContent = text;
  if (name) element.className = name;
  return element;
}

/** Load a style sheet once, and wait until it applies. */
export function style(name) {
  const address = new URL(name, import.meta.url).href;
  if ([...document.styleSheets].some((sheet) => sheet.href === address)) return Promise.resolve();
  return new Promise((resolve) => {
    const link = Object.assign(make("link"), { rel: "stylesheet", href: address, onload: resolve, onerror: resolve });
    document.head.append(link);
  });
}

/** Enable or disable a button; a disabled one stays visible and keeps the focus. */
export function enable(button, on) {
  if (on) button.removeAttribute("aria-disabled");
  else button.setAttribute("aria-disabled", "true");
}

export const enabled = (button) => button.getAttribute("aria-disabled") !== "true";

/** Show items in a list by key: unchanged items and the focus stay, and the current item is scrolled into view. */
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

/** Capitalise a sentence, unless it begins with something else than a plain word. */
export const sentence = (text) => text.replace(/^[a-z](?=[a-z]*[ ,;:])/, (letter) => letter.toUpperCase());

let announced = [];
let announcedAt = 0;

/**
 * Announce a text to screen readers. A second text soon after the first is appended, else the first would be lost. At
 * most two are kept, and only the last of a topic.
 */
export function announce(text, topic = "") {
  if (!text) return;
  const soon = performance.now() - announcedAt < 900;
  const before = soon ? announced.filter((each) => each.text !== text && !(topic && each.topic === topic)) : [];
  announced = [...before.slice(-1), { text, topic }];
  announcedAt = performance.now();
  const words = announced.map((each) => each.text).join(" ");
  // Screen readers repeat the same words only if something about them differs.
  find("announcement").textContent = words === find("announcement").textContent ? `${words}\u00a0` : words;
}

/** Show an error, which is announced at once; no text clears it. */
export function showAlert(text = "") {
  find("alert").textContent = sentence(text);
}

/** Show a line beside the board: a hint, a caveat, why a click did nothing. */
export function showNote(text = "", spoken = text) {
  find("note").textContent = text;
  announce(spoken);
}

let retries = 0;

/** Count the requests that wait for a busy server, and show a message while there are any. */
export function countRetries(change) {
  retries += change;
  const text = retries ? "The server is busy. Trying again …" : "";
  if (find("busy").textContent !== text) find("busy").textContent = text;
}

const pending = new Set();

/** Mark work as in progress; tests and the mouse pointer use `data-ready`. */
export function busy(name) {
  pending.add(name);
  document.body.dataset.ready = "false";
}

export function done(name) {
  pending.delete(name);
  document.body.dataset.ready = String(pending.size === 0);
}

/** Forget all other work in progress. */
export function onlyBusy(name) {
  pending.clear();
  busy(name);
}

/** A function that gets or sets whether something is on; stored in this browser if possible. */
function setting(name, start) {
  let value = start;
  return (wanted) => {
    if (wanted !== undefined) value = wanted ? "on" : "off";
    try {
      if (wanted !== undefined) localStorage.setItem(name, value);
      value = localStorage.getItem(name) ?? value;
    } catch {
      // There is no storage in private windows or under strict settings.
    }
    return value === "on";
  };
}

/** Whether letter keys are on. */
export const lettersOn = setting("noughts.letters", "on");

/** Whether every cell shows its name. */
export const cellNames = setting("noughts.names", "off");
