// Values as they are written: as numbers for MAX in the textbook's view, as W3, D and L4 in the mover's.

const SIGNS = ["", "≥ ", "≤ "];
const WORDS = ["", "at least ", "at most "];

const signed = (number, always) => {
  const size = Math.abs(number) === Infinity ? "∞" : String(Math.abs(number));
  return number < 0 ? `−${size}` : number > 0 && (always || size === "∞") ? `+${size}` : size;
};

/** A score in short: `score` takes the view of `mover`. */
function short(run, score, mover) {
  const { tree } = run;
  if (run.view === "textbook") return signed(mover * score + 0, !tree.numbers);
  if (!run.distance) return signed(score + 0, !tree.numbers);
  if (Math.abs(score) === Infinity) return signed(score);
  const whole = Math.floor(score);
  if (whole === 0) return "D";
  const margin = Math.abs(tree.utilityOf(whole));
  if (margin * 1 > Math.max(Math.abs(tree.range[0]), Math.abs(tree.range[1]))) return score < 0 ? "−∞" : "+∞";
  return `${whole > 0 ? "W" : "L"}${tree.distanceOf(whole) || ""}${margin > 1 ? ` by ${margin}` : ""}`;
}

/** An end of a window. A window widens on its way down, beyond all scores. */
function limit(run, score, mover) {
  if (run.distance) {
    const [low, high] = run.tree.range.map((utility) => mover * run.tree.score(utility, 0, true)).sort((one, other) => one - other);
    if (Math.floor(score) <= low) return "−∞";
    if (Math.ceil(score) >= high) return "+∞";
    return short(run, score < 0 ? Math.floor(score) : Math.ceil(score), mover);
  }
  return short(run, score, mover);
}

/** The bound of a value as it is shown: in the textbook's view, that of MIN turns round. */
function shownBound(run, bound, mover) {
  return run.view === "textbook" && mover < 0 ? OPPOSITE[bound] : bound;
}

/** The window of a visit, as it is shown: alpha and beta. */
function shownWindow(run, visit, low = run.alpha[visit]) {
  const mover = run.mover(visit);
  const ends = [limit(run, low, mover), limit(run, run.beta[visit], mover)];
  return run.view === "textbook" && mover < 0 ? ends.reverse() : ends;
}

/** Who is meant by MAX or MIN: "X (MAX)", or just "MAX" in a tree of numbers. */
function playerName(run, player) {
  const name = run.tree.players[player > 0 ? 0 : 1];
  const role = player > 0 ? "MAX" : "MIN";
  return run.view === "textbook" && name !== role ? `${name} (${role})` : name;
}

function plainName(run, player) {
  return run.tree.players[player > 0 ? 0 : 1];
}

/** A score in words that name the player: "X wins in 3 moves", "a draw". Empty where a number says it all. */
function inWords(run, score, mover) {
  const { tree } = run;
  if (tree.numbers || Math.abs(score) === Infinity) return "";
  const whole = Math.floor(score);
  if (tree.isPart && Math.abs(whole) < tree.unit) return whole === 0 ? "a guess, even" : `a guess, better for ${plainName(run, whole > 0 ? mover : -mover)}`;
  if (whole === 0) return "a draw";
  const winner = plainName(run, whole > 0 ? mover : -mover);
  const margin = run.distance ? Math.abs(tree.utilityOf(whole)) : Math.abs(whole) / tree.unit;
  const by = margin > 1 ? ` by ${margin}` : "";
  if (!run.distance) return `${winner} wins${by}`;
  const distance = tree.distanceOf(whole);
  return distance === 0 ? `${winner} has won${by}` : `${winner} wins${by} in ${distance} move${distance === 1 ? "" : "s"}`;
}

/** A value with its bound, as a node's label says it. */
function label(run, visit) {
  const mover = run.mover(visit);
  return SIGNS[shownBound(run, run.bound[visit], mover)] + short(run, run.result[visit], mover);
}
