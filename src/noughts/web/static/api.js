// Asking the server: every rule, value and reason of the page comes through here.

import { waiting } from "./page.js";

const PATIENCE = 20_000;
/** For what searches, and may have to wait its turn first. */
export const LONG_PATIENCE = 90_000;
const TRIES = 4;
const LONGEST_PAUSE = 10;
const KEPT = 600;
const kept = new Map();

/** What the server, or the way to it, said was wrong: one line for people; and after how many seconds to ask again. */
export class Refused extends Error {
  constructor(message, status = 0, after = 1) {
    super(message);
    this.status = status;
    this.after = after;
  }
}

const AWAY = "The server cannot be reached; is it still running?";

export const isAbort = (error) => error?.name === "AbortError";

/** Wait, unless the signal says that nobody waits for it any more. */
export function pause(milliseconds, signal) {
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

/** The address of a question. */
export function address(path, parameters) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined && value !== null) query.set(name, value);
  return `api/${path}?${query}`;
}

async function refusal(response) {
  const { error } = await response.json().catch((problem) => {
    if (["AbortError", "TimeoutError"].includes(problem?.name)) throw problem;
    return {};
  });
  const after = Math.min(Number(response.headers.get("Retry-After")) || 1, LONGEST_PAUSE);
  return new Refused(error || `The server answered ${response.status}; please try again.`, response.status, after);
}

async function once(url, read, signal, headers, patience) {
  const limit = AbortSignal.timeout(patience);
  try {
    const response = await fetch(url, { signal: signal ? AbortSignal.any([signal, limit]) : limit, headers });
    if (!response.ok) throw await refusal(response);
    return await read(response);
  } catch (error) {
    if (error instanceof Refused || isAbort(error)) throw error;
    throw new Refused(error?.name === "TimeoutError" ? "The server takes too long; try again." : AWAY);
  }
}

/** Ask, and ask again if the server is busy: it says when to come back, and a few times we do. Patience is for each time. */
export async function request(url, read, { signal, headers, patience = PATIENCE } = {}) {
  let told = 0;
  try {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await once(url, read, signal, headers, patience);
      } catch (error) {
        if (error.status !== 503 || attempt === TRIES) throw error;
        if (!told) waiting(1);
        told = 1;
        await pause(error.after * 1000, signal);
      }
    }
  } finally {
    waiting(-told);
  }
}

/** Keep an answer that does not change. One that ran out of time may be better the next time. */
export function keep(url, answer) {
  const settled = answer.proven !== false && (answer.stopped ?? "done") === "done";
  if (!settled || answer.actions?.some((each) => each.exact === false)) return answer;
  if (kept.size >= KEPT) kept.delete(kept.keys().next().value);
  kept.set(url, answer);
  return answer;
}

/** The answer that was kept, if any. */
export const keptAnswer = (url) => kept.get(url);

async function get(path, parameters, options) {
  const url = address(path, parameters);
  return kept.get(url) ?? keep(url, await request(url, (response) => response.json(), options));
}

/** The games, players and searches that there are. */
export const games = () => get("games", {});

/** A position as the rules have it: board, legal actions, result; with `after`, also what each action leads to. */
export const position = (game, where, signal, after) => get("position", { game, position: where, after }, { signal });

/** Why each action is worth what it is. */
export const explain = (game, where, signal) => get("explain", { game, position: where }, { signal, patience: LONG_PATIENCE });

/** What a computer player does here. Never kept: a player may choose otherwise the next time. */
export function move(game, where, player, signal) {
  const url = address("move", { game, position: where, player });
  return request(url, (response) => response.json(), { signal, patience: LONG_PATIENCE });
}

const failures = new Map();

/** Load a module when it is first wanted. One that could not be had is asked for by another name: browsers do not try twice. */
export async function load(name) {
  const failed = failures.get(name) ?? 0;
  try {
    return await import(`./${name}.js${failed ? `?again=${failed}` : ""}`);
  } catch (error) {
    failures.set(name, failed + 1);
    throw error instanceof TypeError ? new Refused(AWAY) : error;
  }
}

/** What a position is worth; see search.js, which is loaded when it is first wanted. */
export const analyse = async (...question) => (await load("search")).analyse(...question);
