// The value of every position of the match, in the first player's view, with the mistakes marked.

import { analyse, isAbort } from "./api.js";
import { fill, find, make, style } from "./page.js";
import { share } from "./bar.js";
import { shape } from "./marks.js";
import { playerCalled } from "./show.js";
import { choice, fromView, givenAway, kind, mistakeName, mistakeSign, short, words } from "./values.js";

await style("panels.css");

const MAX_LABELS = 9;

export class History {
  constructor(goTo, changed) {
    this.goTo = goTo;
    this.changed = changed;
    this.answers = new Map();
    this.failed = new Set();
    this.line = [];
    this.signal = null;
  }

  /** Request the values one at a time, so that the server can serve others in between; stop when the signal aborts. */
  follow(match, signal, progress) {
    if (signal !== this.signal) this.progress = null;
    this.progress = progress ?? this.progress;
    if (signal !== this.signal) this.following = this.ask(match, signal);
    this.signal = signal;
    return this.following;
  }

  async ask(match, signal) {
    this.begin(match);
    this.failed.clear();
    const list = find("history");
    list.dataset.ready = "false";
    for (let count = 0; count <= match.line.length; count += 1) {
      if (this.answers.has(count)) continue;
      this.progress?.(count, match.line.length);
      try {
        const answer = await analyse(match.state.game, match.text(count), signal);
        if (signal.aborted) return;
        this.answers.set(count, answer);
      } catch (error) {
        if (signal.aborted || isAbort(error)) return;
        this.failed.add(count);
      }
      this.draw(match);
    }
    list.dataset.ready = "true";
  }

  /** Show the known values of a line; those of the moves it shares with the line before are kept. */
  begin(match) {
    const line = [match.state.game, match.position.start, ...match.line.map((move) => move.action)];
    const parts = line.findIndex((part, index) => part !== this.line[index]);
    const same = (parts < 0 ? line.length : parts) - 2;
    for (const known of [this.answers, this.failed]) for (const count of [...known.keys()]) if (count > same) known.delete(count);
    this.line = line;
    this.draw(match);
  }

  /** Add the answer for the current position. */
  add(match, answer) {
    this.begin(match);
    this.answers.set(match.at, answer);
    this.draw(match);
  }

  /** How much each mistake gave away, by its index in the line. */
  losses(match) {
    const found = match.line.map((move, index) => [index, this.answers.has(index) ? givenAway(this.answers.get(index), move.action) : 0]);
    return new Map(found.filter(([, loss]) => loss));
  }

  draw(match) {
    const losses = this.losses(match);
    const entries = Array.from({ length: match.line.length + 1 }, (_, count) => this.entry(match, count, losses.get(count - 1) ?? 0));
    const list = find("history");
    list.classList.toggle("dense", entries.length > MAX_LABELS);
    list.parentElement.hidden = match.line.length === 0;
    fill(list, entries.map((each) => JSON.stringify(each)), (index) => this.item(entries[index], index));
    this.plot(list, entries);
    this.changed();
  }

  /** What is shown of a position, in the first player's view. */
  entry(match, count, loss) {
    const [first] = match.position.players;
    const answer = this.answers.get(count) ?? (this.failed.has(count) ? { value: "unknown" } : null);
    const value = answer && fromView(answer, answer.to_move !== first);
    const move = match.line[count - 1];
    const where = move ? `After move ${count}, ${playerCalled(move.by)} ${move.action}` : "At the start";
    return {
      height: value && value.value !== "unknown" ? share(value) : null,
      spoken: `${where}: ${valueInWords(playerCalled(first), value)}${loss ? `; a ${mistakeName(loss)}` : ""}`,
      kind: value ? kind(value) : "unknown", text: value ? short(value) : "·",
      loss, current: count === match.at, undone: count > match.at,
    };
  }

  // The line through the values; it is broken where a value is not known.
  plot(list, entries) {
    const graph = list.parentElement;
    graph.querySelector("svg")?.remove();
    const svg = shape("svg", { viewBox: `0 0 ${entries.length} 1`, preserveAspectRatio: "none", "aria-hidden": "true" });
    let path = "";
    entries.forEach(({ height }, index) => {
      if (height === null) return;
      path += `${index && entries[index - 1].height !== null ? "L" : "M"}${index + 0.5} ${1 - height}`;
    });
    svg.append(shape("path", { d: path || "M0 0", "vector-effect": "non-scaling-stroke" }));
    list.append(Object.assign(document.createElement("li"), { className: "plot", ariaHidden: "true" }));
    list.lastChild.append(svg);
    list.style.setProperty("--count", String(entries.length));
  }

  item({ spoken, kind: name, text, loss, current, undone, height }, count) {
    const item = make("li");
    item.style.setProperty("--height", String(height ?? 0.5));
    const button = item.appendChild(make("button", undefined, `value ${name}`));
    button.type = "button";
    button.setAttribute("aria-label", spoken);
    button.append(make("i", undefined, `shape ${name}`), make("span", text, "text"));
    if (loss) button.append(make("span", mistakeSign(loss), "mistake"));
    button.append(make("span", String(count), "number"));
    if (current) button.setAttribute("aria-current", "step");
    item.classList.toggle("undone", undone);
    button.addEventListener("click", () => this.goTo(count));
    return item;
  }

  /** The number of moves up to the next mistake, or else up to the first one; null if there is none. */
  nextMistake(match) {
    const after = [...this.losses(match).keys()].map((index) => index + 1);
    return after.find((count) => count > match.at) ?? after[0] ?? null;
  }

  /** Say what was wrong with a move, and which moves were better. */
  about(match, index) {
    const { by, action } = match.line[index];
    const before = this.answers.get(index);
    const played = before.actions.find((each) => each.action === action);
    const better = choice(before).slice(0, 6).join(", ");
    const name = playerCalled(by);
    return `${name} ${action} ${words(played)}: a ${mistakeName(givenAway(before, action))}. ${name} ${words(before)} with ${better}.`;
  }
}

function valueInWords(first, value) {
  if (!value) return "not known yet";
  if (value.value === "unknown") return `not known for ${first}`;
  return `${first} ${value.distance === 0 ? ended(value) : words(value)}`;
}

const ended = ({ value }) => ({ win: "has won", loss: "has lost" })[value] ?? "has drawn";
