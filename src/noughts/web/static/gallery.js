// The home page: every game with a picture, and a field for any other game in the notation of the command line.

import { editorAddress, picture, request } from "./api.js";
import { find, make, style } from "./page.js";

await style("gallery.css");

/** Positions that show what a game looks like. */
const SHOWN = await request("static/gallery.json", (response) => response.json());

function card({ name, game, title, summary, known }, goTo) {
  const item = make("li");
  const link = item.appendChild(make("a", undefined, "game-card"));
  link.href = `./?${new URLSearchParams({ game })}`;
  const image = link.appendChild(make("span", undefined, "thumbnail")).appendChild(make("img"));
  // If the example does not fit this size of board, the empty board is shown.
  const show = async (position) => { image.src = await picture(game, position); };
  Object.assign(image, { alt: "", loading: "lazy", decoding: "async" });
  image.addEventListener("error", () => show(""), { once: true });
  show(SHOWN[name] ?? "").catch(() => show("")).catch(() => null);
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

/** The card of the editor, which a static site has. */
function editorCard(href) {
  const item = make("li");
  const link = item.appendChild(Object.assign(make("a", undefined, "game-card"), { id: "own-game", href }));
  const sketch = link.appendChild(make("span", undefined, "thumbnail"));
  sketch.append(make("code", "def result(state, action):"));
  link.append(make("b", "Your own game"), make("span", "Write the rules in Python, and play it here.", "about"));
  return item;
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
    if (editorAddress()) list.append(editorCard(editorAddress()));
    gallery.append(intro, list, form(games, goTo));
  }
  gallery.hidden = false;
}
