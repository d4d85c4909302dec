// Panels that open on demand, and load what they need only then.

import { isAbort, load } from "./api.js";
import { find, make } from "./page.js";
import { session } from "./session.js";

const isOpen = (id) => find(id).getAttribute("aria-expanded") === "true";
let leaveTree = () => {};

async function fillExplanation() {
  const { table, work: { signal } } = session;
  try {
    const { explainHere } = await load("explanation");
    if (!signal.aborted) await explainHere(table, signal);
  } catch (error) {
    if (!signal.aborted) find("explanation").replaceChildren(make("p", `No explanation: ${error.message}`));
  }
}

async function fillTree(opening) {
  const { table } = session;
  const panel = find("tree");
  const stays = () => session.table === table && isOpen("explore");
  if (!panel.childElementCount) panel.replaceChildren(make("p", "Opening …", "soft"));
  try {
    const { explore, leave } = await load("explore");
    leaveTree = leave;
    if (!stays()) return;
    await explore(panel, table, (where) => session.acts.jump(where));
    if (opening && stays()) panel.scrollIntoView({ behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
  } catch (error) {
    if (stays() && !isAbort(error)) panel.replaceChildren(make("p", `The tree cannot be shown: ${error.message}`));
  }
}

const PANELS = { explain: ["explanation", fillExplanation], explore: ["tree", fillTree] };

/** Fill what is open for the position on the table. */
export function fillOpenPanels() {
  for (const [id, [, fill]] of Object.entries(PANELS)) if (isOpen(id)) fill(false);
}

/** Stop what goes on in the tree: nobody looks at it. */
export const leavePanels = () => leaveTree();

/** Let the buttons open and close their panels. */
export function wirePanels() {
  for (const [id, [panel, fill]] of Object.entries(PANELS)) {
    find(id).addEventListener("click", () => {
      const open = !isOpen(id);
      find(id).setAttribute("aria-expanded", String(open));
      find(panel).hidden = !open;
      if (open) fill(true);
      else if (id === "explore") leavePanels();
    });
  }
}
