// Trees of numbers: read, written and generated in the page. `noughts.games.numbers` reads the same notation.

const MOST_TYPED = 400;

/** Read a tree such as "((3 12 8) (2 4 6) (14 5 2))"; throws an Error whose message is for the reader. */
function readNumbers(text) {
  const words = text.replaceAll("−", "-").match(/[()]|[^()\s,]+/g) ?? [];
  let first = 1;
  if (words[0] === "max" || words[0] === "min") first = words.shift() === "max" ? 1 : -1;
  if (words[0] !== "(") throw new Error("A tree begins with a bracket, such as ((3 12 8) (2 4 6) (14 5 2)).");
  if (words.length > 2 * MOST_TYPED) throw new Error(`That is too large: ${MOST_TYPED} nodes at most.`);
  const open = [[]];
  for (const word of words) {
    if (open.length === 1 && open[0].length) throw new Error(`The tree ends before “${word}”.`);
    if (word === "(") open.push([]);
    else if (word === ")") {
      const branches = open.pop();
      if (!open.length) throw new Error("There is one ) too many.");
      if (!branches.length) throw new Error("There is nothing between ( and ).");
      open.at(-1).push(branches);
    } else {
      if (!/^[+-]?[0-9]{1,3}$/.test(word)) throw new Error(`“${word.slice(0, 20)}” is not a whole number from −999 to 999.`);
      open.at(-1).push(Number(word));
    }
    if (open.length > 10) throw new Error("That is too deep: 9 layers at most.");
  }
  if (open.length > 1) throw new Error("A ) is missing.");
  return { tree: open[0][0], first };
}

function writeNumbers(tree) {
  return typeof tree === "number" ? String(tree) : `(${tree.map(writeNumbers).join(" ")})`;
}

/** The same data that the package gives for a game: see `noughts.learn.positions`. */
function positionsOf({ tree, first }) {
  const found = [[tree, first]];
  const data = {
    title: "Tree of numbers", players: ["MAX", "MIN"], longest: 20, numbers: true, unit: 1, horizon: null,
    shape: [], cells: [], marks: [""], lit: {}, alike: null, bounds: null, preferred: [],
    boards: [], movers: [], utilities: [], guesses: [], actions: [], children: [],
  };
  let low = 0, high = 0, widest = 0;
  for (const [part, mover] of found) {
    const isEnd = typeof part === "number";
    data.boards.push(writeNumbers(part));
    data.movers.push(mover);
    data.utilities.push(isEnd ? part : null);
    data.guesses.push(null);
    data.children.push(isEnd ? [] : part.flatMap((branch, place) => [place, found.push([branch, -mover]) - 1]));
    if (isEnd) [low, high] = [Math.min(low, part), Math.max(high, part)];
    else widest = Math.max(widest, part.length);
  }
  data.range = [low, high];
  data.actions = Array.from({ length: widest }, (_, place) => String(place + 1));
  return data;
}

/** A tree of random numbers from 0 to 19, the same for the same seed. */
function generateNumbers(layers, branches, seed) {
  const random = randomFrom(seed);
  const grow = (layer) => (layer === 0 ? Math.floor(random() * 20) : Array.from({ length: branches }, () => grow(layer - 1)));
  return writeNumbers(grow(layers));
}
