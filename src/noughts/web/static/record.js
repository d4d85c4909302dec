// A game as text, to save and to open again; the server writes and reads it.

import { record } from "./api.js";
import { nameOf, save } from "./download.js";
import { goToAddress } from "./navigation.js";
import { find, make, sentence } from "./page.js";

const GAME = /\[Game\s+"((?:[^"\\]|\\.)*)"\]/g;

/** Save the whole game, undone moves too. */
export async function saveGame(match) {
  const { state: { game, first, second }, line } = match;
  const { text } = await record(game, { position: match.text(line.length), first, second });
  const url = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  save(url, nameOf(match, "txt"));
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

function button(text, run, name = "") {
  const element = make("button", text, name);
  element.type = "button";
  element.addEventListener("click", run);
  return element;
}

/** Ask for the text of a game, or a file with it, and go to where the game ended. */
export function openGame() {
  const dialog = make("dialog", undefined, "open-game");
  dialog.setAttribute("aria-labelledby", "open-game-title");
  const title = make("h2", "Open a game from text");
  title.id = "open-game-title";
  const label = make("label", "A record, as saved here or by noughts play --save");
  label.htmlFor = "open-game-text";
  const field = Object.assign(make("textarea"), { id: "open-game-text", rows: 9, spellcheck: false });
  const file = Object.assign(make("input"), { type: "file", accept: ".txt,.pgn,text/plain" });
  file.setAttribute("aria-label", "A file with a record");
  file.addEventListener("change", async () => { field.value = await file.files[0].text(); });
  const problem = make("p", "", "error");
  problem.setAttribute("role", "alert");
  const open = async () => {
    try {
      const text = field.value.trim();
      const game = [...text.matchAll(GAME)].at(-1)?.[1];
      if (!game) throw new Error('A record begins with its game, as in [Game "tic-tac-toe"].');
      const found = await record(game, { text });
      dialog.close();
      await goToAddress(`./?${new URLSearchParams({ game: found.game, position: found.position })}`);
    } catch (error) {
      problem.textContent = sentence(error.message);
    }
  };
  const buttons = make("div", undefined, "buttons");
  buttons.append(button("Open", open, "main"), button("Cancel", () => dialog.close()));
  dialog.append(title, label, field, file, problem, buttons);
  dialog.addEventListener("close", () => {
    dialog.remove();
    find("menu-button").focus();
  });
  document.body.append(dialog);
  dialog.showModal();
}
