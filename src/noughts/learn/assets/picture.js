// The tree beside the board: what has been visited at a step, what is open, and what was pruned.

const WHOLE = 150; // a tree of more nodes is shown only along the path to the current node
const MARGIN = 14;
const LARGEST = 1.5, SMALLEST = 0.85; // how far a tree is enlarged or reduced; a path is not enlarged
const TOP = 10;
const GUTTER = 66; // the width of the layers' names

/** One node of the picture: a node of the game's tree, with its visit if it was visited by now. */
class Shown {
  constructor(position, visit, parent, edge, ply) {
    Object.assign(this, { position, visit, parent, edge, ply, children: [], x: 0, hidden: 0, isPruned: false });
  }
}

/** The nodes to show at a step. */
function sceneAt(run, told) {
  const { tree } = run;
  const isWhole = tree.nodes() <= WHOLE;
  const onPath = new Set(run.path(told.visit));
  const root = new Shown(0, 0, null, -1, 0);
  const waiting = [root];
  const all = [];
  while (waiting.length) {
    const node = waiting.pop();
    all.push(node);
    const { visit, position } = node;
    const isVisited = visit >= 0 && run.entered[visit] <= told.step;
    if (!isVisited) node.visit = -1;
    if (!isWhole && !onPath.has(node.visit)) {
      node.hidden = tree.nodes(position) - 1;
      continue;
    }
    const latest = new Map();
    if (isVisited) for (const child of run.childrenOf(visit)) if (run.entered[child] <= told.step) latest.set(run.edge[child], child);
    const isOver = isVisited && (run.left[visit] <= told.step || (told.visit === visit && told.kind === "test" && told.cut) || (told.visit === visit && told.kind === "store"));
    for (const edge of tree.order(position, run.seed)) {
      const child = new Shown(tree.child(position, edge), latest.get(edge) ?? -1, node, edge, node.ply + 1);
      child.isPruned = node.isPruned || (isOver && child.visit < 0);
      node.children.push(child);
    }
    waiting.push(...node.children.toReversed());
  }
  return { root, all, isWhole, onPath };
}

/** How large a node is drawn, and how far apart nodes are. */
function measures(tree, { all, isWhole }) {
  if (!tree.shape.length) return { width: 30, height: 28, cell: 0, slot: isWhole ? 40 : 58, level: isWhole ? 82 : 98 };
  const [columns, rows] = boardSize(tree);
  const cell = Math.max(4, Math.min(12, 42 / Math.max(columns, rows)));
  const width = columns * cell + 6, height = rows * cell + 6;
  return { width, height, cell, slot: Math.max(width, 40) + (!isWhole ? 18 : all.length > 30 ? 4 : 10), level: height + (isWhole ? 56 : 72) };
}

/** Give each node a place: leaves side by side, parents above the middle of their children; return the width. */
function place({ root, all, isWhole }, slot) {
  if (!isWhole) return placeRows(all, slot);
  let next = 0;
  const walk = (node) => {
    if (!node.children.length) node.x = next++ * slot + slot / 2;
    else {
      node.children.forEach(walk);
      node.x = (node.children[0].x + node.children.at(-1).x) / 2;
    }
  };
  walk(root);
  return next * slot;
}

/** Where only one node of each layer has children, every layer is a row of its own, and all rows have one middle. */
function placeRows(all, slot) {
  const rows = [];
  for (const node of all) (rows[node.ply] ??= []).push(node);
  const widest = Math.max(...rows.map((row) => row.length)) * slot;
  for (const row of rows) row.forEach((node, number) => { node.x = widest / 2 + (number - (row.length - 1) / 2) * slot; });
  return widest;
}

/** What is known of a node at a step: its state and the label under it. */
function standing(run, told, node) {
  const { visit } = node;
  if (visit < 0) return { state: node.isPruned ? "pruned" : "unvisited", text: "" };
  const mover = run.mover(visit);
  if (run.left[visit] <= told.step) return { state: "done", text: label(run, visit), bound: run.bound[visit] };
  const here = visit === told.visit ? told : stepAt(run, [...run.childrenOf(visit)].filter((child) => run.entered[child] <= told.step).map((child) => run.entered[child] - 1).at(-1));
  return { state: "open", text: here.best === null ? "" : short(run, here.best, mover) };
}

/** Draw the tree of a run at a step; return the SVG element and where its current node is. */
function treePicture(run, told, names, { onPick = null, compact = false, room = 0 } = {}) {
  const { tree } = run;
  const scene = sceneAt(run, told);
  const size = measures(tree, scene);
  const own = place(scene, size.slot) + 2 * MARGIN;
  const depth = Math.max(...scene.all.map((node) => node.ply));
  const height = (depth + 1) * size.level - (tree.numbers ? 36 : 14);
  const scale = Math.max(SMALLEST, Math.min(scene.isWhole ? LARGEST : 1, room / own));
  const width = Math.max(own, room / scale);
  const svg = draw("svg", { class: "tree-picture", width: width * scale, height: height * scale, viewBox: `0 0 ${width} ${height}`, role: onPick ? "group" : "img", "aria-label": compact ? `The tree of ${SEARCHES[run.search].name}` : "The tree of the search" });
  const x = (node) => node.x + MARGIN + (width - own) / 2, y = (node) => TOP + node.ply * size.level;
  const gutter = draw("svg", { class: "tree-picture gutter", width: GUTTER, height: height * scale, viewBox: `0 0 ${GUTTER / scale} ${height}`, "aria-hidden": "true" });
  layers([svg, gutter], run, scene, size, [width, GUTTER / scale], scale);
  const edges = svg.appendChild(draw("g", { class: "edges" }));
  const nodes = svg.appendChild(draw("g", { class: "nodes" }));
  let current = null, from = null;
  for (const node of scene.all) {
    const about = standing(run, told, node);
    const isCurrent = node.visit >= 0 && node.visit === told.visit;
    const isChild = told.kind === "backup" && node.visit === told.child;
    if (node.parent) edges.append(edgePicture(run, told, node, x, y, size, about, isChild, scene));
    const group = nodes.appendChild(draw("g", { class: `node ${about.state}${isCurrent ? " current" : ""}${scene.onPath.has(node.visit) ? " on-path" : ""} ${tree.movers[node.position] > 0 ? "max" : "min"}`, transform: `translate(${x(node)} ${y(node)})` }));
    nodePicture(group, run, node, size, about, names);
    if (onPick && node.visit >= 0 | !node.isPruned) pickable(group, run, told, node, about, names, onPick, isCurrent);
    if (isCurrent) current = { x: x(node), y: y(node), group };
    if (isChild) from = { x: x(node), y: y(node), text: short(run, told.above, run.mover(told.visit)) };
  }
  if (from && current) travel(svg, from, current, size);
  return { svg, gutter, current: current && { ...current, x: current.x * scale }, width: width * scale };
}

/** The layers of the tree: who chooses there. Their names stand in a picture of their own, which does not scroll. */
function layers([svg, gutter], run, scene, size, [width, narrow], scale) {
  const { tree } = run;
  const movers = [];
  for (const node of scene.all) if (tree.utilities[node.position] === null) (movers[node.ply] ??= new Set()).add(tree.movers[node.position]);
  movers.forEach((set, ply) => {
    if (set.size !== 1) return;
    const mover = [...set][0];
    const top = TOP + ply * size.level - 6;
    const middle = top + size.height / 2 + 6;
    const side = mover > 0 ? "max" : "min", role = side.toUpperCase(), name = plainName(run, mover);
    for (const [picture, wide] of [[svg, width], [gutter, narrow]]) picture.append(draw("rect", { x: 0, y: top, width: wide, height: size.height + 12, class: `layer ${side}` }));
    const line = 7.5 / scale;
    gutter.append(draw("text", { x: 6 / scale, y: middle - (name === role ? 0 : line), class: `layer-name ${side}`, "font-size": 13 / scale }, `${mover > 0 ? "▲" : "▼"} ${role}`));
    if (name !== role) gutter.append(draw("text", { x: 6 / scale, y: middle + line, class: "layer-who", "font-size": 13 / scale }, name.length > 7 ? `${name.slice(0, 6)}…` : name));
  });
}

function edgePicture(run, told, node, x, y, size, about, isBackup, scene) {
  const group = draw("g", { class: `edge ${about.state}${scene.onPath.has(node.visit) ? " on-path" : ""}${isBackup ? " backup" : ""}` });
  const [startX, startY, endX, endY] = [x(node.parent), y(node.parent) + size.height + 20, x(node), y(node) - 3];
  const bend = (endY - startY) * 0.35;
  const turn = scene.isWhole ? startY : endY - 38; // below the numbers of hidden nodes
  group.append(draw("path", { d: `M${startX} ${startY}V${turn}C${startX} ${turn + bend} ${endX} ${Math.max(turn, endY - 26 - bend)} ${endX} ${endY - 22}V${endY}` }));
  const action = run.tree.actionName(node.parent.position, node.edge);
  const firstPruned = about.state === "pruned" && !node.parent.isPruned;
  group.append(draw("text", { x: endX + 4, y: endY - 4, class: "action" }, firstPruned ? `${action} ✂` : action));
  if (node.visit >= 0 && run.prune && (about.state === "open" || run.first[node.visit] >= 0)) {
    const [alpha, beta] = shownWindow(run, node.visit);
    const text = `[${alpha}, ${beta}]`, siblings = node.parent.children;
    const beside = siblings[siblings.indexOf(node) + 1];
    const isFree = !beside || x(beside) - endX > text.length * 5.4 + 6;
    if (isFree || scene.onPath.has(node.visit)) group.append(draw("text", { x: endX + 4, y: endY - 15, class: "window" }, text));
  }
  if (firstPruned) group.append(draw("title", {}, `Pruned: ${whyPruned(run, node.parent.visit)}`));
  return group;
}

function nodePicture(group, run, node, size, about, names) {
  const { tree } = run;
  const isMax = tree.movers[node.position] > 0, isEnd = tree.children[node.position].length === 0;
  const half = size.width / 2;
  if (tree.shape.length) {
    group.append(draw("rect", { x: -half, y: 0, width: size.width, height: size.height, rx: isEnd ? 0 : 5, class: `frame${isEnd ? " end" : ""}` }));
    const board = boardPicture(tree, node.position, size.cell, { from: node.parent ? node.parent.position : null });
    board.setAttribute("transform", `translate(${3 - half} 3)`);
    group.append(board);
  } else if (isEnd) {
    group.append(draw("rect", { x: -15, y: 2, width: 30, height: 24, rx: 3, class: "frame end" }));
    group.append(draw("text", { x: 0, y: 14, class: "number" }, tree.numbers ? signed(tree.utilities[node.position], false) : names.of(node)));
  } else {
    group.append(draw("path", { d: isMax ? "M0 -1L18 28H-18Z" : "M0 29L18 0H-18Z", class: "frame" }));
    group.append(draw("text", { x: 0, y: isMax ? 19 : 10, class: "letter" }, names.of(node)));
  }
  if (tree.numbers && isEnd) return;
  if (about.text) {
    const mover = run.view === "negamax" && node.visit >= 0 && !tree.numbers ? `${plainName(run, run.mover(node.visit)).slice(0, 2)}: ` : "";
    const text = mover + about.text;
    const wide = text.length * 6.6 + 10;
    group.append(draw("rect", { x: -wide / 2, y: size.height + 3, width: wide, height: 17, rx: 8.5, class: `badge ${about.state}` }));
    group.append(draw("text", { x: 0, y: size.height + 12, class: `value ${about.state}` }, text));
  }
  if (node.hidden && about.state !== "pruned") group.append(draw("text", { x: 0, y: size.height + (about.text ? 32 : 13), class: "hidden-nodes" }, `+${node.hidden.toLocaleString("en")}`));
}

function pickable(group, run, told, node, about, names, onPick, isCurrent) {
  group.classList.add("pickable");
  group.setAttribute("tabindex", isCurrent || (node.ply === 0 && told.visit < 0) ? "0" : "-1");
  group.setAttribute("role", "button");
  const value = about.text ? `, value ${about.text}${about.state === "open" ? " so far" : ""}` : `, ${about.state === "pruned" ? "pruned" : "not visited yet"}`;
  group.setAttribute("aria-label", `${names.long(node)}, ${run.tree.movers[node.position] > 0 ? "MAX" : "MIN"}${value}`);
  if (isCurrent) group.setAttribute("aria-current", "step");
  group.picked = node;
  group.addEventListener("click", () => onPick(node));
}

const isCalm = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

/** A value that travels from a child up to its parent. */
function travel(svg, from, to, size) {
  const group = svg.appendChild(draw("g", { class: "travel", "aria-hidden": "true" }));
  const wide = from.text.length * 7 + 12;
  group.append(draw("rect", { x: -wide / 2, y: -10, width: wide, height: 20, rx: 10 }), draw("text", { x: 0, y: 1 }, from.text));
  const part = (share) => `translate(${to.x + (from.x - to.x) * share - (share % 1 ? wide / 2 + 5 : 0)}px, ${to.y + size.height + 12 + (from.y - to.y) * share}px)`;
  group.style.transform = part(0.3);
  if (isCalm() || !group.animate) return;
  const path = [{ transform: part(1), opacity: 1 }, { transform: part(0), opacity: 1, offset: 0.85 }, { transform: part(0), opacity: 0 }];
  group.animate(path, { duration: 800, easing: "ease-in-out", fill: "forwards" });
}
