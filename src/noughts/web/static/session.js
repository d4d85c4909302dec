// The state that all modules share: the match, what the board shows of it, the work in progress.

/** A view of the board that shows no values. */
export const NOTHING = { labels: new Map(), best: new Set(), flipped: false, first: "", hint: null, ghosts: null, names: false };

export const session = {
  /** The current Match, or null. */
  match: null,
  /** What the board shows besides the marks: labels, best moves, a hint. */
  view: NOTHING,
  /** Aborts the work for this position: searches, explanations, a computer's move. */
  work: new AbortController(),
  /** Whether a computer is choosing a move. */
  thinking: false,
  /** The games and players to choose from. */
  offered: { games: [], players: [] },
  /** The values of all positions in the match; created when first needed. */
  history: null,
  /** The commands of commands.js; main.js sets them, since imports would be circular. */
  commands: { chooseCell() {}, playAction() {}, goTo() {}, retry() {} },
  /** The skin of the game that is shown. */
  skin: null,
};
