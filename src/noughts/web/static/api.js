// Requests to whatever knows all rules, values and reasons: the server or, on a static site, Python in this browser.

import { countRetries } from "./page.js";

const TIMEOUT = 20_000;
/** For requests that search, and may have to wait in a queue first. */
export const LONG_TIMEOUT = 90_000;
const TRIES = 4;
const MAX_DELAY = 10;
const CACHE_SIZE = 600;
const cache = new Map();
const inBrowser = document.querySelector('meta[name="noughts-answers"]')?.content === "browser";

const answeredHere = (url) => inBrowser && !url.startsWith("static/");
const send = async (url, options) => (answeredHere(url) ? (await import("../site/connection.js")).ask(url, options) : fetch(url, options));
// In the browser, a first question waits for a long download, which shows its progress; a second one has its own limit.
const timeLimit = (milliseconds) => (inBrowser ? new AbortController().signal : AbortSignal.timeout(milliseconds));

/** The address of a page that steps through a search. */
export const stepsAddress = (query) => `steps${inBrowser ? ".html" : ""}?${query}`;

/** The address of the editor for a game of one's own, which a static site has; null on a server. */
export const editorAddress = () => (inBrowser ? `own.html${window.location.hash}` : null);

/** An error from the server or the network: a message for people, a status, and the seconds before a retry. */
export class ApiError extends Error {
  constructor(message, status = 0, after = 1) {
    super(message);
    this.status = status;
    this.after = after;
  }
}

const UNREACHABLE = "The server cannot be reached. Is it still running?";

export const isAbort = (error) => error?.name === "AbortError";

/** Wait, unless the signal aborts. */
export function delay(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    if (signal?.aborted) stop();
    signal?.addEventListener("abort", stop, { once: true });
  });
}

/** The address of a request. */
export function address(path, parameters) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined && value !== null) query.set(name, value);
  return `api/${path}?${query}`;
}

async function apiError(response) {
  const { error } = await response.json().catch((problem) => {
    if (["AbortError", "TimeoutError"].includes(problem?.name)) throw problem;
    return {};
  });
  const after = Math.min(Number(response.headers.get("Retry-After")) || 1, MAX_DELAY);
  return new ApiError(error || `The server answered ${response.status}; please try again.`, response.status, after);
}

async function once(url, read, signal, headers, timeout) {
  const limit = timeLimit(timeout);
  try {
    const response = await send(url, { signal: signal ? AbortSignal.any([signal, limit]) : limit, headers });
    if (!response.ok) throw await apiError(response);
    return await read(response);
  } catch (error) {
    if (error instanceof ApiError || isAbort(error)) throw error;
    throw new ApiError(error?.name === "TimeoutError" ? "The server took too long to answer. Please try again." : UNREACHABLE);
  }
}

/** Send a request; if the server is busy, retry a few times after the delay it asks for, each with its own timeout. */
export async function request(url, read, { signal, headers, timeout = TIMEOUT } = {}) {
  let retrying = 0;
  try {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await once(url, read, signal, headers, timeout);
      } catch (error) {
        if (error.status !== 503 || attempt === TRIES) throw error;
        if (!retrying) countRetries(1);
        retrying = 1;
        await delay(error.after * 1000, signal);
      }
    }
  } finally {
    countRetries(-retrying);
  }
}

/** Cache an answer that does not change. One that ran out of time may be better the next time. */
export function addToCache(url, answer) {
  const final = answer.proven !== false && (answer.stopped ?? "done") === "done";
  if (!final || answer.actions?.some((each) => each.exact === false)) return answer;
  if (cache.size >= CACHE_SIZE) cache.delete(cache.keys().next().value);
  cache.set(url, answer);
  return answer;
}

/** The cached answer, if any. */
export const cachedAnswer = (url) => cache.get(url);

async function get(path, parameters, options) {
  const url = address(path, parameters);
  return cache.get(url) ?? addToCache(url, await request(url, (response) => response.json(), options));
}

/** The games, players and searches to choose from. */
export const games = () => get("games", {});

/** A position by the rules: board, legal actions, result; with `after`, also the position after each action. */
export const position = (game, where, signal, after) => get("position", { game, position: where, after }, { signal });

/** The reasons for the value of each action. */
export const explain = (game, where, signal) => get("explain", { game, position: where }, { signal, timeout: LONG_TIMEOUT });

/** A game move by move, with its mistakes. */
export const review = (game, where, signal) => get("review", { game, position: where }, { signal, timeout: LONG_TIMEOUT });

/** A game as text, or the game that a `text` tells. */
export const record = (game, facts) => get("record", { game, ...facts });

/** A computer player's move. Never cached: a player may choose differently the next time. */
export function move(game, where, player, seconds, signal) {
  const url = address("move", { game, position: where, player, seconds });
  return request(url, (response) => response.json(), { signal, timeout: LONG_TIMEOUT });
}

/** The address of a picture of a position, as SVG. Where there is no server, the address holds the picture itself. */
export async function picture(game, where) {
  const url = address("board.svg", { game, position: where });
  if (!inBrowser) return url;
  return `data:image/svg+xml,${encodeURIComponent(await request(url, (response) => response.text()))}`;
}

const failures = new Map();

/** Load a module when first needed. After a failure the name changes: browsers do not load the same one twice. */
export async function load(name) {
  const failed = failures.get(name) ?? 0;
  try {
    return await import(`./${name}.js${failed ? `?again=${failed}` : ""}`);
  } catch (error) {
    failures.set(name, failed + 1);
    throw error instanceof TypeError ? new ApiError(UNREACHABLE) : error;
  }
}

/** The value of a position; see search.js, which is loaded when first needed. */
export const analyse = async (...args) => (await load("search")).analyse(...args);
