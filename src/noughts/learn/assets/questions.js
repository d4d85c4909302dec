// Predict, then check: the answers are computed from a run of the search, never written down.

/** The visit at the end of a path of actions from the root. */
function visitAt(run, path) {
  let at = 0;
  for (const action of path.split(" ").filter(Boolean)) {
    at = [...run.childrenOf(at)].findLast((child) => actionOf(run, at, run.edge[child]) === action) ?? -1;
    if (at < 0) throw new Error(`the search does not visit ${path}`);
  }
  return at;
}

/** The different values of the finished games of a tree, lowest first, as the run writes them. */
function possibleValues(run) {
  const { tree } = run;
  const found = [...new Set(tree.utilities.map((utility, position) => utility ?? tree.guesses[position]).filter((value) => value !== null))].sort((one, other) => one - other);
  return (found.length > 9 ? [...found.slice(0, 3), ...found.slice(-3)] : found).map((value) => signed(value, !tree.numbers));
}

const SOLVERS = {
  value(run, { path }) {
    const visit = visitAt(run, path ?? "");
    const mover = run.mover(visit);
    const answer = short(run, run.result[visit], mover);
    return { answers: [answer], choices: [...new Set([...possibleValues(run), answer])].sort((one, other) => numberOf(one) - numberOf(other)), step: run.left[visit], stand: null };
  },
  best(run) {
    const full = new Run(run.tree, run.tree.nodes() > 20_000 ? run.search : "minimax", run.view, run.seed);
    const scores = [...full.childrenOf(0)].map((child) => [actionOf(full, 0, full.edge[child]), full.above(child), full.bound[child]]);
    const most = Math.max(...scores.map(([, score]) => score));
    const answers = scores.filter(([, score, bound]) => score === most && (bound === EXACT || full.search === "minimax")).map(([action]) => action);
    return { answers, choices: scores.map(([action]) => action).sort((one, other) => one.localeCompare(other, "en", { numeric: true })), step: run.left[0], stand: null };
  },
  backup(run, { number }) {
    const steps = stepsOf(run, "backup");
    const step = steps[number - 1], told = stepAt(run, step);
    const answer = short(run, told.best, run.mover(told.visit));
    const others = [told.before, told.above, run.result[0]].map((score) => short(run, score, run.mover(told.visit)));
    return { answers: [answer], choices: [...new Set([...others, answer, ...possibleValues(run).slice(0, 2)])].sort((one, other) => numberOf(one) - numberOf(other)), step, stand: step - 1 };
  },
  cutoff(run, { number }) {
    const step = stepsOf(run, "test")[number - 1];
    return { answers: [stepAt(run, step).cut ? "yes" : "no"], choices: ["yes", "no"], step, stand: step - 1 };
  },
  count(run, about) {
    return { answers: [String(countOf(run, about))], choices: null, step: run.steps - 1, stand: null };
  },
  size(run) {
    const nodes = run.tree.nodes();
    const near = 10 ** Math.floor(Math.log10(nodes)), rounded = Math.round(nodes / near) * near;
    const choices = [0.001, 0.01, 1, 100].map((times) => Math.round(rounded * times).toLocaleString("en"));
    return { answers: [rounded.toLocaleString("en")], choices, step: null, stand: null, note: `Exactly ${nodes.toLocaleString("en")}.` };
  },
  fill(run) {
    const full = new Run(run.tree, "minimax", "textbook", run.seed);
    const inner = [];
    for (let visit = 0; visit < full.visits; visit++) if (full.first[visit] >= 0) inner.push(visit);
    inner.sort((one, other) => full.position[one] - full.position[other]);
    return { answers: inner.map((visit) => String(full.mover(visit) * full.result[visit] + 0)), names: inner.map((visit) => letterOf(full.position.filter((_, each) => full.first[each] >= 0 && full.position[each] < full.position[visit]).length)), choices: null, step: run.steps - 1, stand: 0 };
  },
};

const numberOf = (text) => (text.includes("∞") ? (text.startsWith("−") ? -1e9 : 1e9) : Number(text.replace("−", "-").replace("+", "")) || 0);

function countOf(run, { of, utility }) {
  const { tree } = run;
  if (of === "nodes") return run.visits;
  if (of === "pruned") return tree.nodes() - run.visits;
  if (of === "positions") return tree.size;
  if (of === "classes") return new Set(tree.alike).size;
  if (of === "hits") return run.hits.length;
  if (of === "best") return SOLVERS.best(run).answers.length;
  if (utility === undefined) return run.ends;
  let sum = 0;
  for (let visit = 0; visit < run.visits; visit++) sum += tree.utilities[run.position[visit]] === utility * tree.unit;
  return sum;
}

/** All steps of a kind. Only for lessons, whose trees are small. */
function stepsOf(run, kind) {
  const steps = [];
  for (let step = 0; step < run.steps; step++) if (stepAt(run, step).kind === kind) steps.push(step);
  return steps;
}

/** Answer a question: what is right, what can be chosen, where the search stands, and the step that shows it. */
function solve(run, question) {
  return SOLVERS[question.kind](run, question.about ?? {});
}

/** Show the questions of a lesson; `prepare` shows an example and returns its run, `go` shows a step. */
function showQuestions(questions, prepare, go) {
  find("ask").hidden = !questions.length;
  find("questions").replaceChildren(...questions.map((question, number) => questionForm(question, number, prepare, go)));
}

function questionForm(question, number, prepare, go) {
  const form = make("form", null, "question");
  const field = form.appendChild(make("fieldset"));
  field.append(make("legend", `${number + 1}. ${question.ask}`));
  const body = field.appendChild(make("div", null, "answers"));
  const reply = make("p", "", "reply", { role: "status" });
  const solved = solve(prepare(question, false), question);
  const inputs = answerInputs(body, solved, `question-${number}`);
  const buttons = form.appendChild(make("div", null, "question-buttons"));
  const check = buttons.appendChild(make("button", "Check", "primary"));
  check.type = "submit";
  if (solved.stand !== null) {
    const there = buttons.appendChild(make("button", "Go there first"));
    there.type = "button";
    there.addEventListener("click", () => {
      prepare(question, true);
      go(solved.stand);
    });
  }
  const show = buttons.appendChild(make("button", "Show me"));
  show.type = "button";
  show.hidden = true;
  show.addEventListener("click", () => {
    prepare(question, true);
    if (solved.step !== null) go(solved.step);
  });
  form.append(reply);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    judge(question, solved, inputs(), form, reply);
    show.hidden = form.dataset.verdict === "" || solved.step === null;
  });
  return form;
}

/** Fill in how a question is answered; return a function that reads the answers. */
function answerInputs(body, solved, name) {
  if (solved.choices) {
    for (const choice of solved.choices) {
      const label = body.appendChild(make("label", null, "choice"));
      label.append(make("input", null, "", { type: "radio", name, value: choice }), make("span", choice));
    }
    return () => [body.querySelector("input:checked")?.value ?? ""];
  }
  const names = solved.names ?? ["Answer"];
  const inputs = names.map((each) => {
    const label = body.appendChild(make("label", null, "number"));
    label.append(make("span", each, solved.names ? "" : "hidden"));
    return label.appendChild(make("input", null, "", { inputmode: "numeric", size: "6", autocomplete: "off" }));
  });
  return () => inputs.map((input) => input.value.trim().replace("−", "-").replace(/^\+/, ""));
}

function judge(question, solved, given, form, reply) {
  if (given.every((each) => each === "")) {
    form.dataset.verdict = "";
    reply.textContent = "Give an answer first.";
    return;
  }
  const isRight = question.kind === "best" ? solved.answers.includes(given[0]) : solved.answers.every((answer, place) => answer === given[place]);
  form.dataset.verdict = isRight ? "right" : "wrong";
  const right = question.kind === "best" && solved.answers.length > 1 ? solved.answers.join(" or ") : solved.answers.join(", ");
  if (solved.names) {
    const wrong = solved.names.filter((_, place) => solved.answers[place] !== given[place]);
    reply.textContent = isRight ? "✓ Right, all of them." : `✗ Not yet: look again at ${wrong.join(", ")}.`;
  } else if (isRight) reply.textContent = `✓ Right: ${right}.${solved.note ? ` ${solved.note}` : ""}`;
  else reply.textContent = question.kind === "count" ? "✗ No. Step through it and count, or try again." : `✗ No, it is ${right}.${solved.note ? ` ${solved.note}` : ""}`;
}
