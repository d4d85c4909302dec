// The page's state is stored in its address, so that links, reload and the back button lose nothing.

export const PERSON = "human";
const DEFAULT_OPPONENT = "perfect";

/** The seconds that a computer may think about a move, and the choice of them. */
export const DEFAULT_THINK = 1;
export const THINK = [DEFAULT_THINK, 3, 10];

const split = (text) => (text ?? "").split(/[\s,]+/).filter(Boolean);

/** Read the state from the query string of an address. */
export function read(search) {
  const query = new URLSearchParams(search);
  // A link to a position is for looking at it: a computer must not move there unless the link names one.
  const bare = !["position", "first", "second"].some((name) => query.has(name));
  return {
    game: (query.get("game") ?? "").trim(),
    position: (query.get("position") ?? "").trim(),
    then: split(query.get("then")),
    first: query.get("first") || PERSON,
    second: query.get("second") || (bare ? DEFAULT_OPPONENT : PERSON),
    tab: query.get("tab") === "learn" ? "learn" : ["on", "1", "true"].includes(query.get("analyse")) ? "analyse" : "play",
    view: query.get("view") === "first" ? "first" : "mover",
    think: THINK.find((seconds) => String(seconds) === query.get("think")) ?? DEFAULT_THINK,
    paused: query.get("pause") === "on",
  };
}

/** Write the state as a query string; defaults are left out, except for game and position. */
export function write(state) {
  const query = new URLSearchParams({ game: state.game, position: state.position });
  if (state.then.length) query.set("then", state.then.join(" "));
  if (state.first !== PERSON) query.set("first", state.first);
  if (state.second !== PERSON) query.set("second", state.second);
  if (state.tab === "analyse") query.set("analyse", "on");
  if (state.tab === "learn") query.set("tab", "learn");
  if (state.view === "first") query.set("view", "first");
  if (state.think !== DEFAULT_THINK) query.set("think", state.think);
  if (state.paused) query.set("pause", "on");
  // These characters are allowed in a query, and links are easier to read with them.
  return `?${query}`.replaceAll("%2F", "/").replaceAll("%2C", ",").replaceAll("%3A", ":");
}

/** The fragment that addresses about a game keep: it holds the source of the reader's own game. */
export const fragment = (game) => (game === "own" ? window.location.hash : "");
