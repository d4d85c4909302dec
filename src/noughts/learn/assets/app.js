// The page: which lesson, example, search, view and order are shown, and at which step.

const lessons = JSON.parse(find("lesson-data").textContent);
const trees = JSON.parse(find("tree-data").textContent).map((data) => new Tree(data));
const isLessons = lessons[0].name !== "";
const OWN = "own";
const BOOK = "((3 12 8) (2 4 6) (14 5 2))";
if (isLessons) {
  lessons.push({
    name: OWN, title: "Your own tree", questions: [{ ask: "Fill in the values of all nodes.", kind: "fill", about: {}, example: 0 }], summary: [],
    text: ["Type a tree of numbers, or let the page make one. Brackets hold the branches of a node; numbers are ends. MAX is at the root, unless you write min before the tree.", "Fill in the values on paper or below, before you step through it."],
    examples: [{ label: "Your own tree", search: "alphabeta", view: "textbook", beside: "minimax", tree: -1 }],
  });
}
const SHUFFLES = 9;
const NARROW = 640;

const shown = { lesson: 0, example: 0, search: "minimax", view: "textbook", order: 0, beside: false, tree: BOOK, step: 0 };
let run = null, other = null, names = null, told = null, timer = null, ownTree = null, ownText = "";

const runs = new Map();
/** A run of a tree; the latest few are kept. */
function runOf(tree, search, view, order) {
  const key = [trees.indexOf(tree), tree === ownTree ? ownText : "", search, view, order].join("|");
  if (!runs.has(key)) {
    if (runs.size > 40) runs.delete(runs.keys().next().value);
    runs.set(key, new Run(tree, search, view, order));
  }
  return runs.get(key);
}

function treeOf(example) {
  if (example.tree >= 0) return trees[example.tree];
  if (ownText !== shown.tree) {
    ownTree = new Tree(positionsOf(readNumbers(shown.tree)));
    ownText = shown.tree;
  }
  return ownTree;
}

/** The searches that make sense for a tree in a view. */
function searchesOf(tree, view) {
  const all = ["minimax", "alphabeta"];
  if (!tree.numbers) {
    all.push("table");
    if (tree.alike) all.push("symmetry");
    if (view === "negamax" && !tree.isPart) all.push("principal", ...(tree.bounds ? ["bounds"] : []));
  }
  return all;
}

const addressOf = (lesson) => `${location.href.split("#")[0]}#lesson=${lesson.name}`;
const currentLesson = () => lessons[shown.lesson];
const currentExample = () => currentLesson().examples[shown.example];

/** Show a lesson from its beginning, or as the address says. */
function openLesson(number, settings = {}) {
  const lesson = lessons[number];
  const example = Math.max(0, Math.min(lesson.examples.length - 1, settings.example ?? 0));
  const { search, view, beside } = lesson.examples[example];
  Object.assign(shown, { lesson: number, example, search, view, order: 0, beside: Boolean(beside), step: 0 }, settings, { example });
  showLesson();
  showSearch();
}

function showLesson() {
  const lesson = currentLesson();
  const count = lessons.length - 1;
  find("number").textContent = !isLessons ? "Step by step" : lesson.name === OWN ? "Try it yourself" : `Lesson ${shown.lesson + 1} of ${count}`;
  find("title").textContent = lesson.title;
  document.title = isLessons ? `${lesson.title} – Learn minimax` : lesson.title;
  find("text").replaceChildren(...lesson.text.map((words) => make("p", words)));
  find("typed").hidden = lesson.name !== OWN;
  find("tree-text").value = shown.tree;
  find("tree-problem").textContent = "";
  [...find("lessons").querySelectorAll("a")].forEach((link, number) => {
    if (number === shown.lesson) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
    if (number === shown.lesson) link.parentElement.parentElement.scrollLeft = link.offsetLeft - 60;
  });
  find("summary").hidden = !lesson.summary.length;
  find("summary").querySelector("ul").replaceChildren(...lesson.summary.map((words) => make("li", words)));
  for (const [id, number, sign] of [["previous-lesson", shown.lesson - 1, "← "], ["next-lesson", shown.lesson + 1, "Next: "]]) {
    find(id).hidden = lessons[number] === undefined;
    if (!lessons[number]) continue;
    find(id).textContent = sign + lessons[number].title;
    find(id).href = addressOf(lessons[number]);
  }
  find("examples").hidden = lesson.examples.length < 2;
  find("examples").replaceChildren(...lesson.examples.map((example, number) => {
    const button = make("button", example.label, null, { type: "button" });
    button.addEventListener("click", () => openExample(number));
    return button;
  }));
  showQuestions(lesson.questions, prepare, go);
}

/** The run that a question is about; shown, if wanted. */
function prepare(question, isShown) {
  const lesson = currentLesson(), number = question.example ?? 0, example = lesson.examples[number];
  const search = question.search || example.search, view = question.view || example.view;
  if (isShown && (shown.example !== number || shown.search !== search || shown.view !== view || shown.order)) {
    Object.assign(shown, { example: number, search, view, order: 0, beside: Boolean(example.beside) });
    showSearch();
  }
  return runOf(treeOf(example), search, view, 0);
}

function openExample(number) {
  const { search, view, beside } = currentLesson().examples[number];
  Object.assign(shown, { example: number, search, view, order: 0, beside: Boolean(beside), step: 0 });
  showSearch();
}

/** Run the search that is chosen, and show it at its step. */
function showSearch() {
  play(false);
  const tree = treeOf(currentExample());
  const possible = searchesOf(tree, shown.view);
  if (!possible.includes(shown.search)) shown.search = possible.at(-1);
  run = runOf(tree, shown.search, shown.view, shown.order);
  other = shown.beside && run.search !== "minimax" ? runOf(tree, "minimax", shown.view, shown.order) : null;
  if (other && (!other.complete || tree.nodes() > WHOLE)) other = null;
  names = new Names(run);
  find("search").replaceChildren(...possible.map((search) => make("option", SEARCHES[search].name, null, { value: search })));
  find("search").value = shown.search;
  const orders = Array.from({ length: SHUFFLES + 1 }, (_, seed) => make("option", seed ? `shuffled ${seed}` : "as given", null, { value: seed }));
  find("order").replaceChildren(...orders);
  find("order").value = String(shown.order);
  find("beside").checked = other !== null;
  find("beside").parentElement.hidden = run.search === "minimax" || tree.nodes() > WHOLE;
  for (const button of find("views").children) button.setAttribute("aria-pressed", String(button.dataset.view === shown.view));
  [...find("examples").children].forEach((button, number) => button.setAttribute("aria-pressed", String(number === shown.example)));
  find("view-note").textContent = viewNote();
  find("problem").hidden = run.complete;
  find("problem").textContent = run.complete ? "" : `${run.name} visits more than ${run.most.toLocaleString("en")} nodes from here: too many for this page. Choose another search.`;
  for (const id of ["trees", "says"]) find(id).hidden = !run.complete;
  document.body.dataset.ready = String(run.complete);
  find("next-cutoff").hidden = !run.prune;
  if (!run.complete) return;
  const minimax = { search: "minimax", name: SEARCHES.minimax.name, complete: true, visits: tree.nodes() }; // it visits every node
  showEfforts(possible.map((search) => (search === "minimax" ? minimax : runOf(tree, search, shown.view, shown.order))), run);
  find("slider").max = String(run.steps - 1);
  go(shown.step);
}

function viewNote() {
  const { tree } = run, [max, min] = tree.players;
  const who = max === "MAX" ? "" : `MAX is ${max}, MIN is ${min}. `;
  const limited = tree.isPart ? ` The search looks ${tree.horizon} moves ahead and guesses there; a win counts ${tree.unit}.` : "";
  if (run.view === "textbook") return tree.numbers ? `${who}All values are MAX's.` : `${who}All values are utilities for ${max}: +1 ${max} wins, 0 a draw, −1 ${min} wins.${limited}`.replace("+1", `+${tree.unit}`).replace("−1", `−${tree.unit}`);
  return tree.numbers || tree.isPart ? `${who}Each value is for the player to move at its node${tree.numbers ? "; the numbers at the ends are MAX's" : ""}.${limited}` : `${who}Each value is for the player to move at its node: W3 wins in 3 moves, D draws, L4 loses in 4.`;
}

/** Show a step. */
function go(step) {
  if (!run.complete) return;
  shown.step = Math.max(0, Math.min(run.steps - 1, Math.round(step) || 0));
  told = stepAt(run, shown.step);
  document.body.dataset.step = String(shown.step);
  document.body.dataset.kind = told.kind;
  find("slider").value = String(shown.step);
  find("slider").setAttribute("aria-valuetext", `step ${shown.step + 1} of ${run.steps}`);
  find("progress").textContent = `Step ${(shown.step + 1).toLocaleString("en")} of ${run.steps.toLocaleString("en")}`;
  find("says").textContent = sentence(run, told, (visit) => names.visit(visit));
  showTree();
  showBoard(run, told, names);
  showFacts(run, told, names);
  showCode(run, told);
  showPath(run, told, names);
  showCounts(run, told);
  const ends = [["first", shown.step === 0], ["back", shown.step === 0], ["next", shown.step === run.steps - 1], ["last", shown.step === run.steps - 1]];
  for (const [id, isOff] of ends) find(id).setAttribute("aria-disabled", String(isOff));
  address();
}

function showTree() {
  const hadFocus = find("tree").contains(document.activeElement);
  find("other-box").hidden = other === null;
  find("trees").classList.toggle("two", other !== null);
  const drawn = treePicture(run, told, names, { onPick: pick, room: find("tree").clientWidth });
  find("tree").replaceChildren(drawn.svg);
  find("tree-gutter").replaceChildren(drawn.gutter);
  find("tree-caption").textContent = other ? SEARCHES[run.search].name : run.tree.nodes() > WHOLE ? "The way to this node; +n says how many nodes are below" : "";
  keepInView(find("tree"), drawn);
  if (hadFocus) drawn.current?.group.focus({ preventScroll: true });
  if (!other) return;
  const counts = countsAt(run, shown.step).nodes, step = follow(other, run, told);
  const beside = treePicture(other, stepAt(other, step), new Names(other), { compact: true, room: find("other").clientWidth });
  find("other").replaceChildren(beside.svg);
  find("other-gutter").replaceChildren(beside.gutter);
  find("other-caption").textContent = `Minimax at the same place: ${countsAt(other, step).nodes} nodes visited, alpha-beta ${counts}`;
  keepInView(find("other"), beside);
}

function keepInView(box, { current, width }) {
  if (!current || width <= box.clientWidth) return;
  const margin = Math.min(120, box.clientWidth / 4);
  if (current.x < box.scrollLeft + margin || current.x > box.scrollLeft + box.clientWidth - margin) box.scrollLeft = current.x - box.clientWidth / 2;
}

/** Go to the first step of a node, and once more to its last; of a node that is not visited yet, to its visit. */
function pick(node) {
  play(false);
  const path = [];
  for (let at = node; at.parent; at = at.parent) path.unshift(at.edge);
  let visit = 0;
  for (const edge of path) visit = [...run.childrenOf(visit)].findLast((child) => run.edge[child] === edge) ?? -1;
  if (visit < 0) return;
  go(shown.step === run.entered[visit] ? run.left[visit] : run.entered[visit]);
}
