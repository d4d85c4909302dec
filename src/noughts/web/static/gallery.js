// The home page: every game with a picture, and a field for any other game in the notation of the command line.

import { address } from "./api.js";
import { find, make, style } from "./page.js";

await style("gallery.css");

/** Positions that show what a game looks like. */
const SHOWN = {
  "tic-tac-toe": "5 1 3 7", misere: "5 2 8 1", wild: "5x 1o 9o", notakto: "a1 a6 a8", "connect-four": "4 4 3 5 4 3 2 3 6 5", connect: "3 3 2 4 4 3",
  cube: "14 1 9 27", ultimate: "55 51 11 15 52 22 21 19 91 18 81 12 24", reversi: "", nim: "c2", mnk: "b2 c3 c2 b3",
};

function card({ name, game, title, summary, known }, goTo) {
  const item = make("li");
  const link = item.appendChild(make("a", undefined, "game-card"));
  link.href = `./?${new URLSearchParams({ game })}`;
  const picture = link.appendChild(make("span", undefined, "thumbnail"));
  const image = picture.appendChild(make("img"));
  // If the example does not fit this size of board, the empty board is shown.
  const source = (position) => address("board.svg", { game, position });
  Object.assign(image, { alt: "", loading: "lazy", decoding: "async", src: source(SHOWN[name] ?? "") });
  image.addEventListener("error", () => { image.src = source(""); }, { once: true });
  link.append(make("b", title), make("span", summary || "your own game", "about"));
  if (known) link.append(make("span", `Known: ${known}`, "known"));
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    goTo(link.href);
  });
  return item;
}

function form(games, goTo) {
  const whole = make("form", undefined, "another");
  const text = make("label", "Another board, in the notation of the command line");
  text.htmlFor = "game-notation";
  const field = make("input");
  Object.assign(field, { id: "game-notation", autocomplete: "off", autocapitalize: "none", spellcheck: false, placeholder: "mnk:5,4,4" });
  field.setAttribute("list", "examples");
  const list = make("datalist");
  list.id = "examples";
  list.append(...games.flatMap(({ examples = [] }) => examples).map((value) => Object.assign(make("option"), { value })));
  const joined = make("span", undefined, "joined");
  const open = make("button", "Open");
  open.type = "submit";
  joined.append(field, open);
  whole.append(text, joined, list, make("span", "Such as connect:5x4, nim:1,3,5,7, reversi:6, mnk:15,15,5 or mnk:4,4,3,torus.", "muted"));
  whole.addEventListener("submit", (event) => {
    event.preventDefault();
    const game = field.value.trim();
    if (game) goTo(`./?${new URLSearchParams({ game })}`);
  });
  return whole;
}

/** Show all games; `goTo(address)` opens one. */
export function showGallery(games, goTo) {
  document.body.dataset.view = "home";
  document.title = "noughts";
  for (const id of ["match", "failure", "menu-button"]) find(id).hidden = true;
  find("title").textContent = "noughts";
  find("summary").textContent = "";
  const gallery = find("gallery");
  if (!gallery.childElementCount) {
    const intro = make("div", undefined, "intro");
    intro.append(make("p", "Perfect play, explained.", "headline"), make("p", "Play a game against an opponent that makes no mistakes. See what every move leads to, and why.", "muted"));
    const list = make("ul", undefined, "games");
    list.append(...games.map((game) => card(game, goTo)));
    gallery.append(intro, list, form(games, goTo));
  }
  gallery.hidden = false;
}
