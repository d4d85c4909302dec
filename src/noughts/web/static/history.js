// The value of every position along the line, in the first player's view, with the mistakes marked.

import { analyse, isAbort } from "./api.js";
import { find, make, style } from "./page.js";
import { given, kind, short, sign, turned, words } from "./values.js";

await style("panels.css");

export class History {
  constructor(goTo, changed) {
    this.goTo = goTo;
    this.changed = changed;
    this.values = new Map();
    this.losses = new Map();
    this.answers = new Map();
    this.line = "";
  }

  /** Ask for the values one after another, so that others are served in between; stop when the page moves on. */
  async follow(table, signal) {
    this.begin(table);
    const list = find("history");
    list.dataset.ready = "false";
    for (let count = 0; count <= table.line.length; count += 1) {
      if (this.values.has(count)) continue;
      try {
        const answer = await analyse(table.state.game, table.text(count), signal);
        if (signal.aborted) return;
        this.learn(table, count, answer);
      } catch (error) {
        if (signal.aborted || isAbort(error)) return;
        this.values.set(count, { value: "unknown", distance: null });
      }
      this.draw(table);
    }
    list.dataset.ready = "true";
  }

  // What is known of the same line stays known.
  begin(table) {
    const line = JSON.stringify([table.state.game, table.text(table.line.length)]);
    if (line !== this.line) {
      this.values.clear();
      this.losses.clear();
    }
    this.line = line;
    this.draw(table);
  }

  learn(table, count, answer) {
    this.answers.set(count, answer);
    const flipped = answer.to_move !== table.position.players[0];
    this.values.set(count, { ...answer, value: flipped ? turned(answer.value) : answer.value, exact: answer.bound === null || answer.bound === undefined });
    const move = table.line[count];
    const loss = move ? given(answer, move.action) : 0;
    if (loss) this.losses.set(count, loss);
  }

  draw(table) {
    const list = find("history");
    const focused = [...list.children].findIndex((item) => item.contains(document.activeElement));
    const items = Array.from({ length: table.line.length + 1 }, (_, count) => this.item(table, count));
    list.replaceChildren(...items);
    list.children[focused]?.firstElementChild.focus();
    this.changed(this.losses);
  }

  item(table, count) {
    const item = make("li");
    const button = item.appendChild(make("button", undefined, "worth"));
    button.type = "button";
    const value = this.values.get(count);
    const move = table.line[count - 1];
    const mark = sign(this.losses.get(count - 1) ?? 0);
    const where = move ? `After move ${count}, ${move.by} ${move.action}` : "At the start";
    const worth = value ? `${table.position.players[0]} ${value.distance === 0 ? ended(value) : words(value)}` : "not known yet";
    button.setAttribute("aria-label", `${where}: ${worth}${mark ? "; a mistake" : ""}`);
    button.classList.add(value ? kind(value) : "unknown");
    button.append(make("i", undefined, `shape ${value ? kind(value) : ""}`), make("span", value ? short(value) : "·"));
    if (mark) button.append(make("span", mark, "mistake"));
    button.append(make("span", String(count), "number"));
    if (count === table.at) button.setAttribute("aria-current", "step");
    item.classList.toggle("taken-back", count > table.at);
    button.addEventListener("click", () => this.goTo(count));
    return item;
  }

  /** The number of moves after which the next mistake has just been made, else the first one; null if there is none. */
  nextMistake(table) {
    const after = [...this.losses.keys()].map((index) => index + 1).sort((one, other) => one - other);
    return after.find((count) => count > table.at) ?? after[0] ?? null;
  }

  /** Say what was wrong with a move, and what would have been right. */
  about(table, index) {
    const { by, action } = table.line[index];
    const before = this.answers.get(index);
    const played = before.actions.find((each) => each.action === action);
    const better = before.best.slice(0, 6).join(", ");
    return `${by} ${action} ${words(played)}: a mistake. ${by} ${words(before)} with ${better}.`;
  }
}

const ended = ({ value }) => ({ win: "has won", loss: "has lost" })[value] ?? "has drawn";
