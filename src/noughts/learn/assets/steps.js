// The steps of a run: one for each line of the pseudocode that is reached. They are found from the visits when needed.

/** The last visit that was entered at this step or before. */
function lastEntered(run, step) {
  let low = 0, high = run.visits - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (run.entered[middle] <= step) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * What happens at a step: its kind, the visit it belongs to, and what is known there.
 * `best` is the best score so far (after this step), `before` the one before it, `low` is alpha as raised so far.
 */
function stepAt(run, step) {
  let visit = lastEntered(run, step);
  while (run.left[visit] < step) visit = run.parent[visit];
  const told = (kind, more) => ({ kind, visit, step, best: null, low: run.alpha[visit], child: -1, ...more });
  if (step === run.entered[visit]) return told("enter");
  if (run.first[visit] < 0) return told("leave", { best: null });
  if (step === run.left[visit]) return told("leave", { best: run.result[visit], low: Math.max(run.alpha[visit], run.result[visit]) });
  if (step === run.entered[visit] + 1) return told("init", { best: -Infinity });
  let best = -Infinity, low = Math.max(run.alpha[visit], run.limits(run.position[visit])[0]);
  for (let child = run.first[visit]; child >= 0; child = run.next[child]) {
    const edge = run.edge[child];
    let clock = run.entered[child] - (run.prune && run.view === "negamax" ? 2 : 1);
    if (step === clock) return told("loop", { edge, best, low });
    if (run.prune && run.view === "negamax") {
      const raised = Math.max(low, best);
      if (step === clock + 1) return told("low", { edge, best, low: raised, before: low });
      low = raised;
    }
    clock = run.left[child] + 1;
    if (run.scouting[child]) {
      const again = run.next[child] >= 0 && run.edge[run.next[child]] === edge ? run.next[child] : -1;
      if (step === clock) return told("scouted", { edge, child, best, low, again });
      if (again >= 0) {
        child = again;
        clock = run.left[child] + 1;
      } else clock++;
    }
    const above = run.above(child), before = best;
    best = Math.max(best, above);
    if (step === clock) return told("backup", { edge, child, above, before, best, low });
    if (run.prune) {
      const cut = best >= run.beta[visit];
      if (step === clock + 1) return told("test", { edge, child, best, low, cut });
      if (run.view === "textbook" && !cut) {
        if (step === clock + 2) return told("raise", { edge, child, best, before: low, low: Math.max(low, best) });
        low = Math.max(low, best);
      }
    }
    const rest = step - clock - (run.prune ? (run.view === "textbook" ? 2 : 1) : 0);
    if (run.next[child] < 0 && rest === 1 && best >= run.limits(run.position[visit])[1] && best < run.beta[visit]) return told("enough", { edge, child, best, low });
  }
  return told("store", { best, low });
}

/** Whether a line of these kinds is reached by the given step. */
function nextStep(run, from, direction, wanted) {
  for (let step = from + direction; step >= 0 && step < run.steps; step += direction) {
    if (wanted(stepAt(run, step))) return step;
  }
  return -1;
}

/** The step of the next cutoff, or of the one before: where the test says yes. */
function cutoffAfter(run, step, direction = 1) {
  const steps = run.cutoffs.map((visit) => run.left[visit] - 1 - (run.table ? 1 : 0)).sort((one, other) => one - other);
  return direction > 0 ? steps.find((each) => each > step) ?? -1 : steps.findLast((each) => each < step) ?? -1;
}

/** How many nodes, ends, cutoffs and table hits there are up to a step. */
function countsAt(run, step) {
  const nodes = lastEntered(run, step) + 1;
  const before = (visits) => {
    let low = 0, high = visits.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (run.left[visits[middle]] - (run.reason[visits[middle]] === "cutoff" ? 1 : 0) <= step) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return { nodes, cutoffs: before(run.cutoffs), hits: before(run.hits) };
}

/** The visit of another search of the same tree at the same node, and the step that goes with it. */
function follow(other, run, told) {
  let at = 0;
  for (const visit of run.path(told.visit).slice(1)) {
    const found = [...other.childrenOf(at)].find((child) => other.edge[child] === run.edge[visit]);
    if (found === undefined) break;
    at = found;
  }
  if (told.kind === "leave") return other.left[at];
  if (told.child >= 0) {
    const found = [...other.childrenOf(at)].find((child) => other.edge[child] === told.edge);
    if (found !== undefined) return other.left[found] + 1;
  }
  return other.entered[at];
}
