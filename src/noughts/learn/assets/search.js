// The searches: minimax and alpha-beta with what can be added to them, on the positions that the page holds.
// A run records every visit of a node in numbers; `steps.js` finds the steps between them when they are shown.
// Scores take the view of the player to move. The tests compare every visit with the searches of the package.

const EXACT = 0, LOWER = 1, UPPER = 2;
const OPPOSITE = [EXACT, UPPER, LOWER];
const MOST_VISITS = 700_000;
const HALF = 0.5; // narrower than any difference of two scores: the null windows of principal variation search
const SEARCHES = {
  minimax: { name: "Minimax", short: "minimax" },
  alphabeta: { name: "Alpha-beta", short: "alpha-beta", prune: true },
  table: { name: "Alpha-beta with a table", short: "with a table", prune: true, table: true },
  symmetry: { name: "Alpha-beta with a table and symmetry", short: "with symmetry", prune: true, table: true, symmetry: true },
  principal: { name: "Principal variation search", short: "principal variation", prune: true, table: true, symmetry: true, scout: true },
  bounds: { name: "Principal variation search with bounds", short: "with bounds", prune: true, table: true, symmetry: true, scout: true, hints: true },
};

/** A number from 0 to 1 for each call, the same for the same seed. */
function randomFrom(seed) {
  let state = (seed ^ 0x9e3779b9) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Positions and scores of one game: the arithmetic of `noughts.score`. */
class Tree {
  constructor(data) {
    Object.assign(this, data);
    this.size = data.movers.length;
    this.isPart = data.horizon !== null;
  }

  isLeaf(position) {
    return this.children[position].length === 0;
  }

  /** How many branches a position has. */
  width(position) {
    return this.children[position].length / 2;
  }

  actionName(position, edge) {
    return this.actions[this.children[position][2 * edge]];
  }

  child(position, edge) {
    return this.children[position][2 * edge + 1];
  }

  /** The branches of a position in the order in which they are tried: as the game lists them, or shuffled. */
  order(position, seed) {
    const edges = Array.from({ length: this.width(position) }, (_, edge) => edge);
    if (!seed) return edges;
    const random = randomFrom(seed * 65_537 + position * 31 + 7);
    for (let last = edges.length - 1; last > 0; last--) {
      const other = Math.floor(random() * (last + 1));
      [edges[last], edges[other]] = [edges[other], edges[last]];
    }
    return edges;
  }

  /** How many nodes the whole tree has from a position; a position that is reached twice counts twice. */
  nodes(position = 0) {
    this.counted ??= new Map();
    if (this.counted.has(position)) return this.counted.get(position);
    let sum = 1;
    for (let edge = 0; edge < this.width(position); edge++) sum += this.nodes(this.child(position, edge));
    this.counted.set(position, sum);
    return sum;
  }

  score(utility, plies, distance) {
    if (!distance) return utility;
    return Math.sign(utility) * (Math.abs(utility) * (this.longest + 1) - plies);
  }

  utilityOf(score) {
    return Math.sign(score) * Math.ceil(Math.abs(score) / (this.longest + 1));
  }

  distanceOf(score) {
    const rest = Math.abs(score) % (this.longest + 1);
    return rest === 0 ? 0 : this.longest + 1 - rest;
  }
}

const nearer = (score) => (score >= 1 ? score + 1 : score <= -1 ? score - 1 : score);
const later = (score) => (score >= 1 ? score - 1 : score <= -1 ? score + 1 : score);

/** One search of a tree: every visit of a node, in order. `view` is "textbook" (no distances) or "negamax". */
class Run {
  constructor(tree, search, view = "textbook", seed = 0, most = MOST_VISITS) {
    Object.assign(this, { tree, search, view, seed, most, ...{ prune: false, table: false, symmetry: false, scout: false, hints: false }, ...SEARCHES[search] });
    this.symmetry &&= tree.alike !== null;
    this.distance = view === "negamax" && !tree.numbers && !tree.isPart;
    for (const name of ["position", "parent", "edge", "ply", "alpha", "beta", "result", "bound", "reason", "entered", "left", "first", "next", "scouting", "source"]) this[name] = [];
    this.last = []; // the last child so far
    this.entries = new Map();
    this.clock = 0;
    this.cutoffs = [];
    this.hits = [];
    this.ends = 0;
    this.complete = true;
    try {
      this.visit(0, -1, -1, 0, -Infinity, Infinity);
    } catch (problem) {
      if (problem !== "too long") throw problem;
      this.complete = false;
    }
    this.entries.clear();
    this.steps = this.complete ? this.clock : 0;
    this.visits = this.position.length;
  }

  mover(visit) {
    return this.tree.movers[this.position[visit]];
  }

  /** The score of a child in the view of its parent's player, one ply earlier. */
  above(child) {
    const score = this.result[child];
    const own = this.mover(child) === this.mover(this.parent[child]) ? score : -score;
    return this.distance ? later(own) : own;
  }

  aboveBound(child) {
    return this.mover(child) === this.mover(this.parent[child]) ? this.bound[child] : OPPOSITE[this.bound[child]];
  }

  enter(position, parent, edge, ply, alpha, beta, scouting) {
    const visit = this.position.length;
    if (visit >= this.most) throw "too long";
    this.position.push(position);
    this.parent.push(parent);
    this.edge.push(edge);
    this.ply.push(ply);
    this.alpha.push(alpha);
    this.beta.push(beta);
    this.result.push(0);
    this.bound.push(EXACT);
    this.reason.push("");
    this.entered.push(this.clock++);
    this.left.push(Infinity);
    this.first.push(-1);
    this.next.push(-1);
    this.last.push(-1);
    this.scouting.push(scouting);
    this.source.push(-1);
    if (parent >= 0) {
      if (this.first[parent] < 0) this.first[parent] = visit;
      else this.next[this.last[parent]] = visit;
      this.last[parent] = visit;
    }
    return visit;
  }

  leave(visit, score, reason, bound) {
    this.result[visit] = score;
    this.reason[visit] = reason;
    this.bound[visit] = bound ?? (score <= this.alpha[visit] ? UPPER : score >= this.beta[visit] ? LOWER : EXACT);
    this.left[visit] = this.clock++;
    if (reason === "end" || reason === "horizon") this.ends++;
    return score;
  }

  lowest(utility) {
    return utility <= 0 ? this.tree.score(utility, 1, this.distance) : this.tree.score(utility - 1, 0, this.distance) + 0.75;
  }

  /** The lowest and highest score that the game states for a position, for its mover. */
  limits(position) {
    if (!this.hints) return [-Infinity, Infinity];
    let [low, high] = this.tree.bounds?.[position] ?? this.tree.range;
    if (this.tree.movers[position] < 0) [low, high] = [-high, -low];
    return [this.lowest(low), -this.lowest(-high)];
  }

  ordered(position, entry) {
    let edges = this.tree.order(position, this.seed);
    if (this.hints && this.tree.preferred.length) {
      const place = (edge) => {
        const at = this.tree.preferred.indexOf(this.tree.children[position][2 * edge]);
        return at < 0 ? Infinity : at;
      };
      const places = new Map(edges.map((edge) => [edge, place(edge)]));
      edges = edges.sort((one, other) => (places.get(one) === places.get(other) ? 0 : places.get(one) - places.get(other)));
    }
    if (entry?.own !== position) return edges;
    return [entry.edge, ...edges.filter((edge) => edge !== entry.edge)];
  }

  visit(position, parent, edge, ply, alpha, beta, scouting = false) {
    const { tree } = this;
    const visit = this.enter(position, parent, edge, ply, alpha, beta, scouting);
    const mover = tree.movers[position];
    if (tree.utilities[position] !== null) return this.leave(visit, mover * tree.score(tree.utilities[position], 0, this.distance), "end", EXACT);
    const [low, high] = this.limits(position);
    if (low >= beta || low === high) return this.leave(visit, low, "bounds");
    if (high <= alpha) return this.leave(visit, high, "bounds");
    if (tree.guesses[position] !== null) return this.leave(visit, mover * tree.guesses[position], "horizon", EXACT);
    const key = this.symmetry && ply ? ~tree.alike[position] : position;
    const entry = this.table ? this.entries.get(key) : undefined;
    if (entry && (entry.bound === EXACT || (entry.bound === LOWER ? entry.score >= beta : entry.score <= alpha))) {
      this.source[visit] = entry.visit;
      this.hits.push(visit);
      return this.leave(visit, entry.score, "table", entry.bound);
    }
    this.clock++; // best = −∞
    let best = -Infinity, bestEdge = -1, reason = "searched", scouts = false;
    const floor = Math.max(alpha, low);
    for (const next of this.ordered(position, entry)) {
      this.clock++; // for each action
      const least = Math.max(floor, best);
      if (this.prune && this.view === "negamax") this.clock++; // low = max(alpha, best)
      let score;
      if (scouts && beta - least > HALF) {
        score = this.below(visit, next, least, least + HALF, true);
        this.clock++; // does it beat low?
        if (least < score && score < beta) score = this.below(visit, next, least, beta);
      } else {
        score = this.below(visit, next, this.prune ? least : -Infinity, this.prune ? beta : Infinity);
      }
      this.clock++; // best = max(best, …)
      if (score > best) [best, bestEdge] = [score, next];
      if (this.prune) {
        this.clock++; // cutoff?
        if (best >= beta) {
          reason = "cutoff";
          break;
        }
        if (this.view === "textbook") this.clock++; // α = max(α, v)
      }
      if (best >= high) {
        this.clock++; // nothing better is possible
        if (this.order_left(visit)) reason = "enough";
        break;
      }
      scouts = this.scout;
    }
    if (reason === "cutoff") this.cutoffs.push(visit);
    if (this.table) {
      this.clock++; // keep it in the table
      const bound = best <= floor ? UPPER : best >= beta ? LOWER : EXACT;
      this.entries.set(key, { score: best, bound, edge: bestEdge, own: position, visit });
    }
    return this.leave(visit, best, reason);
  }

  /** Whether some branch of a visit was not tried. */
  order_left(visit) {
    return this.skipped(visit).length > 0;
  }

  /** Visit a child with a window in the view of its parent; return its score in the same view. */
  below(visit, edge, alpha, beta, scouting = false) {
    const child = this.tree.child(this.position[visit], edge);
    if (this.distance) [alpha, beta] = [nearer(alpha), nearer(beta)];
    const same = this.tree.movers[child] === this.mover(visit);
    if (!same) [alpha, beta] = [-beta, -alpha];
    const number = this.position.length;
    this.visit(child, visit, edge, this.ply[visit] + 1, alpha, beta, scouting);
    return this.above(number);
  }

  *childrenOf(visit) {
    for (let child = this.first[visit]; child >= 0; child = this.next[child]) yield child;
  }

  /** The branches of a visit that were never tried, in the game's order. */
  skipped(visit) {
    const tried = new Set([...this.childrenOf(visit)].map((child) => this.edge[child]));
    return this.tree.order(this.position[visit], 0).filter((edge) => !tried.has(edge));
  }

  /** The visits from the root to this one. */
  path(visit) {
    const path = [];
    for (let at = visit; at >= 0; at = this.parent[at]) path.unshift(at);
    return path;
  }
}
