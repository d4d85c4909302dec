// The best line, as moves to play through: pointing at one shows it and those before it as ghosts on the board.

import { isAbort, position as ask } from "./api.js";
import { rowsOf } from "./cells.js";
import { positionText } from "./game.js";
import { find, make, showAlert } from "./page.js";
import { session } from "./session.js";
import { drawBoard } from "./show.js";

const MOST = 12;
let wanted = 0;

/** Show the line of an answer; an empty one hides it. */
export function showLine(match, { line, line_complete: complete }) {
  const area = find("best-line");
  area.hidden = !line.length || match.position.over;
  if (area.hidden) return;
  const shown = line.slice(0, MOST);
  const buttons = shown.map((action, index) => {
    const button = make("button", action);
    button.type = "button";
    button.setAttribute("aria-label", `Best line, move ${index + 1}: ${action}`);
    const count = index + 1;
    for (const event of ["pointerenter", "focus"]) button.addEventListener(event, () => preview(match, line.slice(0, count)));
    for (const event of ["pointerleave", "blur"]) button.addEventListener(event, () => preview(match, []));
    button.addEventListener("click", () => session.commands.playLine(line, count));
    return button;
  });
  const more = line.length > MOST || !complete ? [make("span", "…")] : [];
  area.replaceChildren(make("span", "Best line", "caption"), ...buttons, ...more);
}

// The server says what the board looks like after these moves; the marks that are new are the ghosts.
async function preview(match, actions) {
  const number = (wanted += 1);
  const ghosts = new Map();
  try {
    let before = match.position;
    for (const [index] of actions.entries()) {
      const played = actions.slice(0, index + 1);
      const moves = match.line.slice(0, match.at).map((move) => move.action);
      const after = await ask(match.state.game, positionText(match.position.start, [...moves, ...played]), session.work.signal);
      for (const [place, mark] of changes(before, after)) ghosts.set(place, { mark, number: index + 1 });
      before = after;
    }
  } catch (error) {
    if (!isAbort(error)) showAlert(error.message);
    return;
  }
  if (number !== wanted || session.match !== match) return;
  session.view = { ...session.view, ghosts: ghosts.size ? ghosts : null };
  drawBoard();
}

function* changes(before, after) {
  const rows = (position) => rowsOf(position, session.skin.layout)?.filter((row) => row.length) ?? [];
  const [old, now] = [rows(before), rows(after)];
  for (const [line, row] of now.entries()) {
    for (const [place, cell] of row.filter(Boolean).entries()) {
      const was = old[line].filter(Boolean)[place];
      if (cell.mark && cell.mark !== was.mark) yield [`${line},${place}`, cell.mark];
    }
  }
}
