// Typed moves, one at a time. The server knows all spellings of a move.

import { ApiError, position as ask } from "./api.js";
import { busy, done, find } from "./page.js";
import { session } from "./session.js";
import { showTypeError } from "./show.js";
import { enqueue, play } from "./navigation.js";

/** Play what was typed if it is one move; an error is shown beside the field. */
export function typeMove(mayPlay) {
  const { match } = session;
  const { over, actions, start } = match.position;
  const word = find("type-move").value.trim();
  const single = `Type one move at a time, such as ${actions[0]}.`;
  showTypeError("");
  if (over) return showTypeError(`The game is over: ${find("status").textContent}`);
  if (!word) return showTypeError(`Type a move, such as ${actions[0]}.`);
  if (/[\s,/|]/.test(word)) return showTypeError(single);
  if (!mayPlay()) return undefined;
  busy("typed");
  return enqueue(async () => {
    let action = null;
    try {
      // The server also accepts other spellings of a move, but a diagram or several moves are errors here.
      const after = await ask(match.state.game, match.played(word).position);
      if (after.start !== start || after.moves.length !== match.at + 1) throw new ApiError(single);
      action = after.moves.at(-1).action;
    } catch (error) {
      if (session.match === match) showTypeError(error.message);
    }
    done("typed");
    if (action === null || session.match !== match) return;
    await play(action, "push");
    find("type-move").value = "";
  });
}
