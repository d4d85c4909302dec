// Asking the server: every rule, value and reason of the page comes through here.

const PATIENCE = 20_000;
export const TRIES = 4;
const KEPT = 600;
const kept = new Map();

/** What the server, or the way to it, said was wrong: one line for people. */
export class Refused extends Error {
  constructor(message, status = 0) {
    super(message);
    this.status = status;
  }
}

export const isAbort = (error) => error?.name === "AbortError";

/** Wait, unless the signal says that nobody waits for it any more. */
export function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(new DOMException("stopped", "AbortError"));
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
  try {
    const { error } = await response.json();
    if (error) return new Refused(error, response.status);
  } catch (error) {
    if (isAbort(error)) throw error;
  }
  return new Refused(`The server answered ${response.status}; please try again.`, response.status);
}

async function ask(url, signal, headers) {
  try {
    return await fetch(url, { signal, headers });
  } catch (error) {
    if (isAbort(error)) throw error;
    if (error?.name === "TimeoutError") throw new Refused("The server takes too long; please try again.");
    throw new Refused("The server cannot be reached; is it still running?");
  }
}

/** Ask, and ask again if the server is busy: it says when to come back, and a few times we do. */
export async function request(url, signal, headers) {
  for (let attempt = 1; ; attempt += 1) {
    const response = await ask(url, signal, headers);
    if (response.ok) return response;
    const problem = await refusal(response);
    if (response.status !== 503 || attempt === TRIES) throw problem;
    const seconds = Number(response.headers.get("Retry-After")) || 1;
    await pause(Math.min(seconds, 10) * 1000, signal);
  }
}

/** Keep an answer: a position does not change, so neither does what is said of it. */
export function keep(url, answer) {
  if (kept.size >= KEPT) kept.delete(kept.keys().next().value);
  kept.set(url, answer);
  return answer;
}

/** The answer that was kept, if any. */
export const keptAnswer = (url) => kept.get(url);

async function get(path, parameters, signal) {
  const url = address(path, parameters);
  if (kept.has(url)) return kept.get(url);
  const limit = AbortSignal.timeout(PATIENCE);
  const response = await request(url, signal ? AbortSignal.any([signal, limit]) : limit);
  return keep(url, await response.json());
}

/** The games, players and searches that there are. */
export const games = () => get("games", {});

/** A position as the rules have it: board, legal actions, result. */
export const position = (game, where) => get("position", { game, position: where });

/** Why each action is worth what it is. */
export const explain = (game, where, signal) => get("explain", { game, position: where }, signal);

/** What a computer player does here. Never kept: a player may choose otherwise the next time. */
export async function move(game, where, player, signal) {
  const response = await request(address("move", { game, position: where, player }), signal);
  return response.json();
}

/** What a position is worth; see search.js, which is loaded when it is first wanted. */
export const analyse = async (...question) => (await import("./search.js")).analyse(...question);
