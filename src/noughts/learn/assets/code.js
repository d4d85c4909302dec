// The searches as pseudocode, and which line belongs to which step.

/** The lines of a search: what each says and the kinds of step that it belongs to. */
function codeOf(run) {
  return run.view === "textbook" ? [...textbook(run, "max"), ...textbook(run, "min")] : negamax(run);
}

function textbook(run, side) {
  const isMax = side === "max";
  const window = run.prune ? ", α, β" : "";
  const [own, other] = isMax ? ["max", "min"] : ["min", "max"];
  const lines = [
    [`${own}_value(state${window}):`, "enter"],
    ["    if the game is over: return utility(state)", "end"],
  ];
  if (run.tree.isPart) lines.push(["    if the depth limit is reached: return guess(state)", "horizon"]);
  if (run.table) lines.push(["    if the table knows enough: return that", "table"]);
  lines.push([`    v = ${isMax ? "−∞" : "+∞"}`, "init"], ["    for each action:", "loop"]);
  lines.push([`        v = ${own}(v, ${other}_value(result(state, action)${window}))`, "backup"]);
  if (run.prune) {
    lines.push([`        if v ${isMax ? "≥ β" : "≤ α"}: ${run.table ? "stop, a cutoff" : "return v, a cutoff"}`, "test"]);
    lines.push([isMax ? "        α = max(α, v)" : "        β = min(β, v)", "raise"]);
  }
  if (run.table) lines.push(["    keep v in the table", "store"]);
  lines.push(["    return v", "return"]);
  return lines.map(([text, kind]) => ({ text, kind: `${side} ${kind}` }));
}

function negamax(run) {
  const window = run.prune ? ", alpha, beta" : "";
  const lines = [[`value(state${window}):`, "enter"], ["    if the game is over: return its score", "end"]];
  if (run.hints) lines.push(["    if the game states the outcome: return that", "bounds"]);
  if (run.tree.isPart) lines.push(["    if the depth limit is reached: return a guess", "horizon"]);
  if (run.table) lines.push(["    if the table knows enough: return that", "table"]);
  lines.push(["    best = −∞", "init"], ["    for each action:", "loop"]);
  if (run.prune) lines.push(["        low = max(alpha, best)", "low"]);
  if (run.scout) lines.push(["        after the first: go on only if it beats low", "scouted"]);
  lines.push([`        best = max(best, −value(result(state, action)${run.prune ? ", −beta, −low" : ""}))`, "backup"]);
  if (run.prune) lines.push(["        if best ≥ beta: stop, a cutoff", "test"]);
  if (run.hints) lines.push(["        if nothing better is possible: stop", "enough"]);
  if (run.table) lines.push(["    keep best in the table", "store"]);
  lines.push(["    return best", "return"]);
  return lines.map(([text, kind]) => ({ text, kind }));
}

/** The kind of line that a step lights. */
function kindOfLine(run, told) {
  let kind = told.kind;
  if (kind === "leave") {
    const reason = run.reason[told.visit];
    kind = ["end", "horizon", "bounds", "table"].includes(reason) ? reason : "return";
    if (reason === "cutoff" && run.view === "textbook" && !run.table) kind = "test";
  }
  return run.view === "textbook" ? `${run.mover(told.visit) > 0 ? "max" : "min"} ${kind}` : kind;
}

function litLine(run, told) {
  const kind = kindOfLine(run, told);
  return codeOf(run).findIndex((line) => line.kind === kind);
}
