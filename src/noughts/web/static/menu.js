// The menu of things that are rarely needed; loaded when it is first opened. It opens below its button, and closes by Escape or a click elsewhere.

import { editorAddress, load } from "./api.js";
import { cellNames, find, make, showAlert } from "./page.js";
import { session } from "./session.js";
import { drawBoard } from "./show.js";

const isOpen = () => !find("menu").hidden;

/** Open or close the menu. */
export function toggleMenu(open = !isOpen()) {
  find("menu").hidden = !open;
  find("menu-button").setAttribute("aria-expanded", String(open));
  if (!open) return;
  find("names").checked = cellNames();
  showEditor();
}

/** Link to the editor, where there is one, for the game that is open now. */
function showEditor() {
  const href = editorAddress();
  if (!href) return;
  if (!find("own-game-item")) find("menu").append(Object.assign(make("a", "Your own game", "button item"), { id: "own-game-item" }));
  find("own-game-item").href = href;
}

/** Run a command of a module that is loaded when first needed. */
const run = (name, command) => async () => {
  toggleMenu(false);
  try {
    await (await load(name))[command](session.match);
  } catch (error) {
    showAlert(error.message);
  }
};

/** Connect what is in the menu. */
function connect() {
  find("names").addEventListener("change", () => {
    cellNames(find("names").checked);
    drawBoard();
  });
  find("set-up").addEventListener("click", run("setup", "setUp"));
  find("save-game").addEventListener("click", run("record", "saveGame"));
  find("open-game").addEventListener("click", run("record", "openGame"));
  find("download-svg").addEventListener("click", run("download", "saveSvg"));
  find("download-png").addEventListener("click", run("download", "savePng"));
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !isOpen() || document.querySelector("dialog[open]")) return;
    toggleMenu(false);
    find("menu-button").focus();
  });
  document.addEventListener("pointerdown", (event) => {
    if (isOpen() && !event.target.closest("#menu, #menu-button")) toggleMenu(false);
  });
}

connect();
