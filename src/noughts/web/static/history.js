// The value of every position along the line, in the first player's view, with the mistakes marked.

import { analyse, isAbort } from "./api.js";
import { fill, find, make, style } from "./page.js";
import { fault, given, kind, seen, short, sign, words } from "./values.js";

await style("panels.css");

export class History {
  constructor(goTo, changed) {
    this.goTo = goTo;
    this.changed = changed;
    this.answers = new Map();
    this.failed = new Set();
    this.line = [];
    this.signal = null;
  }

  /** Ask for the values one after another, so that others are served in between; stop when the page moves on. */
  follow(table, signal, told) {
    if (signal !== this.signal) this.told = null;
    this.told = told ?? this.told;
    if (signal !== this.signal) this.following = this.ask(table, signal);
    this.signal = signal;
    return this.following;
  }

  async ask(table, signal) {
    this.begin(table);
    this.failed.clear();
    const list = find("history");
    list.dataset.ready = "false";
    for (let count = 0; count <= table.line.length; count += 1) {
      if (this.answers.has(count)) continue;
      this.told?.(count, table.line.length);
      try {
        const answer = await analyse(table.state.game, table.text(count), signal);
        if (signal.aborted) return;
        this.answers.set(count, answer);
      } catch (error) {
        if (signal.aborted || isAbort(error)) return;
        this.failed.add(count);
      }
      this.draw(table);
    }
    list.dataset.ready = "true";
  }

  /** Show what is known of a line: as far as it is the one before, that stays known. */
  begin(table) {
    const line = [table.state.game, table.position.start, ...table.line.map((move) => move.action)];
    const parts = line.findIndex((part, index) => part !== this.line[index]);
    const same = (parts < 0 ? line.length : parts) - 2;
    for (const known of [this.answers, this.failed]) for (const count of [...known.keys()]) if (count > same) known.delete(count);
    this.line = line;
    this.draw(table);
  }

  /** Take an answer that somebody else has asked for. */
  learn(table, answer) {
    this.begin(table);
    this.answers.set(table.at, answer);
    this.draw(table);
  }

  /** How much each move gave away, by its place in the line. */
  losses(table) {
    const found = table.line.map((move, index) => [index, this.answers.has(index) ? given(this.answers.get(index), move.action) : 0]);
    return new Map(found.filter(([, loss]) => loss));
  }

  draw(table) {
    const losses = this.losses(table);
    const entries = Array.from({ length: table.line.length + 1 }, (_, count) => this.entry(table, count, losses.get(count - 1) ?? 0));
    fill(find("history"), entries.map((each) => JSON.stringify(each)), (index) => this.item(entries[index], index));
    this.changed();
  }

  /** What is shown of a position, in the view of the player who starts. */
  entry(table, count, loss) {
    const [first] = table.position.players;
    const answer = this.answers.get(count) ?? (this.failed.has(count) ? { value: "unknown" } : null);
    const value = answer && seen(answer, answer.to_move !== first);
    const move = table.line[count - 1];
    const where = move ? `After move ${count}, ${move.by} ${move.action}` : "At the start";
    return {
      spoken: `${where}: ${worth(first, value)}${loss ? `; a ${fault(loss)}` : ""}`,
      kind: value ? kind(value) : "unknown", text: value ? short(value) : "·",
      loss, current: count === table.at, back: count > table.at,
    };
  }

  item({ spoken, kind: name, text, loss, current, back }, count) {
    const item = make("li");
    const button = item.appendChild(make("button", undefined, `worth ${name}`));
    button.type = "button";
    button.setAttribute("aria-label", spoken);
    button.append(make("i", undefined, `shape ${name}`), make("span", text));
    if (loss) button.append(make("span", sign(loss), "mistake"));
    button.append(make("span", String(count), "number"));
    if (current) button.setAttribute("aria-current", "step");
    item.classList.toggle("taken-back", back);
    button.addEventListener("click", () => this.goTo(count));
    return item;
  }

  /** The number of moves after which the next mistake has just been made, else the first one; null if there is none. */
  nextMistake(table) {
    const after = [...this.losses(table).keys()].map((index) => index + 1);
    return after.find((count) => count > table.at) ?? after[0] ?? null;
  }

  /** Say what was wrong with a move, and what would have been right. */
  about(table, index) {
    const { by, action } = table.line[index];
    const before = this.answers.get(index);
    const played = before.actions.find((each) => each.action === action);
    const better = before.best.slice(0, 6).join(", ");
    return `${by} ${action} ${words(played)}: a ${fault(given(before, action))}. ${by} ${words(before)} with ${better}.`;
  }
}

function worth(first, value) {
  if (!value) return "not known yet";
  if (value.value === "unknown") return `not known for ${first}`;
  return `${first} ${value.distance === 0 ? ended(value) : words(value)}`;
}

const ended = ({ value }) => ({ win: "has won", loss: "has lost" })[value] ?? "has drawn";
