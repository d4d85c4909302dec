// Play against the strategy. What each move leads to is in the page; the rules of the game are not needed.

const facts = JSON.parse(find("facts").textContent);
useSkins(facts.skins);
const REPEATS = 3;
const VIEW = { labels: new Map(), best: new Set(), hint: null, flipped: false, first: "" };

let path = [];
const counts = { games: 0, yours: 0, draws: 0, lost: 0 };
const endings = new Set();

const here = () => facts.positions[path.at(-1).number];
const isRepeated = () => path.filter((step) => step.number === path.at(-1).number).length >= REPEATS;
const isOver = () => here().result !== null || isRepeated();

/** A position as the board draws it. */
function shown(step) {
  const { board, follow, own, result, winner } = facts.positions[step.number];
  const cells = ([mark, name, actions, lit]) => ({ mark, name, actions: own || isOver() ? [] : actions, lit });
  return {
    game: facts.game, title: facts.title, moves: step.move === null ? [] : [{ action: step.move }], over: result !== null,
    result: { winner }, actions: Object.keys(follow),
    board: board.map((row) => facts.rows[row].map((cell) => (cell === null ? null : cells(facts.cells[cell])))),
  };
}

const board = new Board(find("board"), (cell, name) => {
  if (isOver()) showNote("The game is over: begin a new one.");
  else if (cell.actions.length === 1) play(cell.actions[0]);
  else if (cell.actions.length) showNote(`Here you have a choice: ${cell.actions.join(" or ")}. Use the buttons below.`);
  else showNote(`You cannot play ${name || "there"}.`);
});

/** Draw the last position; `choices` are buttons for the moves that no cell of the board plays. */
function draw() {
  const position = here();
  find("board").hidden = position.board === null;
  find("drawing").hidden = position.board !== null;
  if (position.board) board.draw(shown(path.at(-1)), VIEW);
  else find("drawing").textContent = position.drawing;
}

function drawChoices() {
  const position = here();
  const cells = position.board ? shown(path.at(-1)).board.flat().filter(Boolean) : [];
  const ambiguous = cells.filter((cell) => cell.actions.length > 1).flatMap((cell) => cell.actions);
  const names = position.board ? [...position.elsewhere, ...ambiguous] : Object.keys(position.follow);
  const choices = isOver() ? [] : [...new Set(names)];
  const area = find("actions");
  const had = area.contains(document.activeElement);
  area.replaceChildren(...choices.map((name) => {
    const button = make("button", name, "action");
    button.type = "button";
    button.dataset.action = name;
    button.addEventListener("click", () => play(name));
    return button;
  }));
  area.hidden = !choices.length;
  if (had) (area.firstElementChild ?? find("new")).focus();
}

/** Play a move of the person, and whatever the strategy answers. */
function play(move) {
  if (isOver() || here().own) return;
  step(move);
  answer();
  tell();
}

function step(move) {
  path.push({ move, number: here().follow[move], own: here().own });
  draw();
}

function answer() {
  while (!isOver() && here().own) step(Object.keys(here().follow)[0]);
}

/** Show whose turn it is or how the game ended, and count it. */
function tell() {
  drawChoices();
  const last = path.at(-1);
  const replied = last.own && last.move !== null ? `${facts.strategy} plays ${last.move}. ` : "";
  let words = `Your move, ${facts.you}`;
  if (isOver()) {
    const [result, sentence] = here().result ?? [0, "A draw by repetition."];
    words = result < 0 ? `${sentence} The claim is refuted!` : sentence;
    count(result);
  }
  find("status").textContent = words;
  find("status").classList.toggle("result", isOver());
  showNote("", `${replied}${words}`);
  enable(find("undo"), path.some((each) => each.move !== null && !each.own));
  find("line").replaceChildren(...facts.after.map((move) => make("li", move, "before")), ...path.slice(1).map((each) =>
    make("li", each.move, each.own ? "own" : "")));
}

function count(result) {
  if (path.counted) return;
  path.counted = true;
  counts.games += 1;
  counts[result < 0 ? "yours" : result === 0 ? "draws" : "lost"] += 1;
  endings.add(path.map((each) => each.move).join(" "));
  for (const [name, number] of Object.entries(counts)) find(name).textContent = String(number);
  find("endings").textContent = `You have tried ${endings.size} different ${endings.size === 1 ? "game" : "games"}.`;
}

function begin() {
  path = [{ move: null, number: 0, own: false }];
  draw();
  answer();
  tell();
}

function undo() {
  if (!enabled(find("undo"))) return;
  const before = path.findLastIndex((each) => each.move !== null && !each.own);
  path = path.slice(0, before);
  draw();
  tell();
}

find("new").addEventListener("click", begin);
find("undo").addEventListener("click", undo);
find("file").textContent = facts.file;
find("certificate").addEventListener("toggle", () => {
  find("text").textContent = facts.certificate;
});
find("save").addEventListener("click", () => {
  const address = URL.createObjectURL(new Blob([facts.certificate], { type: "text/plain" }));
  Object.assign(make("a"), { href: address, download: facts.file }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
});
begin();
document.body.dataset.ready = "true";
