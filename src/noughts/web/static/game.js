// A line of moves and who plays it: where undo and redo lead, whose turn it is, how a position is written.

import { PERSON } from "./address.js";

/** Write a position: where it started (nothing, or a diagram) and the moves since. */
export function written(start, actions) {
  const moves = actions.join(" ");
  if (!start) return moves;
  return moves ? `${start} then ${moves}` : start;
}

/** What is on the table: the state of the page, the position shown, and the line through it, moves taken back included. */
export class Table {
  constructor(state, position, line) {
    this.state = state;
    this.position = position;
    this.line = line;
    this.at = position.moves.length;
  }

  /** Who plays a mark: a person, or the name of a computer player. */
  seat(mark) {
    return mark === this.position.players[0] ? this.state.first : this.state.second;
  }

  isPerson(mark) {
    return this.seat(mark) === PERSON;
  }

  get persons() {
    return [this.state.first, this.state.second].filter((seat) => seat === PERSON).length;
  }

  /** Whether a computer has the move; it waits while moves are taken back, so that looking back changes nothing. */
  get computerToMove() {
    return !this.position.over && !this.isPerson(this.position.to_move);
  }

  /** Whether values are turned: they are asked for in the view of the one who starts, and the other is to move. */
  get flipped() {
    const { to_move: mover, players } = this.position;
    return this.state.view === "first" && mover !== null && mover !== players[0];
  }

  get waits() {
    return this.state.paused || this.state.then.length > 0;
  }

  /** The state with the first `count` moves of the line played and the rest taken back. */
  after(count) {
    const actions = this.line.map((move) => move.action);
    return { ...this.state, position: this.text(count), then: actions.slice(count) };
  }

  text(count) {
    return written(this.position.start, this.line.slice(0, count).map((move) => move.action));
  }

  /** The state after an action here. What was taken back is gone, unless two people go through it again. */
  played(action) {
    if (this.persons === 2 && this.line[this.at]?.action === action) return this.after(this.at + 1);
    const actions = this.line.slice(0, this.at).map((move) => move.action);
    return { ...this.state, position: written(this.position.start, [...actions, action]), then: [] };
  }

  /** Where undo leads: to the last position before this in which a person is to move; null if there is none. */
  get undoTo() {
    if (!this.persons) return this.at ? this.at - 1 : null;
    for (let count = this.at - 1; count >= 0; count -= 1) if (this.isPerson(this.line[count].by)) return count;
    return null;
  }

  /** Where redo leads, likewise; the end of the line counts. */
  get redoTo() {
    if (this.at === this.line.length) return null;
    if (!this.persons) return this.at + 1;
    for (let count = this.at + 1; count < this.line.length; count += 1) if (this.isPerson(this.line[count].by)) return count;
    return this.line.length;
  }
}
