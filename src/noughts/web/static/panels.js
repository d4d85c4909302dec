// Panels that open on demand, and load what they need only then.

import { find, make } from "./page.js";
import { session } from "./session.js";

const isOpen = (id) => find(id).getAttribute("aria-expanded") === "true";

async function fillExplanation() {
  const { signal } = session.work;
  const { explainHere } = await import("./explanation.js");
  if (!signal.aborted) await explainHere(session.table, signal);
}

async function fillTree() {
  const { signal } = session.work;
  const { game, position } = session.table.state;
  try {
    const { explore } = await import("./explore.js");
    if (signal.aborted) return;
    await explore(find("tree"), { game, position, goTo: (where) => session.acts.jump(where) });
  } catch (error) {
    if (!signal.aborted) find("tree").replaceChildren(make("p", `The tree cannot be shown: ${error.message}`));
  }
}

const PANELS = { explain: ["explanation", fillExplanation], explore: ["tree", fillTree] };

/** Fill what is open for the position on the table. */
export function fillOpenPanels() {
  for (const [id, [, fill]] of Object.entries(PANELS)) if (isOpen(id)) fill();
}

/** Let the buttons open and close their panels. */
export function wirePanels() {
  for (const [id, [panel, fill]] of Object.entries(PANELS)) {
    find(id).addEventListener("click", () => {
      const open = !isOpen(id);
      find(id).setAttribute("aria-expanded", String(open));
      find(panel).hidden = !open;
      if (open) fill();
    });
  }
}
