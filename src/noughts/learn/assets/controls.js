// Buttons, keys, the slider and the field for a tree; the last part of the script, which shows the first lesson.

function play(isOn) {
  if (timer !== null) clearInterval(timer);
  timer = null;
  if (isOn && shown.step === run.steps - 1) go(0);
  if (isOn) {
    timer = setInterval(() => {
      go(shown.step + 1);
      if (shown.step === run.steps - 1) play(false);
    }, Number(find("speed").value));
  }
  find("says").setAttribute("aria-live", isOn ? "off" : "polite"); // announcements would queue up
  find("play").setAttribute("aria-label", isOn ? "Pause" : "Play");
  find("play").classList.toggle("playing", isOn);
}

function stepTo(step) {
  play(false);
  go(step);
  reveal();
}

function jump(step) {
  play(false);
  if (step >= 0) go(step);
  reveal();
}

/** On a narrow screen, scroll to what the step says, unless it is in view. */
function reveal() {
  const { top, bottom } = find("says").getBoundingClientRect();
  if (window.innerWidth < NARROW && (top < 0 || bottom > window.innerHeight - 260)) find("stage").querySelector(".says").scrollIntoView({ block: "start" });
}

const jumpToValue = (direction) => jump(nextStep(run, shown.step, direction, (each) => each.kind === "backup"));
const jumpToCutoff = (direction) => run.prune && jump(cutoffAfter(run, shown.step, direction));

const ACTIONS = {
  first: () => stepTo(0), back: () => stepTo(shown.step - 1), next: () => stepTo(shown.step + 1), last: () => stepTo(run.steps - 1),
  play: () => run.complete && play(timer === null), "next-value": () => jumpToValue(1), "next-cutoff": () => jumpToCutoff(1),
  help: () => find("keys").showModal(), link: copyLink, generate: () => showTyped(generateNumbers(Number(find("tree-layers").value), Number(find("tree-branches").value), Math.floor(Math.random() * 1e6))),
};
for (const [id, action] of Object.entries(ACTIONS)) find(id).addEventListener("click", action);

async function copyLink() {
  const button = find("link");
  try {
    await navigator.clipboard.writeText(location.href);
    button.textContent = "Copied";
  } catch {
    button.textContent = "It is in the address";
  }
  setTimeout(() => { button.textContent = "Link"; }, 2000);
}

function showTyped(text) {
  try {
    readNumbers(text);
  } catch (problem) {
    find("tree-problem").textContent = problem.message;
    return;
  }
  shown.tree = text;
  shown.step = 0;
  shown.order = 0;
  showLesson();
  showSearch();
}

find("typed").addEventListener("submit", (event) => {
  event.preventDefault();
  showTyped(find("tree-text").value);
});
find("slider").addEventListener("input", () => stepTo(Number(find("slider").value)));
find("search").addEventListener("change", () => change({ search: find("search").value }));
find("order").addEventListener("change", () => change({ order: Number(find("order").value) }));
find("beside").addEventListener("change", () => change({ beside: find("beside").checked, step: shown.step }));
find("speed").addEventListener("change", () => timer !== null && play(true));
for (const button of find("views").children) button.addEventListener("click", () => change({ view: button.dataset.view }));

function change(settings) {
  Object.assign(shown, { step: 0 }, settings);
  showSearch();
}

const KEYS = {
  ArrowRight: ACTIONS.next, ArrowLeft: ACTIONS.back, PageDown: () => stepTo(shown.step + 10), PageUp: () => stepTo(shown.step - 10),
  Home: ACTIONS.first, End: ACTIONS.last, " ": ACTIONS.play, "?": ACTIONS.help, v: () => jumpToValue(1), V: () => jumpToValue(-1), c: () => jumpToCutoff(1), C: () => jumpToCutoff(-1),
};

/** Move the focus from node to node in the tree. */
function moveFocus(key, group) {
  const node = group.picked;
  const siblings = node.parent?.children ?? [node];
  const to = { ArrowUp: node.parent, ArrowDown: node.children[0], ArrowLeft: siblings[siblings.indexOf(node) - 1], ArrowRight: siblings[siblings.indexOf(node) + 1] }[key];
  const found = [...find("tree").querySelectorAll(".pickable")].find((each) => each.picked === to);
  found?.focus();
}

document.addEventListener("keydown", (press) => {
  if (press.ctrlKey || press.altKey || press.metaKey || find("keys").open) return;
  const { target, key } = press;
  if (target instanceof SVGElement && target.picked) {
    if (key.startsWith("Arrow")) moveFocus(key, target);
    else if (key === "Enter" || key === " ") pick(target.picked);
    if (key.startsWith("Arrow") || key === "Enter" || key === " ") return press.preventDefault();
  }
  const isTyping = target instanceof HTMLInputElement && target.type !== "range" && target.type !== "checkbox" || target instanceof HTMLSelectElement;
  const isPressing = (key === " " || key === "Enter") && (target instanceof HTMLButtonElement || target instanceof HTMLAnchorElement || target.type === "checkbox");
  if (isTyping || isPressing || !(key in KEYS)) return;
  press.preventDefault();
  KEYS[key]();
});

// On a phone, the bar at the bottom holds only what every step needs.
const phone = window.matchMedia("(max-width: 40rem)");
const arrange = () => document.querySelector(phone.matches ? ".setting" : ".transport-row").append(document.querySelector(".extras"));
phone.addEventListener("change", arrange);
arrange();

find("lessons").hidden = !isLessons;
find("lessons").querySelector("ol").append(...(isLessons ? lessons : []).map((lesson, number) => {
  const item = make("li"), link = make("a", null, null, { href: addressOf(lesson) });
  link.append(make("span", lesson.name === OWN ? "+" : String(number + 1), "lesson-number"), make("span", lesson.title, "lesson-title"));
  item.append(link);
  return item;
}));
window.addEventListener("hashchange", () => {
  const before = shown.lesson;
  readAddress();
  if (shown.lesson !== before) window.scrollTo({ top: 0, behavior: "instant" });
});
readAddress();
