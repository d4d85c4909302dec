// Moves that are typed: the server knows what a move may be called, and here one is taken at a time.

import { Refused, position as ask } from "./api.js";
import { busy, done, find } from "./page.js";
import { session } from "./session.js";
import { showTyped } from "./show.js";
import { next, play } from "./navigation.js";

/** Play what was typed, if it is one move; what is wrong with it is said beside the field. */
export function typeMove(mayPlay) {
  const { table } = session;
  const { over, result, actions, start } = table.position;
  const word = find("type-move").value.trim();
  const single = `One move at a time, such as ${actions[0]}.`;
  showTyped("");
  if (over) return showTyped(`The game is over: ${result.sentence}`);
  if (!word) return showTyped(`Type the name of a move, such as ${actions[0]}.`);
  if (/[\s,/|]/.test(word)) return showTyped(single);
  if (!mayPlay()) return undefined;
  busy("typed");
  return next(async () => {
    let action = null;
    try {
      // The server knows what else a move may be called; but what it reads as a diagram, or as several moves, is none.
      const after = await ask(table.state.game, table.played(word).position);
      if (after.start !== start || after.moves.length !== table.at + 1) throw new Refused(single);
      action = after.moves.at(-1).action;
    } catch (error) {
      if (session.table === table) showTyped(error.message);
    }
    done("typed");
    if (action === null || session.table !== table) return;
    await play(action, "push");
    find("type-move").value = "";
  });
}
