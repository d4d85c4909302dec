// Skins: how the board of each game looks. They are data from the server, the same that its pictures are drawn by.

import { request } from "./api.js";
import { style } from "./page.js";

const PLAIN = { name: "plain", layout: "squares", colours: {}, marks: {}, motion: "appear" };
let skins = {};

/** Take skins by name. Without them the boards are plain. */
export function useSkins(found) {
  skins = found;
}

/** Load all skins, once. */
export async function loadSkins() {
  useSkins(await request("static/skins.json", (response) => response.json()).catch(() => ({})));
}

/** The skin of a game on a board of this many columns. */
export function skinOf(game, columns) {
  const [family] = game.split(":");
  const fitting = Object.values(skins).filter(({ games = [], from_columns: from = 0 }) => games.includes(family) && columns >= from);
  fitting.sort((one, other) => (other.from_columns ?? 0) - (one.from_columns ?? 0));
  return fitting[0] ?? skins.plain ?? PLAIN;
}

const OFTEN = ["lines", "squares", "frame"];

/** Load the style of a position's board, if it is not one of those that are always there. */
export function loadStyle({ game, board }) {
  const skin = skinOf(game, Math.max(0, ...(board ?? []).map((row) => row.length)));
  return OFTEN.includes(skin.layout) && !skin.parts ? null : style("boards.css");
}

const dark = matchMedia("(prefers-color-scheme: dark)");

/** Set the colours of a skin on an element, for light or dark. */
export function paint(element, skin) {
  for (const [name, [light, darker]] of Object.entries(skin.colours)) element.style.setProperty(`--skin-${name}`, dark.matches ? darker : light);
}

/** Call a function when the colours change between light and dark. */
export const onScheme = (run) => dark.addEventListener("change", run);

/** What a player is called in this skin. */
export const called = (skin, player) => skin?.players?.[player] ?? player;

/** A text of the server with the players called as in this skin: "X wins." becomes "Red wins." */
export function named(skin, text) {
  const names = Object.entries(skin?.players ?? {});
  return names.reduce((words, [mark, name]) => words.replace(new RegExp(`\\b${mark}\\b(?![-:])`, "g"), name), text ?? "");
}
