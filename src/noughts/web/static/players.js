// The menus of players, and what players are called in sentences.

import { PERSON, THINK } from "./address.js";
import { find, make } from "./page.js";

function option(value, text, title) {
  const element = make("option", text);
  element.value = value;
  if (title) element.title = title;
  return element;
}

/** The name of a player in a menu: "level-3" is "Level 3". */
export const title = (player) => (player === PERSON ? "Person" : player.replace(/^./, (letter) => letter.toUpperCase()).replaceAll("-", " "));

/** Fill the menus, once. The server says which players there are. */
export function fillMenus({ players }) {
  find("think").replaceChildren(...THINK.map((seconds) => option(seconds, seconds === 1 ? "1 second" : `${seconds} seconds`)));
  for (const id of ["first-player", "second-player"]) {
    find(id).replaceChildren(option(PERSON, "Person"), ...players.map(({ player, about }) => option(player, title(player), about)));
  }
}

/** Show the current choices. */
export function showChoices(match, players, called) {
  const { state, position } = match;
  const [first, second] = position.players;
  find("first-name").textContent = `${called(first)} (plays first)`;
  find("second-name").textContent = called(second);
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
export function playerName(match, mark, called = (player) => player) {
  if (match.isPerson(mark)) return called(mark);
  return match.persons === 1 ? "The computer" : `${called(mark)} (${title(match.seat(mark))})`;
}

/** Who sits on a side: "You", or the computer player's name; with two people, what the side is called. */
export function seatName(match, mark, called) {
  if (match.persons === 2) return called(mark);
  return match.isPerson(mark) ? "You" : title(match.seat(mark));
}
