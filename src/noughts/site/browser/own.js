// The editor for one's own game: findings beside the source, and links that play it, analyse it and share it.

import { consent } from "./consent.js";
import { editing } from "./editing.js";
import { load } from "./files.js";
import { startSandbox } from "./python.js";
import { agree, packed, unpacked } from "./source.js";
import { Workers } from "./workers.js";

const PAUSE = 600; // milliseconds after the last key
const find = (id) => document.getElementById(id);
const field = find("source");
const example = load("site/example.txt").then((response) => response.text());

function make(tag, text) {
  const element = document.createElement(tag);
  element.textContent = text;
  return element;
}

function finding({ message, advice, position, drawing, seen }) {
  const item = make("li", "");
  const where = position ? `After ${position}` : "At the start";
  const often = seen > 1 ? ` (and in ${seen - 1} other ${seen === 2 ? "position" : "positions"})` : "";
  item.append(make("strong", message), make("p", `${where}${often}:`));
  if (drawing) item.append(make("pre", drawing));
  item.append(make("p", advice));
  return item;
}

function summary({ ok, positions, complete, in_time: inTime, problems }) {
  const many = ok ? "No problem" : problems.length === 1 ? "1 problem" : `${problems.length} problems`;
  const places = `${positions.toLocaleString("en")} ${positions === 1 ? "position" : "positions"}`;
  return `${many} ${complete ? `in all ${places}` : `in ${places}, not all`}${inTime ? "." : "; there was no time for every check."}`;
}

function show({ status, body }) {
  const found = JSON.parse(body);
  find("verdict").textContent = status === 200 ? summary(found) : found.error;
  find("findings").replaceChildren(...(status === 200 ? [...found.notes.map((note) => make("li", note)), ...found.problems.map(finding)] : []));
}

// One worker checks every version, and is replaced if one of them does not come to an end.
const workers = new Workers((tell) => startSandbox("", tell), 1);
let current = { source: null, work: new AbortController() };

async function check() {
  const source = field.value;
  if (source !== current.source) {
    current.work.abort();
    const work = new AbortController();
    current = { source, work };
    document.body.dataset.ready = "false";
    find("verdict").textContent = "Checking …";
    find("findings").replaceChildren();
    try {
      const found = await workers.ask("/api/lint", source, work.signal);
      if (!work.signal.aborted) show(found);
    } catch (error) {
      if (work.signal.aborted) return;
      find("verdict").textContent = error.message;
    }
    if (work.signal.aborted) return;
  }
  document.body.dataset.ready = "true";
}

// What is in the field was typed here, or was agreed to.
async function fragment() {
  await agree(field.value);
  const made = await packed(field.value);
  window.history.replaceState(null, "", made);
  return made;
}

async function open(page) {
  window.location.assign(`${page}${await fragment()}`);
}

async function share() {
  const link = new URL(`./?game=own&position=${await fragment()}`, window.location.href).href;
  try {
    await navigator.clipboard.writeText(link);
    find("note").textContent = `Link copied: ${link.length.toLocaleString("en")} characters, with the whole game in it.`;
  } catch {
    find("note").textContent = "Could not copy the link. The address of this page holds the game, too.";
  }
}

async function begin() {
  let source = null;
  try {
    source = await unpacked(window.location.hash);
    if (source !== null && !(await consent(source))) {
      window.history.replaceState(null, "", window.location.pathname);
      source = null;
    }
  } catch (error) {
    find("alert").textContent = error.message;
  }
  field.value = source ?? (await example);
  let timer = 0;
  field.addEventListener("input", () => {
    find("note").textContent = "";
    clearTimeout(timer);
    document.body.dataset.ready = "false";
    timer = setTimeout(check, PAUSE);
  });
  editing(field);
  find("play").addEventListener("click", () => open("./?game=own&position=&second=perfect"));
  find("analyse").addEventListener("click", () => open("./?game=own&position=&analyse=on"));
  find("step").addEventListener("click", () => open("steps.html?game=own&search=alphabeta"));
  find("share").addEventListener("click", share);
  find("example").addEventListener("click", async () => {
    field.select();
    document.execCommand("insertText", false, await example);
  });
  await check();
}

window.addEventListener("hashchange", () => window.location.reload());
await begin();
