// What the parts of the page share: what is on the table, what is shown of it, and the work that it started.

/** What the board needs to show no values at all. */
export const NOTHING = { labels: new Map(), best: new Set(), flipped: false, first: "", hint: null };

export const session = {
  /** The Table shown; null while there is none. */
  table: null,
  /** What the board shows beside the marks: labels, best, hint. */
  view: NOTHING,
  /** Stops what was started for this position: searches, reasons, a computer's thinking. */
  work: new AbortController(),
  /** Whether a computer is choosing its move. */
  thinking: false,
  /** The games and players that there are. */
  offered: { games: [], players: [] },
  /** The values along the line; made when they are first wanted. */
  history: null,
  /** What a click on a cell, an action or a move does; filled in by the page. */
  acts: { choose() {}, person() {}, goTo() {} },
};
