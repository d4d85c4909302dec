// The review of a game: what both sides did well, each mistake with what was better, and another try at one's own.

import * as api from "./api.js";
import { find, make, style } from "./page.js";
import { session } from "./session.js";
import { playerCalled, say } from "./show.js";

await style("panels.css");

function button(text, run) {
  const element = make("button", text);
  element.type = "button";
  element.addEventListener("click", run);
  return element;
}

function accuracy({ player, percent, mistakes, inaccuracies }) {
  const parts = [[mistakes, "mistake"], [inaccuracies, "inaccuracy"]].filter(([count]) => count);
  const counted = parts.map(([count, word]) => `${count} ${count === 1 ? word : word.replace(/y$/, "ie") + "s"}`).join(", ");
  const rate = percent === null ? "nothing to decide" : `${percent} % of decisions right`;
  return `${playerCalled(player)}: ${rate}${counted ? `; ${counted}` : ""}`;
}

function entry(match, { number, player, action, sign, text }) {
  const item = make("li");
  const goTo = button(`${number}. ${playerCalled(player)} ${action} ${sign}`, () => session.commands.goTo(number));
  goTo.classList.add("review-move");
  item.append(goTo, make("span", ` ${say(text)}`));
  if (match.isPerson(player)) {
    const again = button("Try again", () => session.commands.retry(number - 1));
    again.setAttribute("aria-label", `Try again: move ${number}`);
    item.append(" ", again);
  }
  return item;
}

function show(panel, match, found) {
  const noted = found.moves.filter(({ sign }) => sign);
  const list = make("ul", undefined, "reasons");
  list.append(...noted.map((each) => entry(match, each)));
  const rates = found.accuracy.map((each) => make("p", accuracy(each), "muted"));
  panel.replaceChildren(make("p", say(found.sentence), "sentence"), ...rates, list);
}

/** Fill the panel for the whole game, undone moves too. */
export async function reviewHere(match, signal) {
  const panel = find("reviewed");
  const position = match.text(match.line.length);
  const key = `${match.state.game} ${position}`;
  if (panel.dataset.key === key) return;
  panel.setAttribute("aria-busy", "true");
  panel.replaceChildren(make("p", "Going through the game …", "muted"));
  try {
    const found = await api.review(match.state.game, position, signal);
    if (signal.aborted) return;
    show(panel, match, found);
    panel.dataset.key = key;
  } finally {
    panel.removeAttribute("aria-busy");
  }
}
