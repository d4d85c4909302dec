// Values as people read them: "W3", "draws", and which of two is worse. Nothing here knows a game.

const OTHER = { win: "loss", loss: "win" };
const LETTERS = { win: "W", draw: "D", loss: "L" };
const RANKS = { loss: 0, draw: 1, win: 2 };

/** The same value as the other player sees it. */
export const turned = (value) => OTHER[value] ?? value;

/** The short form, as on a cell: W3, D, L4, ? if unknown, ≤ where it may be worse and ≥ where it may be better. */
export function short({ value, distance, exact = true }, flipped = false) {
  const letter = LETTERS[flipped ? turned(value) : value];
  if (!letter) return "?";
  const bound = exact ? "" : flipped ? "≥" : "≤";
  return bound + letter + (value === "draw" ? "" : (distance || ""));
}

/** The kind of value, for its colour and shape. */
export const kind = ({ value }, flipped = false) => (flipped ? turned(value) : value);

/** In words: "wins at once", "at best draws", "loses by 8 in 10 plies". */
export function words({ value, distance, exact = true, margin }, flipped = false) {
  const seen = flipped ? turned(value) : value;
  if (!(seen in LETTERS)) return "not known";
  const bound = exact ? "" : flipped ? "at least " : "at best ";
  if (seen === "draw") return `${bound}draws`;
  const by = Math.abs(margin ?? 1) > 1 ? ` by ${Math.abs(margin)}` : "";
  const when = distance === null || distance === undefined ? "" : distance === 1 ? " at once" : ` in ${distance} plies`;
  return `${bound}${seen === "win" ? "wins" : "loses"}${by}${when}`;
}

/** How much a move gave away, from the analysis of the position before it: 0, 1 (a mistake) or 2 (a win into a loss). */
export function given(before, action) {
  const played = before.actions.find((each) => each.action === action);
  if (!played || !(played.value in RANKS) || !(before.value in RANKS)) return 0;
  return Math.max(0, RANKS[before.value] - RANKS[played.value]);
}

export const sign = (loss) => (loss === 2 ? "??" : loss === 1 ? "?" : "");
