// The game tree from a position, opened node by node, by the W3C tree pattern: one tab stop and arrow keys.
// A position that is equal or symmetric to one already shown appears as a duplicate, which cannot be opened.

import { analyse, isAbort, position as ask } from "./api.js";
import { shape } from "./marks.js";
import { make, style } from "./page.js";
import { kind, short, words } from "./values.js";

let shown = { key: "", tree: null, work: new AbortController() };
let number = 0;

/** Show the tree of a match's position in a container, unless it is there already; `goTo(position)` plays from a node. */
export async function explore(container, match, goTo) {
  const { game, position, view } = match.state;
  const viewer = view === "first" ? match.position.players[0] : null;
  const key = JSON.stringify([game, position]);
  if (key === shown.key && shown.tree?.whole.parentElement === container) return resume(viewer);
  const focused = container.contains(document.activeElement);
  stop();
  shown.tree?.showOpening();
  const now = { key, tree: null, work: new AbortController() };
  shown = now;
  try {
    const [start] = await Promise.all([ask(game, position, now.work.signal, true), style("panels.css"), style("explore.css")]);
    if (now.work.signal.aborted) return undefined;
    now.tree = new Tree(container, game, start, goTo, now.work.signal, viewer);
    await now.tree.begin();
    // If the focus was in the tree, as after “Play from here”, it stays there.
    if (focused) now.tree.focus(now.tree.root);
  } catch (error) {
    if (!isAbort(error)) throw error;
  }
  return undefined;
}

/** Abort the requests of the tree; open nodes stay open. */
export function stop() {
  shown.work.abort();
}

function resume(viewer) {
  const { tree, work } = shown;
  if (work.signal.aborted) {
    shown.work = new AbortController();
    tree.signal = shown.work.signal;
  }
  tree.setView(viewer);
}

const CELL = 10;
const GAP = 4;
const PATHS = {
  X: (x, y) => `M${x + 2.5} ${y + 2.5}l5 5m0 -5l-5 5`,
  O: (x, y) => `M${x + 2} ${y + 5}a3 3 0 1 0 6 0a3 3 0 1 0 -6 0`,
};

/** A small drawing of a board, with few elements, since there may be hundreds of boards. */
function picture(board) {
  const paths = { grid: "", X: "", O: "", lit: "" };
  const signs = [];
  let [width, y] = [0, 0];
  for (const row of board) {
    let x = 0;
    for (const cell of row) {
      if (cell !== null) {
        paths.grid += `M${x} ${y}h${CELL}v${CELL}h-${CELL}z`;
        if (cell.lit) paths.lit += `M${x + 1} ${y + 1}h8v8h-8z`;
        if (cell.mark in PATHS) paths[cell.mark] += PATHS[cell.mark](x, y);
        else if (cell.mark) signs.push([x, y, cell.mark]);
      }
      x += cell === null ? GAP : CELL;
    }
    width = Math.max(width, x);
    y += row.length ? CELL : GAP;
  }
  const svg = shape("svg", { viewBox: `-1 -1 ${width + 2} ${y + 2}`, class: "small-board", "aria-hidden": "true" });
  svg.style.setProperty("--across", String(width / CELL));
  for (const [name, d] of Object.entries(paths)) if (d) svg.append(shape("path", { d, class: `of-${name.toLowerCase()}` }));
  for (const [x, top, mark] of signs) {
    const dark = mark === "B" ? " dark" : "";
    if (mark === "B" || mark === "W") svg.append(shape("circle", { cx: x + 5, cy: top + 5, r: 4, class: `disc${dark}` }));
    const text = shape("text", { x: x + 5, y: top + 5.4, class: `sign${dark}`, "text-anchor": "middle", "dominant-baseline": "central" });
    text.textContent = mark;
    svg.append(text);
  }
  return svg;
}

/** The text of the position after an action. */
function positionAfter({ position, start, moves }, action) {
  if (start && !moves.length) return `${start} then ${action}`;
  return position ? `${position} ${action}` : action;
}

class Tree {
  constructor(container, game, start, goTo, signal, viewer) {
    Object.assign(this, { game, goTo, signal, viewer });
    this.first = new Map();
    this.opened = 0;
    this.root = { parent: null, level: 1, action: null, position: start.position, path: [], facts: start, start };
    this.first.set(start.same, this.root);
    this.status = make("p", "", "muted");
    this.status.setAttribute("role", "status");
    this.problem = make("p", "", "problem");
    this.problem.setAttribute("role", "alert");
    this.list = make("ul", undefined, "nodes");
    this.list.setAttribute("role", "tree");
    this.list.setAttribute("aria-label", `Game tree of ${start.title} from here`);
    this.chosen = make("span", "", "chosen");
    this.play = make("button", "Play from here");
    this.play.type = "button";
    this.play.id = `explore-play-${(number += 1)}`;
    this.chosen.id = `${this.play.id}-node`;
    this.play.setAttribute("aria-describedby", this.chosen.id);
    const bar = make("div", undefined, "chosen-bar");
    bar.append(this.chosen, this.play);
    this.whole = make("div", undefined, "explore");
    this.whole.append(this.status, this.list, this.problem, bar);
    container.replaceChildren(this.whole);
    this.list.append(this.build(this.root));
    this.choose(this.root);
    this.list.addEventListener("click", (event) => this.clicked(event.target));
    this.list.addEventListener("keydown", (event) => this.pressed(event));
    this.list.addEventListener("focusin", (event) => this.choose(this.nodeOf(event.target)));
    this.play.addEventListener("click", () => this.goTo(this.current.position));
  }

  begin() {
    this.showCounts();
    return this.root.facts.over ? null : this.open(this.root);
  }

  /** Show that another position is being loaded. */
  showOpening() {
    this.status.textContent = "Opening …";
    this.whole.setAttribute("aria-busy", "true");
  }

  /** Show the values in another player's view, and request those that were aborted. */
  setView(viewer) {
    const changed = viewer !== this.viewer;
    this.viewer = viewer;
    for (const { node } of this.list.querySelectorAll('[role="treeitem"]')) {
      if (changed) this.label(node);
      if (node.children && !node.valued) this.value(node);
    }
    this.showCounts();
  }

  // Drawing.

  build(node) {
    const { facts } = node;
    node.element = make("li", undefined, node.original ? "duplicate" : "");
    node.element.setAttribute("role", "treeitem");
    node.element.setAttribute("aria-level", String(node.level));
    node.element.tabIndex = -1;
    node.element.node = node;
    node.card = node.element.appendChild(make("div", undefined, "node"));
    node.head = make("p", undefined, "head");
    node.foot = make("p", undefined, "foot");
    node.card.append(node.head, facts.board === null ? make("pre", facts.drawing) : picture(facts.board), node.foot);
    if (this.canOpen(node)) node.element.setAttribute("aria-expanded", "false");
    this.label(node);
    return node.element;
  }

  canOpen(node) {
    return !node.original && !node.facts.over;
  }

  where(node) {
    return node.path.length ? `after ${node.path.join(" ")}` : "the current position";
  }

  // A node's value is for the player who moved to it, and the root's for the player to move, unless flipped.
  flipped(node) {
    const whose = (node.parent ?? node).facts.to_move;
    return this.viewer !== null && whose !== null && whose !== this.viewer;
  }

  /** Update the text of a node; its value is added when the analysis arrives. */
  label(node) {
    const { action, facts, value, best, original } = node;
    const flipped = this.flipped(node);
    node.head.replaceChildren(make("b", action ?? "From here"));
    if (value) node.head.append(" ", make("span", short(value, flipped), `label ${kind(value, flipped)}`));
    if (Math.abs(value?.margin ?? 0) > 1) node.head.append(` by ${Math.abs(value.margin)}`);
    if (best) node.head.append(" ", make("span", "best", "best-word"));
    node.card.classList.toggle("best", Boolean(best));
    const state = facts.over ? facts.result.sentence : `${facts.to_move} to move`;
    node.foot.replaceChildren(state);
    if (original) node.foot.append(make("br"), make("span", `same as ${this.where(original)}`, "link"));
    else if (this.canOpen(node)) node.foot.append(make("span", undefined, "toggle"));
    const parts = [action ?? "From here"];
    if (value) parts.push(`${flipped ? `for ${this.viewer}: ` : ""}${words(value, flipped)}${best ? ", best" : ""}`);
    parts.push(state.replace(/\.$/, ""));
    if (original) parts.push(`same as ${this.where(original)}, Enter goes there`);
    node.element.setAttribute("aria-label", parts.join("; "));
    if (node === this.current) this.chosen.textContent = this.describe(node);
  }

  describe(node) {
    const { value, facts } = node;
    const known = node.parent && value && value.value !== "unknown";
    const whose = known ? `, which ${words(value)} for ${node.parent.facts.to_move}` : "";
    const state = facts.over ? facts.result.sentence.replace(/\.$/, "") : `${facts.to_move} to move`;
    return `${this.where(node)}${node.parent ? " from here" : ""}${whose}; ${state}.`.replace(/^./, (letter) => letter.toUpperCase());
  }

  showCounts() {
    const shown = this.list.querySelectorAll('[role="treeitem"]').length;
    const opened = `${this.opened} ${this.opened === 1 ? "position" : "positions"} opened`;
    const different = this.first.size < shown ? `, ${this.first.size} of them distinct` : "";
    const text = `${opened}, ${shown} shown${different}. Values are for ${this.viewer ?? "the player who moves"}.`;
    if (this.status.textContent !== text) this.status.textContent = text;
  }

  // Opening and closing.

  async open(node) {
    if (!this.canOpen(node) || node.busy) return;
    if (!node.children) {
      node.busy = true;
      node.element.setAttribute("aria-busy", "true");
      try {
        node.start ??= await ask(this.game, node.position, this.signal, true);
        this.addChildren(node);
      } catch (error) {
        if (isAbort(error)) return;
        this.problem.textContent = error.message;
        return;
      } finally {
        node.busy = false;
        node.element.removeAttribute("aria-busy");
      }
      this.problem.textContent = "";
      this.value(node);
    }
    node.element.setAttribute("aria-expanded", "true");
    this.showCounts();
  }

  addChildren(node) {
    const group = make("ul", undefined, "nodes");
    group.setAttribute("role", "group");
    node.children = node.start.actions.map((action) => {
      const facts = node.start.after[action];
      const child = {
        parent: node, level: node.level + 1, action, facts, path: [...node.path, action],
        position: positionAfter(node.start, action), original: this.first.get(facts.same) ?? null,
      };
      if (!child.original) this.first.set(facts.same, child);
      group.append(this.build(child));
      return child;
    });
    node.element.append(group);
    this.opened += 1;
  }

  /** Request the values of an opened node's actions. The tree works without them. */
  async value(node) {
    try {
      const answer = await analyse(this.game, node.position, this.signal);
      node.valued = true;
      if (node === this.root && answer.value !== "unknown") this.root.value = answer;
      for (const child of node.children) {
        child.value = answer.actions.find((each) => each.action === child.action);
        child.best = child.value !== undefined && child.value.value !== "unknown" && answer.best.includes(child.action);
        this.label(child);
      }
      this.label(node);
    } catch (error) {
      if (!isAbort(error)) this.problem.textContent = `Values are not available: ${error.message}`;
    }
  }

  close(node) {
    if (this.isOpen(node)) node.element.setAttribute("aria-expanded", "false");
  }

  isOpen(node) {
    return node.element.getAttribute("aria-expanded") === "true";
  }

  activate(node) {
    if (node.original) this.goToOriginal(node);
    else if (this.isOpen(node)) this.close(node);
    else this.open(node);
  }

  goToOriginal(node) {
    for (let above = node.original.parent; above; above = above.parent) above.element.setAttribute("aria-expanded", "true");
    this.focus(node.original);
    node.original.card.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  // Focus and keys.

  nodeOf(element) {
    return element.closest('[role="treeitem"]')?.node ?? this.current;
  }

  choose(node) {
    if (this.current) {
      this.current.element.tabIndex = -1;
      this.current.element.removeAttribute("aria-selected");
    }
    this.current = node;
    node.element.tabIndex = 0;
    node.element.setAttribute("aria-selected", "true");
    this.chosen.textContent = this.describe(node);
  }

  focus(node) {
    node?.element.focus({ preventScroll: true });
    node?.card.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  clicked(element) {
    if (!element.closest(".node")) return;
    const node = this.nodeOf(element);
    this.focus(node);
    this.activate(node);
  }

  /** The visible nodes, from top to bottom. */
  visible(node = this.root) {
    return [node, ...(this.isOpen(node) ? (node.children ?? []).flatMap((child) => this.visible(child)) : [])];
  }

  pressed(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const node = this.nodeOf(event.target);
    const all = this.visible();
    const at = all.indexOf(node);
    const commands = {
      ArrowDown: () => this.focus(all[at + 1]),
      ArrowUp: () => this.focus(all[at - 1]),
      ArrowRight: () => (this.isOpen(node) ? this.focus(node.children[0]) : this.open(node)),
      ArrowLeft: () => (this.isOpen(node) ? this.close(node) : this.focus(node.parent)),
      Home: () => this.focus(this.root),
      End: () => this.focus(all.at(-1)),
      Enter: () => this.activate(node),
      " ": () => this.activate(node),
    };
    if (!(event.key in commands)) return;
    event.preventDefault();
    event.stopPropagation();
    commands[event.key]();
  }
}
