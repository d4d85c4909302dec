// Values as people read them: "W3", "draws", and how much a move gave away.

const OTHER = { win: "loss", loss: "win", lower: "upper", upper: "lower" };
const LETTERS = { win: "W", draw: "D", loss: "L" };
const RANKS = { loss: 0, draw: 1, win: 2 };
const BOUNDS = { lower: ["≥", "at least "], upper: ["≤", "at best "] };

/** The same value or bound from the other player's view. */
const opposite = (each) => OTHER[each] ?? each;

/** A value with its bound, from the other player's view if flipped. */
export function fromView(entry, flipped = false) {
  const { value, bound = null } = entry;
  return { ...entry, value: flipped ? opposite(value) : value, bound: flipped ? opposite(bound) : bound };
}

/** The short form, as on a cell: W3, D, L4, or ? if unknown; ≤ that or worse, ≥ that or better. */
export function short(entry, flipped = false) {
  const { value, bound, distance } = fromView(entry, flipped);
  if (!(value in LETTERS)) return "?";
  return (BOUNDS[bound]?.[0] ?? "") + LETTERS[value] + (value === "draw" ? "" : (distance || ""));
}

/** The best actions, or the guesses where nothing is proven. */
export const choice = ({ best, guess }) => (best.length ? best : guess);

/** The kind of value, for its colour and shape. */
export const kind = ({ value }, flipped = false) => (flipped ? opposite(value) : value);

/** In words: "wins at once", "at best draws", "loses by 8 in 10 moves". */
export function words(entry, flipped = false) {
  const { value, bound, distance, margin } = fromView(entry, flipped);
  if (!(value in LETTERS)) return "not known";
  const limit = BOUNDS[bound]?.[1] ?? "";
  if (value === "draw") return `${limit}draws`;
  const by = Math.abs(margin ?? 1) > 1 ? ` by ${Math.abs(margin)}` : "";
  const when = distance === null || distance === undefined ? "" : distance === 1 ? " at once" : ` in ${distance} moves`;
  return `${limit}${value === "win" ? "wins" : "loses"}${by}${when}`;
}

/** How much a move surely gave away, by the analysis before it: 0, 1 (a mistake) or 2 (a win became a loss). */
export function givenAway(before, action) {
  const played = before.actions.find((each) => each.action === action);
  if (before.bound === "upper" || played?.bound === "lower") return 0;
  if (!played || !(played.value in RANKS) || !(before.value in RANKS)) return 0;
  return Math.max(0, RANKS[before.value] - RANKS[played.value]);
}

/** The sign and the name of a mistake. */
export const mistakeSign = (loss) => "✗".repeat(loss);
export const mistakeName = (loss) => ["", "mistake", "blunder"][loss];
