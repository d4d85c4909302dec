// Values as people read them: "W3", "draws", and which of two is worse. Nothing here knows a game.

const OTHER = { win: "loss", loss: "win", lower: "upper", upper: "lower" };
const LETTERS = { win: "W", draw: "D", loss: "L" };
const RANKS = { loss: 0, draw: 1, win: 2 };
const BOUNDS = { lower: ["≥", "at least "], upper: ["≤", "at best "] };

/** The same value, or bound, as the other player sees it. */
const turned = (each) => OTHER[each] ?? each;

/** A value with its bound, turned if it is looked at from the other side. An action that is not exact is that or worse. */
export function seen(entry, flipped = false) {
  const { value, exact = true, bound = exact ? null : "upper" } = entry;
  return { ...entry, value: flipped ? turned(value) : value, bound: flipped ? turned(bound) : bound };
}

/** The short form, as on a cell: W3, D, L4, ? if unknown, ≤ where it may be worse and ≥ where it may be better. */
export function short(entry, flipped = false) {
  const { value, bound, distance } = seen(entry, flipped);
  if (!(value in LETTERS)) return "?";
  return (BOUNDS[bound]?.[0] ?? "") + LETTERS[value] + (value === "draw" ? "" : (distance || ""));
}

/** The kind of value, for its colour and shape. */
export const kind = ({ value }, flipped = false) => (flipped ? turned(value) : value);

/** In words: "wins at once", "at best draws", "loses by 8 in 10 plies". */
export function words(entry, flipped = false) {
  const { value, bound, distance, margin } = seen(entry, flipped);
  if (!(value in LETTERS)) return "not known";
  const limit = BOUNDS[bound]?.[1] ?? "";
  if (value === "draw") return `${limit}draws`;
  const by = Math.abs(margin ?? 1) > 1 ? ` by ${Math.abs(margin)}` : "";
  const when = distance === null || distance === undefined ? "" : distance === 1 ? " at once" : ` in ${distance} plies`;
  return `${limit}${value === "win" ? "wins" : "loses"}${by}${when}`;
}

/** How much a move gave away, from the analysis of the position before it: 0, 1 (a mistake) or 2 (a win into a loss). */
export function given(before, action) {
  const played = before.actions.find((each) => each.action === action);
  if (!played || !(played.value in RANKS) || !(before.value in RANKS)) return 0;
  return Math.max(0, RANKS[before.value] - RANKS[played.value]);
}

/** The sign of what a move gave away, and its name. */
export const sign = (loss) => "✗".repeat(loss);
export const fault = (loss) => ["", "mistake", "grave mistake"][loss];
