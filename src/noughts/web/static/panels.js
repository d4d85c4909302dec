// Panels that open on demand and load their code only then. A panel is filled only while its tab is open.

import { isAbort, load } from "./api.js";
import { find, make } from "./page.js";
import { session } from "./session.js";

const isOpen = (id) => find(id).getAttribute("aria-expanded") === "true" && session.match?.state.tab === PANELS[id].tab;
let stopTree = () => {};

async function fillExplanation() {
  const { match, work: { signal } } = session;
  try {
    const { explainHere } = await load("explanation");
    if (!signal.aborted) await explainHere(match, signal);
  } catch (error) {
    if (!signal.aborted) find("explanation").replaceChildren(make("p", `The moves cannot be explained: ${error.message}`));
  }
}

async function fillReview() {
  const { match, work: { signal } } = session;
  try {
    const { reviewHere } = await load("review");
    if (!signal.aborted) await reviewHere(match, signal);
  } catch (error) {
    if (!signal.aborted) find("reviewed").replaceChildren(make("p", `The game cannot be reviewed: ${error.message}`));
  }
}

async function fillTree(opening) {
  const { match } = session;
  const panel = find("tree");
  const isCurrent = () => session.match === match && isOpen("explore");
  if (!panel.childElementCount) panel.replaceChildren(make("p", "Opening …", "muted"));
  try {
    const { explore, stop } = await load("explore");
    stopTree = stop;
    if (!isCurrent()) return;
    await explore(panel, match, (where) => session.commands.playFrom(where));
    if (opening && isCurrent()) panel.scrollIntoView({ behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
  } catch (error) {
    if (isCurrent() && !isAbort(error)) panel.replaceChildren(make("p", `The tree cannot be shown: ${error.message}`));
  }
}

const PANELS = {
  explain: { panel: "explanation", tab: "analyse", fill: fillExplanation },
  review: { panel: "reviewed", tab: "analyse", fill: fillReview },
  explore: { panel: "tree", tab: "learn", fill: fillTree },
};

/** Fill the open panels for the current position. */
export function fillOpenPanels() {
  for (const [id, { fill }] of Object.entries(PANELS)) if (isOpen(id)) fill(false);
  if (!isOpen("explore")) stopPanels();
}

/** Stop the requests of the tree. */
export const stopPanels = () => stopTree();

/** Open the review of the game, with the tab that it is in. */
export async function openReview() {
  await session.commands.showTab("analyse");
  if (!isOpen("review")) find("review").click();
  find("reviewed").scrollIntoView({ block: "nearest" });
}

/** Make the buttons open and close their panels. */
export function connectPanels() {
  for (const [id, { panel, fill }] of Object.entries(PANELS)) {
    find(id).addEventListener("click", () => {
      const open = !isOpen(id);
      find(id).setAttribute("aria-expanded", String(open));
      find(panel).hidden = !open;
      if (open) fill(true);
      else if (id === "explore") stopPanels();
    });
  }
}
