// Answers the page's requests in this browser: it takes what `fetch` takes, and returns what `fetch` returns.

import { consent } from "./consent.js";
import { load } from "./files.js";
import { drawingOnly } from "./pictures.js";
import { python, startSandbox, startWorker } from "./python.js";
import { unpacked } from "./source.js";
import { Workers } from "./workers.js";

const OWN = "own";
const LIMITS = ["seconds", "nodes"];

const workers = new Workers(startWorker);
const first = load("site/first.json.gzip").then((response) => response.json()).catch(() => ({}));
let own = null;

/** What is answered with, where that is not JSON. */
const TYPES = { "/steps": "text/html; charset=utf-8", "/api/board.svg": "image/svg+xml", "/api/board.png": "image/png" };
const JSON_TYPE = "application/json";

const said = (status, body, type = JSON_TYPE) => new Response(body, { status, headers: { "Content-Type": type } });
const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

/** An answer to a question at a path; a PNG file comes as text, in base 64. */
function answered(path, status, body) {
  if (status !== 200) return said(status, body);
  return said(status, path === "/api/board.png" ? bytesOf(body) : body, TYPES[path]);
}

const problem = (status, error) => said(status, JSON.stringify({ error }));

/** What an answer is looked up by in the first answers. */
function key(path, query) {
  const wanted = new URLSearchParams(query);
  for (const name of LIMITS) wanted.delete(name);
  wanted.sort();
  return wanted.size ? `${path}?${wanted}` : path;
}

async function ownWorkers() {
  const source = await unpacked(window.location.hash);
  if (source === null) throw new Error("This address holds no game of your own. Open the editor to write one.");
  if (!(await consent(source))) throw new Error("This game was not run.");
  own ??= new Workers((tell) => startSandbox(source, tell));
  return own;
}

async function chosen(query) {
  if (new URLSearchParams(query).get("game")?.trim() === OWN) return ownWorkers();
  return workers;
}

async function* events(found, asked) {
  const waiting = [];
  let wake = () => {};
  const push = (kind, data) => {
    waiting.push(`event: ${kind}\ndata: ${data}\n\n`);
    wake();
  };
  let failed = null;
  let done = false;
  asked((progress) => push("progress", progress)).then(
    ({ status, body }) => (status === 200 ? push("answer", body) : push("error", JSON.stringify({ ...JSON.parse(body), status }))),
    (error) => {
      failed = error;
    },
  ).finally(() => {
    done = true;
    wake();
  });
  while (!done || waiting.length) {
    if (waiting.length) yield waiting.shift();
    else await new Promise((resolve) => (wake = resolve));
  }
  if (failed?.name === "AbortError") throw failed;
  if (failed) yield `event: error\ndata: ${JSON.stringify({ error: failed.message, status: 500 })}\n\n`;
}

function stream(steps) {
  const encoder = new TextEncoder();
  const body = new ReadableStream({
    async pull(controller) {
      try {
        const { value, done } = await steps.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      } catch (error) {
        controller.error(error);
      }
    },
  });
  return said(200, body, "text/event-stream");
}

/** Answer a request, as `fetch` would if there were a server. */
export async function ask(url, { signal, headers } = {}) {
  const [name, query = ""] = url.split("?");
  const path = `/${name}`;
  try {
    const known = (await first)[key(path, query)];
    if (known !== undefined) {
      begin();
      return answered(path, 200, known);
    }
    const found = await chosen(query);
    const asked = (progress) => found.ask(path, query, signal, progress);
    if (headers?.Accept === "text/event-stream") return stream(events(found, asked));
    const { status, body } = await asked();
    return answered(path, status, found === own && TYPES[path] === TYPES["/api/board.svg"] && status === 200 ? drawingOnly(body) : body);
  } catch (error) {
    if (error?.name === "AbortError" || error?.name === "TimeoutError") throw error;
    return problem(error.status ?? 500, error.message);
  }
}

let begun = false;

// Python is loaded after the page has what it shows first. For one's own game, only the worker without network starts.
function begin() {
  if (begun) return;
  begun = true;
  if (new URLSearchParams(window.location.search).get("game")?.trim() === OWN) python().catch(() => null);
  else workers.prepare();
}

// A link that differs in its fragment only is to another game.
window.addEventListener("hashchange", () => window.location.reload());
