// The menus of games and players.

import { PERSON, THINK } from "./address.js";
import { find, make } from "./page.js";

function option(value, text, title) {
  const element = make("option", text);
  element.value = value;
  if (title) element.title = title;
  return element;
}

/** Fill the menus, once. */
export function fillMenus({ games, players }) {
  find("game").replaceChildren(...games.map(({ game, title, summary }) => option(game, title, summary)));
  find("examples").replaceChildren(...games.flatMap(({ examples = [] }) => examples).map((game) => option(game, "")));
  find("think").replaceChildren(...THINK.map((seconds) => option(seconds, seconds === 1 ? "1 second" : `${seconds} seconds`)));
  for (const id of ["first-player", "second-player"]) {
    find(id).replaceChildren(option(PERSON, "Person"), ...players.map(({ player }) => option(player, `Computer: ${player}`)));
  }
}

/** Show the current choices. A game that was typed is added to the menu. */
export function showChoices(match, players) {
  const { state, position } = match;
  const menu = find("game");
  if (![...menu.options].some((each) => each.value === state.game)) menu.append(option(state.game, position.title));
  menu.value = state.game;
  const [first, second] = position.players;
  find("first-name").textContent = `${first} (plays first)`;
  find("second-name").textContent = second;
  find("think").value = state.think;
  for (const [id, seat] of [["first-player", state.first], ["second-player", state.second]]) {
    find(id).options[0].textContent = match.persons === 1 ? "You" : "Person";
    find(id).value = seat;
    find(`${id}-about`).textContent = about(seat, players);
  }
}

function about(seat, players) {
  const found = players.find(({ player }) => player === seat)?.about ?? "";
  return found === seat || seat === PERSON ? "" : found;
}

/** The name of a mark's player in a sentence. */
export function playerName(match, mark) {
  if (match.isPerson(mark)) return mark;
  return `${mark} (${match.seat(mark)})`;
}
