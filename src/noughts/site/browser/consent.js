// Asks before somebody else's program is run.

import { agree, mayRun } from "./source.js";

function make(tag, text, name) {
  const element = document.createElement(tag);
  element.textContent = text;
  if (name) element.className = name;
  return element;
}

let asking = null;

function ask(source) {
  const dialog = make("dialog", "");
  dialog.id = "consent";
  const title = make("h2", "Run the program in this link?");
  title.id = "consent-title";
  dialog.setAttribute("aria-labelledby", title.id);
  const about = make("p", "This link holds a game that somebody wrote in Python. It runs in your browser only, without network and without access to this page, and it is ended when you leave. Run it if you trust whoever sent the link.");
  const shown = make("pre", source);
  shown.style.cssText = "max-height: 50vh; overflow: auto; font-size: 0.875rem";
  shown.tabIndex = 0;
  const buttons = make("p", "", "buttons");
  const run = make("button", "Run it", "main");
  const leave = make("button", "Do not run it");
  for (const button of [run, leave]) button.type = "button";
  leave.autofocus = true;
  buttons.append(run, " ", leave);
  dialog.append(title, about, buttons, shown);
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    run.addEventListener("click", () => resolve(true));
    leave.addEventListener("click", () => resolve(false));
    dialog.addEventListener("cancel", () => resolve(false));
  }).finally(() => dialog.remove());
}

/** Whether a source may run; whoever did not write it here is asked once. */
export async function consent(source) {
  if (await mayRun(source)) return true;
  asking ??= ask(source);
  const answer = await asking;
  if (answer) await agree(source);
  return answer;
}
