// A match: its moves and players, where undo and redo lead, whose turn it is, and how a position is written.

import { PERSON } from "./address.js";

const TOO_OFTEN = 3;

/** The text of a position: its start (empty, or a diagram) and the moves since. */
export function positionText(start, actions) {
  const moves = actions.join(" ");
  if (!start) return moves;
  return moves ? `${start} then ${moves}` : start;
}

/** The state of the page, the position shown, and the line of moves through it, undone ones too. */
export class Match {
  constructor(state, position, line) {
    this.state = state;
    this.position = position;
    this.line = line;
    this.at = position.moves.length;
  }

  /** Whether values are shown. */
  get analysed() {
    return this.state.tab === "analyse";
  }

  /** Who plays a mark: PERSON, or the name of a computer player. */
  seat(mark) {
    return mark === this.position.players[0] ? this.state.first : this.state.second;
  }

  isPerson(mark) {
    return this.seat(mark) === PERSON;
  }

  get persons() {
    return [this.state.first, this.state.second].filter((seat) => seat === PERSON).length;
  }

  /** Whether the position has occurred so often that the match can be a draw. */
  get repeated() {
    return !this.position.over && this.position.times >= TOO_OFTEN;
  }

  /** Whether the match is a draw by repetition, as one of computers is then. */
  get drawn() {
    return this.repeated && !this.persons;
  }

  /** Whether it is a computer's turn. */
  get computerToMove() {
    return !this.position.over && !this.drawn && !this.isPerson(this.position.to_move);
  }

  /** Whether values must be flipped: they are shown for the first player, and it is the second player's turn. */
  get flipped() {
    const { to_move: mover, players } = this.position;
    return this.state.view === "first" && mover !== null && mover !== players[0];
  }

  /** Whether the computer waits: after Pause, and while moves are undone. */
  get waits() {
    return this.state.paused || this.state.then.length > 0;
  }

  /** The state after the first `count` moves of the line, with the rest undone. */
  after(count) {
    const actions = this.line.map((move) => move.action);
    return { ...this.state, position: this.text(count), then: actions.slice(count) };
  }

  text(count) {
    return positionText(this.position.start, this.line.slice(0, count).map((move) => move.action));
  }

  /** The state after an action. It discards undone moves, unless two people replay the same move. */
  played(action) {
    if (this.persons === 2 && this.line[this.at]?.action === action) return this.after(this.at + 1);
    const actions = this.line.slice(0, this.at).map((move) => move.action);
    return { ...this.state, position: positionText(this.position.start, [...actions, action]), then: [] };
  }

  /** Where undo leads: to the last earlier position in which it is a person's turn; null if there is none. */
  get undoTo() {
    if (!this.persons) return this.at ? this.at - 1 : null;
    for (let count = this.at - 1; count >= 0; count -= 1) if (this.isPerson(this.line[count].by)) return count;
    return null;
  }

  /** Where redo leads: to the next such position, or the end of the line; null at the end. */
  get redoTo() {
    if (this.at === this.line.length) return null;
    if (!this.persons) return this.at + 1;
    for (let count = this.at + 1; count < this.line.length; count += 1) if (this.isPerson(this.line[count].by)) return count;
    return this.line.length;
  }
}
