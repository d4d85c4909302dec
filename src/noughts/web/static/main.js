// The page: wire the controls to what they do, then show what the address says.

import * as acts from "./commands.js";
import * as api from "./api.js";
import { listen } from "./keys.js";
import { alarm, enabled, find, style } from "./page.js";
import { wirePanels } from "./panels.js";
import { fillMenus } from "./players.js";
import { session } from "./session.js";
import { arrive, fail, next } from "./navigation.js";

function wire() {
  session.acts = acts;
  const help = () => api.load("help").then(({ showHelp }) => showHelp()).catch((error) => alarm(error.message));
  const clicks = {
    undo: acts.undo, redo: acts.redo, first: acts.first, last: acts.last, hint: acts.hint, swap: acts.swap, new: () => acts.newGame(),
    "next-mistake": acts.nextMistake, pause: acts.pauseOrPlay, "copy-link": acts.copyLink, help,
    "try-again": () => window.location.reload(),
  };
  for (const [id, act] of Object.entries(clicks)) find(id).addEventListener("click", () => (enabled(find(id)) ? act() : null));
  find("analyse").addEventListener("change", acts.toggleAnalysis);
  find("view").addEventListener("change", (event) => acts.toggleView(event.target.value));
  find("game").addEventListener("change", () => acts.newGame({ game: find("game").value }));
  find("first-player").addEventListener("change", (event) => acts.change({ first: event.target.value, paused: false }));
  find("second-player").addEventListener("change", (event) => acts.change({ second: event.target.value, paused: false }));
  submit("type-form", acts.typeMove);
  submit("game-form", () => {
    const game = find("game-notation").value.trim();
    if (game) acts.newGame({ game });
  });
  find("which-cancel").addEventListener("click", () => find("which").close());
  wirePanels();
  const keyed = { ...acts, fresh: clicks.new, analyse: acts.toggleAnalysis, view: () => acts.toggleView(), mistake: acts.nextMistake, help };
  listen(keyed, () => session.table !== null);
  window.addEventListener("popstate", () => next(() => arrive("none")));
}

function submit(id, act) {
  find(id).addEventListener("submit", (event) => {
    event.preventDefault();
    act();
  });
}

const forced = matchMedia("(forced-colors: active)");
const dress = () => forced.matches && style("forced.css");
forced.addEventListener("change", dress);

dress();
wire();
try {
  session.offered = await api.games();
  fillMenus(session.offered);
  await next(() => arrive("replace"));
} catch (error) {
  fail(error);
}
