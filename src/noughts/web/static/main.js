// Entry point: connect the controls to their commands, then show the state in the address.

import * as commands from "./commands.js";
import * as api from "./api.js";
import { listen } from "./keys.js";
import { enabled, find, showAlert, style } from "./page.js";
import { connectPanels } from "./panels.js";
import { fillMenus } from "./players.js";
import { session } from "./session.js";
import { enqueue, fail, openAddress } from "./navigation.js";

function connect() {
  session.commands = commands;
  const help = () => api.load("help").then(({ showHelp }) => showHelp()).catch((error) => showAlert(error.message));
  const clicks = {
    undo: commands.undo, redo: commands.redo, first: commands.first, last: commands.last, hint: commands.hint, swap: commands.swap, new: () => commands.newGame(),
    "next-mistake": commands.nextMistake, pause: commands.pauseOrPlay, "copy-link": commands.copyLink, help,
    "try-again": () => window.location.reload(),
  };
  for (const [id, run] of Object.entries(clicks)) find(id).addEventListener("click", () => (enabled(find(id)) ? run() : null));
  find("analyse").addEventListener("change", commands.toggleAnalysis);
  find("view").addEventListener("change", (event) => commands.toggleView(event.target.value));
  find("game").addEventListener("change", () => commands.newGame({ game: find("game").value }));
  find("first-player").addEventListener("change", (event) => commands.change({ first: event.target.value, paused: false }));
  find("second-player").addEventListener("change", (event) => commands.change({ second: event.target.value, paused: false }));
  find("think").addEventListener("change", (event) => commands.change({ think: Number(event.target.value) }));
  submit("type-form", commands.typeMove);
  submit("game-form", () => {
    const game = find("game-notation").value.trim();
    if (game) commands.newGame({ game });
  });
  find("choose-move-cancel").addEventListener("click", () => find("choose-move").close());
  connectPanels();
  const keyCommands = { ...commands, fresh: clicks.new, analyse: commands.toggleAnalysis, view: () => commands.toggleView(), mistake: commands.nextMistake, help };
  listen(keyCommands, () => session.match !== null);
  window.addEventListener("popstate", () => enqueue(() => openAddress("none")));
}

function submit(id, run) {
  find(id).addEventListener("submit", (event) => {
    event.preventDefault();
    run();
  });
}

const forced = matchMedia("(forced-colors: active)");
const loadForcedColors = () => forced.matches && style("forced.css");
forced.addEventListener("change", loadForcedColors);

loadForcedColors();
connect();
try {
  session.offered = await api.games();
  fillMenus(session.offered);
  await enqueue(() => openAddress("replace"));
} catch (error) {
  fail(error);
}
