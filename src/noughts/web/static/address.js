// The page's state and its address: one is the other, so that a link, a reload and the back button lose nothing.

export const PERSON = "human";
const USUAL_OPPONENT = "perfect";

const split = (text) => (text ?? "").split(/[\s,]+/).filter(Boolean);

/** Read the state from the query part of an address. */
export function read(search) {
  const query = new URLSearchParams(search);
  // An address that says where the pieces stand is a board to look at: nobody wants a computer to move on it unasked.
  const bare = !["position", "first", "second"].some((name) => query.has(name));
  return {
    game: (query.get("game") ?? "").trim(),
    position: (query.get("position") ?? "").trim(),
    then: split(query.get("then")),
    first: query.get("first") || PERSON,
    second: query.get("second") || (bare ? USUAL_OPPONENT : PERSON),
    analyse: ["on", "1", "true"].includes(query.get("analyse")),
    view: query.get("view") === "first" ? "first" : "mover",
    paused: query.get("pause") === "on",
  };
}

/** Write the state as the query part of an address; what is usual is left out, game and position never are. */
export function write(state) {
  const query = new URLSearchParams({ game: state.game, position: state.position });
  if (state.then.length) query.set("then", state.then.join(" "));
  if (state.first !== PERSON) query.set("first", state.first);
  if (state.second !== PERSON) query.set("second", state.second);
  if (state.analyse) query.set("analyse", "on");
  if (state.view === "first") query.set("view", "first");
  if (state.paused) query.set("pause", "on");
  // These signs may stand in a query as they are, and a link is easier to read with them.
  return `?${query}`.replaceAll("%2F", "/").replaceAll("%2C", ",").replaceAll("%3A", ":");
}
