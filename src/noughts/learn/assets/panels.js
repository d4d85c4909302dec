// The panels beside the tree: the node and its variables, the code, the open calls, the counts.

const find = (id) => document.getElementById(id);

function fillList(list, pairs) {
  list.replaceChildren(...pairs.flatMap(([term, text]) => [make("dt", term), make("dd", text)]));
}

/** The names of nodes: letters in a tree of numbers, moves elsewhere. */
class Names {
  constructor(run) {
    this.run = run;
    const { tree } = run;
    this.letters = new Map();
    for (let position = 0; position < tree.size; position++) {
      if (tree.children[position].length) this.letters.set(position, letterOf(this.letters.size));
    }
  }

  get hasLetters() {
    return this.run.tree.numbers;
  }

  /** The short name of a node of the picture. */
  of(node) {
    const { tree } = this.run;
    return this.letters.get(node.position) ?? (tree.numbers ? String(tree.utilities[node.position]) : "end");
  }

  visit(visit) {
    const { run } = this, position = run.position[visit];
    if (run.tree.numbers) return this.letters.get(position) ?? `the end ${signed(run.tree.utilities[position], false)}`;
    if (visit === 0) return "the root";
    return `node ${this.moves(visit)}`;
  }

  moves(visit) {
    const { run } = this;
    return run.path(visit).slice(1).map((each) => actionOf(run, run.parent[each], run.edge[each])).join("-");
  }

  /** The name of a node of the picture for screen readers: its moves, or its letter. */
  long(node) {
    const moves = [];
    for (let at = node; at.parent; at = at.parent) moves.unshift(this.run.tree.actionName(at.parent.position, at.edge));
    if (this.hasLetters) return `${this.letters.get(node.position) ?? `end ${this.run.tree.utilities[node.position]}`}${moves.length ? `, branch ${moves.at(-1)}` : ""}`;
    return moves.length ? `After ${moves.join(", ")}` : "The root";
  }
}

function showBoard(run, told, names) {
  const { tree } = run, position = run.position[told.visit];
  const parent = run.parent[told.visit];
  if (!tree.shape.length) {
    find("board").replaceChildren(tree.numbers ? make("p", `${capital(names.visit(told.visit))}`, "letter-now") : make("pre", tree.boards[position]));
    return;
  }
  const [columns, rows] = boardSize(tree);
  const cell = Math.min(44, 280 / columns);
  const svg = draw("svg", { class: "big-board", width: columns * cell + 2, height: rows * cell + 2, viewBox: `-1 -1 ${columns * cell + 2} ${rows * cell + 2}`, role: "img", "aria-label": `Board: ${boardWords(tree, position)}` });
  svg.append(boardPicture(tree, position, cell, { names: true, from: parent < 0 ? null : run.position[parent] }));
  find("board").replaceChildren(svg);
}

function showFacts(run, told, names) {
  const { visit } = told;
  const mover = run.mover(visit);
  const parent = run.parent[visit];
  const isLeaf = run.tree.utilities[run.position[visit]] !== null;
  const pairs = [["Node", names.hasLetters ? capital(names.visit(visit)) : names.moves(visit) || "the root"]];
  if (parent >= 0) pairs.push(["Reached by", moveWords(run, parent, run.edge[visit], (each) => names.visit(each))]);
  if (!isLeaf) pairs.push(["To move", playerName(run, mover)]);
  const words = variables(run, visit);
  if (told.best !== null && told.kind !== "leave") pairs.push([words.best, withWords(run, told.best, mover)]);
  if (run.prune && !isLeaf) {
    const [alpha, beta] = shownWindow(run, visit, run.view === "textbook" ? told.low : run.alpha[visit]);
    pairs.push([run.view === "textbook" ? "α" : "alpha", alpha], [run.view === "textbook" ? "β" : "beta", beta]);
    if (run.view === "negamax" && told.best !== null && run.reason[visit] !== "table") pairs.push(["low", limit(run, Math.max(told.low, run.alpha[visit]), mover)]);
  }
  if (told.kind === "leave") {
    const value = `${label(run, visit)}${run.view === "negamax" && !run.tree.numbers ? ` for ${plainName(run, mover)}` : ""}`;
    const inside = inWords(run, run.result[visit], mover);
    pairs.push(["Value", inside ? `${value}: ${WORDS[shownBound(run, run.bound[visit], mover)]}${inside}` : value]);
  }
  fillList(find("facts"), pairs);
}

function withWords(run, score, mover) {
  const words = inWords(run, score, mover);
  return short(run, score, mover) + (words ? `: ${words}` : "");
}

function showCode(run, told) {
  const lines = codeOf(run), lit = litLine(run, told);
  const list = find("code");
  if (list.dataset.lines !== lines.map((line) => line.text).join("\n")) {
    list.dataset.lines = lines.map((line) => line.text).join("\n");
    list.replaceChildren(...lines.map(({ text }, number) => {
      const item = make("li", text.trimStart());
      item.style.setProperty("--deep", String((text.length - text.trimStart().length) / 4));
      if (number && !text.startsWith(" ")) item.className = "second";
      return item;
    }));
  }
  [...list.children].forEach((item, number) => {
    if (number === lit) item.setAttribute("aria-current", "step");
    else item.removeAttribute("aria-current");
  });
}

/** The calls that are open: the path from the root, with the variables of each. */
function showPath(run, told, names) {
  const heads = run.prune ? (run.view === "textbook" ? ["Call", "α", "β", "v"] : ["Call", "alpha", "beta", "best"]) : ["Call", run.view === "textbook" ? "v" : "best"];
  const rows = run.path(told.visit).map((visit) => {
    const mover = run.mover(visit);
    const here = visit === told.visit ? told : stepAt(run, [...run.childrenOf(visit)].filter((child) => run.entered[child] <= told.step).map((child) => run.entered[child] - 1).at(-1));
    const call = run.view === "textbook" ? `${mover > 0 ? "max" : "min"}_value` : "value";
    const row = make("tr");
    if (visit === told.visit) row.setAttribute("aria-current", "step");
    row.append(make("th", `${call}(${names.hasLetters ? names.visit(visit) : visit ? names.moves(visit) : "root"})`, null, { scope: "row" }));
    if (run.prune) row.append(...shownWindow(run, visit, run.view === "textbook" ? here.low : run.alpha[visit]).map((end) => make("td", end)));
    row.append(make("td", here.best === null ? "–" : short(run, here.best, mover)));
    return row;
  });
  const head = make("tr");
  head.append(...heads.map((name) => make("th", name, null, { scope: "col" })));
  const [top, body] = [make("thead"), make("tbody")];
  top.append(head);
  body.append(...rows);
  find("path").replaceChildren(top, body);
}

function showCounts(run, told) {
  const { nodes, cutoffs, hits } = countsAt(run, told.step);
  const parts = [[nodes, "node", " visited"]];
  if (run.prune) parts.push([cutoffs, "cutoff", ""]);
  if (run.table) parts.push([hits, "table hit", ""]);
  find("counts").replaceChildren(...parts.map(([count, name, done]) => {
    const item = make("span");
    item.append(make("b", count.toLocaleString("en")), ` ${name}${count === 1 ? "" : "s"}${done}`);
    return item;
  }), make("span", `of ${run.tree.nodes().toLocaleString("en")} in the whole tree${run.tree.isPart ? `, ${run.tree.horizon} moves ahead` : ""}`));
}

/** What every search of this tree costs, in the same view and order. */
function showEfforts(runs, run) {
  const rows = runs.map((each) => {
    const row = make("tr");
    if (each.search === run.search) row.setAttribute("aria-current", "true");
    const cells = each.complete ? [each.visits, each.prune ? each.cutoffs.length : "–", each.table ? each.hits.length : "–"] : [`over ${each.most.toLocaleString("en")}`, "", ""];
    row.append(make("th", each.name, null, { scope: "row" }), ...cells.map((cell) => make("td", cell.toLocaleString("en"))));
    return row;
  });
  const head = make("tr");
  head.append(...["Search", "Nodes", "Cutoffs", "Table hits"].map((name) => make("th", name, null, { scope: "col" })));
  const [top, body] = [make("thead"), make("tbody")];
  top.append(head);
  body.append(...rows);
  find("efforts").replaceChildren(top, body);
}
