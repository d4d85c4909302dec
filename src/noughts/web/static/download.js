// The board as a picture to save; the server, or Python in this browser, draws it in the same skin.

import { picture } from "./api.js";
import { showNote } from "./page.js";

const WIDTH = 1200;

const addressOf = ({ state: { game, position } }) => picture(game, position);
/** The name of a file for a match. */
export const nameOf = ({ state: { game } }, ending) => `${game.replace(/[^a-z0-9-]+/gi, "-").replace(/^-|-$/g, "")}.${ending}`;

/** Save what is at an address, under a name. */
export function save(href, name) {
  const link = Object.assign(document.createElement("a"), { href, download: name });
  link.click();
  showNote(`Saved as ${name}.`);
}

/** Save the board as SVG. */
export const saveSvg = async (match) => save(await addressOf(match), nameOf(match, "svg"));

/** Save the board as PNG, drawn by this browser from the SVG. */
export async function savePng(match) {
  const image = new Image();
  image.src = await addressOf(match);
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH;
  canvas.height = Math.round((WIDTH * image.naturalHeight) / image.naturalWidth);
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((resolve) => { canvas.toBlob(resolve, "image/png"); });
  const url = URL.createObjectURL(blob);
  save(url, nameOf(match, "png"));
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
