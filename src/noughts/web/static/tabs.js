// The tabs beside the board, by the W3C tabs pattern: one tab stop, arrow keys, a tab opens when it is chosen.

import { find } from "./page.js";

/** The tabs by name, each with the id of its panel. */
export const TABS = { play: "play", analyse: "analysis", learn: "learn" };
const names = Object.keys(TABS);

/** Show which tab is open. */
export function showTab(name) {
  for (const [each, panel] of Object.entries(TABS)) {
    const tab = find(`tab-${each}`);
    tab.setAttribute("aria-selected", String(each === name));
    tab.tabIndex = each === name ? 0 : -1;
    find(panel).hidden = each !== name;
  }
  document.body.dataset.tab = name;
}

/** Call `open` with the name of the tab that is chosen by mouse or key. */
export function connectTabs(open) {
  for (const name of names) find(`tab-${name}`).addEventListener("click", () => open(name));
  find("tab-play").parentElement.addEventListener("keydown", (event) => {
    const at = names.findIndex((name) => find(`tab-${name}`) === document.activeElement);
    const goal = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: names.length - 1 }[event.key];
    if (at < 0 || goal === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const name = names[(goal + names.length) % names.length];
    find(`tab-${name}`).focus();
    open(name);
  });
}
