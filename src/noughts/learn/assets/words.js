// What a step does, in one or two sentences with its arithmetic.

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** The letter of the n-th node: A to Z, then A1 to Z1, and so on. */
function letterOf(number) {
  const round = Math.floor(number / LETTERS.length);
  return LETTERS[number % LETTERS.length] + (round || "");
}

/** The names of the textbook's and the mover's variables. */
function variables(run, visit) {
  if (run.view !== "textbook") return { best: "best", low: "low", alpha: "alpha", beta: "beta" };
  return run.mover(visit) > 0 ? { best: "v", low: "α", alpha: "α", beta: "β" } : { best: "v", low: "β", alpha: "β", beta: "α" };
}

/** The calculation of a value that is backed up, such as "v = max(−∞, 0) = 0". */
function arithmetic(run, told) {
  const { visit, child, before, best, above } = told;
  const mover = run.mover(visit);
  const show = (score) => short(run, score, mover);
  if (run.view === "textbook") return `v = ${mover > 0 ? "max" : "min"}(${show(before)}, ${show(above)}) = ${show(best)}`;
  if (run.mover(child) === mover) return `best = max(${show(before)}, ${show(above)}) = ${show(best)}`;
  const below = short(run, run.result[child], run.mover(child));
  const turned = run.distance && Math.floor(run.result[child]) !== 0 ? ` = max(${show(before)}, ${show(above)})` : "";
  const minus = below.startsWith("−") ? `−(${below})` : `−${below}`;
  return `best = max(${show(before)}, ${minus})${turned} = ${show(best)}`;
}

function actionOf(run, visit, edge) {
  return run.tree.actionName(run.position[visit], edge);
}

/** "X plays 5", or "branch 2 of A" in a tree of numbers. */
function playWords(run, visit, edge, name) {
  return run.tree.numbers ? moveWords(run, visit, edge, name) : `${plainName(run, run.mover(visit))} plays ${actionOf(run, visit, edge)}`;
}

/** "X 5", or "branch 2 of A". */
function moveWords(run, visit, edge, name) {
  const action = actionOf(run, visit, edge);
  return run.tree.numbers ? `branch ${action} of ${name(visit)}` : `${plainName(run, run.mover(visit))} ${action}`;
}

const few = (names) => (names.length > 8 ? `${names.slice(0, 8).join(", ")} and ${names.length - 8} more` : names.join(", "));

/** Say what a step does; `name` gives a node's name. */
function sentence(run, told, name) {
  return (SAYINGS[told.kind] ?? leaving)(run, told, name, variables(run, told.visit));
}

const SAYINGS = {
  enter(run, { visit }, name) {
    const parent = run.parent[visit];
    const arrival = parent < 0 ? "The search starts" : capital(playWords(run, parent, run.edge[visit], name));
    const mover = run.mover(visit);
    if (run.tree.utilities[run.position[visit]] !== null) return `${arrival}: ${name(visit)}.${run.tree.numbers ? "" : " The game is over."}`;
    const [alpha, beta] = shownWindow(run, visit);
    const names = run.view === "textbook" ? ["α", "β"] : ["alpha", "beta"];
    const window = run.prune ? `, with ${names[0]} = ${alpha} and ${names[1]} = ${beta}` : "";
    const scout = run.scouting[visit] ? " Only a test whether it is better." : "";
    const call = run.view === "textbook" ? `Call ${mover > 0 ? "max" : "min"}_value: ` : "";
    return `${arrival}: ${name(visit)}. ${call}${playerName(run, mover)} is to move${window}.${scout}`;
  },
  init(run, { visit }, name, words) {
    const start = run.view === "textbook" && run.mover(visit) < 0 ? "+∞" : "−∞";
    return `${words.best} = ${start}: nothing is tried yet at ${name(visit)}, so any action is an improvement.`;
  },
  loop(run, { visit, edge }, name) {
    const width = run.tree.width(run.position[visit]);
    const tried = new Set();
    for (const child of run.childrenOf(visit)) {
      tried.add(run.edge[child]);
      if (run.edge[child] === edge) break;
    }
    const which = width === 1 ? `The only action at ${name(visit)}` : `Action ${tried.size} of ${width} at ${name(visit)}`;
    return `${which}: ${run.tree.numbers ? `branch ${actionOf(run, visit, edge)}` : playWords(run, visit, edge, name)}.`;
  },
  low(run, { visit, before, best, low }) {
    const mover = run.mover(visit);
    return `low = max(${limit(run, before, mover)}, ${short(run, best, mover)}) = ${limit(run, low, mover)}: only more than that matters to ${plainName(run, mover)} now.`;
  },
  scouted(run, { visit, edge, again }, name) {
    const move = moveWords(run, visit, edge, name);
    return again >= 0 ? `${capital(move)} may be better than low: search it again for its exact value.` : `The test of ${move} is over: no second search is needed.`;
  },
  backup(run, told, name) {
    const { visit, child, before, best, above } = told;
    const mover = run.mover(visit);
    const bound = run.aboveBound(child);
    const words = inWords(run, above, mover), least = WORDS[shownBound(run, bound, mover)];
    const found = `${least}${short(run, above, mover)}${words ? ` (${words})` : ""}`;
    const { best: variable } = variables(run, visit);
    const verdict = before === -Infinity ? `the first value, so ${variable} takes it` : best > before ? `better for ${playerName(run, mover)}, so ${variable} takes it` : `no better for ${playerName(run, mover)}, so ${variable} stays`;
    return `${arithmetic(run, told)}. ${capital(moveWords(run, visit, run.edge[child], name))} is worth ${found}: ${verdict}.`;
  },
  test(run, { visit, best, cut }, name, words) {
    const mover = run.mover(visit);
    const sign = run.view === "textbook" && mover < 0 ? "≤" : "≥";
    const question = `${words.best} ${sign} ${words.beta}? ${short(run, best, mover)} ${sign} ${limit(run, run.beta[visit], mover)}`;
    if (!cut) return `${question}: no, go on.`;
    const rest = run.skipped(visit).map((edge) => actionOf(run, visit, edge));
    const skipped = rest.length ? `${few(rest)} ${rest.length === 1 ? "is" : "are"} pruned` : "it was the last action anyway";
    return `${question}: yes, a cutoff. ${capital(reasonOfCut(run, visit, best, name))}; ${skipped}.`;
  },
  raise(run, { visit, before, best, low }, name, words) {
    const mover = run.mover(visit);
    const operation = mover > 0 ? "max" : "min";
    return `${words.low} = ${operation}(${short(run, before, mover)}, ${short(run, best, mover)}) = ${short(run, low, mover)}${low === best && low > before ? `: ${plainName(run, mover)} is sure of ${short(run, best, mover)} or ${mover > 0 ? "more" : "less"} at ${name(visit)}` : ""}.`;
  },
  enough(run, { visit, best }) {
    const rest = run.skipped(visit).map((edge) => actionOf(run, visit, edge));
    return `The game states that nothing is better than ${short(run, best, run.mover(visit))} here${rest.length ? `: ${few(rest)} ${rest.length === 1 ? "is" : "are"} not searched` : ""}.`;
  },
  store(run, { visit, best }, name, words) {
    return `Keep ${words.best} = ${label(run, visit)} in the table for the position of ${name(visit)}.`;
  },
};

/** Why a cutoff is right: the other player has something as good elsewhere. */
function reasonOfCut(run, visit, best, name) {
  const mover = run.mover(visit), other = plainName(run, -mover);
  const own = short(run, best, mover), has = limit(run, run.beta[visit], mover);
  const value = run.view === "textbook" ? own : inWords(run, best, mover) || own;
  return `${plainName(run, mover)} gets ${value} or better at ${name(visit)}, and ${other} already has ${run.view === "textbook" ? has : "something as good"} elsewhere and will not come here`;
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

function leaving(run, { visit }, name) {
  const mover = run.mover(visit), reason = run.reason[visit], parent = run.parent[visit];
  const value = label(run, visit);
  const words = inWords(run, run.result[visit], mover);
  const bound = WORDS[shownBound(run, run.bound[visit], mover)];
  const means = words ? ` (${bound}${words})` : "";
  const to = parent < 0 ? "" : ` to ${name(parent)}`;
  const returned = run.view === "textbook" ? short(run, run.result[visit], mover) : `${short(run, run.result[visit], mover)} for ${plainName(run, mover)}`;
  if (reason === "end") return `Return ${returned}${means}${to}: ${run.tree.numbers ? "the number at the end" : run.view === "textbook" ? "the utility of the finished game" : "the score of the finished game"}.`;
  if (reason === "horizon") return `The search looks no further. Return ${returned}${means}${to}: a guess, from ${plainName(run, 1)}'s chances less ${plainName(run, -1)}'s.`;
  if (reason === "table") return `The table knows this position from ${name(run.source[visit])}: return ${value}${means}${to}, without a search.`;
  if (reason === "bounds") return `The game states enough about this position: return ${value}${means}${to}.`;
  const why = reason === "cutoff" ? "The other actions do not matter" : reason === "enough" ? "Nothing better is possible" : `All actions of ${name(visit)} were tried`;
  if (parent < 0) return `${why}: the value of the root is ${returned}${means}. The search is done.`;
  return `${why}: return ${returned}${means}${to}.`;
}

/** Why a branch was pruned, in short. */
function whyPruned(run, visit) {
  const { best, beta } = variables(run, visit);
  const mover = run.mover(visit);
  if (run.reason[visit] === "enough") return "nothing better is possible";
  const sign = run.view === "textbook" && mover < 0 ? "≤" : "≥";
  return `${best} = ${short(run, run.result[visit], mover)} ${sign} ${beta} = ${limit(run, run.beta[visit], mover)}`;
}
