// Entry point: connect the controls to their commands, then show the state in the address.

import * as commands from "./commands.js";
import * as api from "./api.js";
import { listen } from "./keys.js";
import { enabled, find, showAlert, style } from "./page.js";
import { connectPanels, openReview } from "./panels.js";
import { fillMenus } from "./players.js";
import { session } from "./session.js";
import { enqueue, fail, openAddress } from "./navigation.js";
import { loadSkins } from "./skins.js";
import { connectTabs } from "./tabs.js";

function connect() {
  session.commands = commands;
  const later = (name, command) => () => api.load(name).then((module) => module[command]()).catch((error) => showAlert(error.message));
  const help = later("help", "showHelp");
  const clicks = {
    undo: commands.undo, redo: commands.redo, first: commands.first, last: commands.last, hint: commands.hint, swap: commands.swap, new: () => commands.newGame(),
    "next-mistake": commands.nextMistake, pause: commands.pauseOrPlay, "copy-link": commands.copyLink, share: commands.share, help, "review-now": openReview, "menu-button": later("menu", "toggleMenu"),
    "try-again": () => window.location.reload(),
  };
  for (const [id, run] of Object.entries(clicks)) find(id).addEventListener("click", () => (enabled(find(id)) ? run() : null));
  find("view").addEventListener("change", (event) => commands.toggleView(event.target.value));
  find("first-player").addEventListener("change", (event) => commands.change({ first: event.target.value, paused: false }));
  find("second-player").addEventListener("change", (event) => commands.change({ second: event.target.value, paused: false }));
  find("think").addEventListener("change", (event) => commands.change({ think: Number(event.target.value) }));
  find("type-form").addEventListener("submit", (event) => {
    event.preventDefault();
    commands.typeMove();
  });
  find("choose-move-cancel").addEventListener("click", () => find("choose-move").close());
  connectPanels();
  connectTabs((tab) => commands.showTab(tab));
  const keyCommands = { ...commands, fresh: clicks.new, analyse: commands.toggleAnalysis, view: () => commands.toggleView(), mistake: commands.nextMistake, help };
  listen(keyCommands, () => session.match !== null);
  window.addEventListener("popstate", () => enqueue(() => openAddress("none")));
}

const forced = matchMedia("(forced-colors: active)");
const loadForcedColors = () => forced.matches && style("forced.css");
forced.addEventListener("change", loadForcedColors);

loadForcedColors();
connect();
try {
  [session.offered] = await Promise.all([api.games(), loadSkins()]);
  fillMenus(session.offered);
  await enqueue(() => openAddress("replace"));
} catch (error) {
  fail(error);
}
