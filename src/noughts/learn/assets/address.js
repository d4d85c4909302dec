// The address of the page: lesson, example, search, view, order, tree and step, so that a link leads to all of it.

/** Put what is shown into the address, so that it can be linked to. */
function address() {
  const parts = new URLSearchParams();
  if (isLessons) parts.set("lesson", currentLesson().name);
  if (shown.example) parts.set("example", String(shown.example + 1));
  if (shown.search !== currentExample().search) parts.set("search", shown.search);
  if (shown.view !== currentExample().view) parts.set("view", shown.view);
  if (shown.order) parts.set("order", String(shown.order));
  if (currentLesson().name === OWN && shown.tree !== BOOK) parts.set("tree", shown.tree);
  if (shown.step) parts.set("step", String(shown.step + 1));
  const text = parts.size ? `#${parts}` : "#";
  if (text !== location.hash) try { history.replaceState(null, "", text === "#" ? location.pathname + location.search : text); } catch { /* too often, while the slider moves */ }
}

function readAddress() {
  const parts = new URLSearchParams(location.hash.slice(1));
  const number = Math.max(0, lessons.findIndex((lesson) => lesson.name === (parts.get("lesson") ?? lessons[0].name)));
  const settings = { example: Number(parts.get("example") ?? 1) - 1 || 0, step: Number(parts.get("step") ?? 1) - 1 || 0 };
  if (parts.get("search") in SEARCHES) settings.search = parts.get("search");
  if (["textbook", "negamax"].includes(parts.get("view"))) settings.view = parts.get("view");
  if (/^[1-9]$/.test(parts.get("order") ?? "")) settings.order = Number(parts.get("order"));
  const text = parts.get("tree");
  if (text) {
    try {
      readNumbers(text);
      shown.tree = text;
    } catch { /* the book's tree instead */ }
  }
  openLesson(number, settings);
  if (settings.step) find("stage").scrollIntoView({ block: "nearest" });
}
