// The page that steps through a search: it is made in this browser, and takes the place of this document.

import { ask } from "./connection.js";

const OUTSIDE = "meta[http-equiv], base, link, iframe, frame, object, embed, form, area, [ping]";

/** A page made with the help of somebody's own game, without anything that could load or open another address. */
function closed(text) {
  const page = new DOMParser().parseFromString(text, "text/html");
  for (const element of page.querySelectorAll(OUTSIDE)) element.remove();
  for (const link of page.querySelectorAll("a")) {
    const href = link.getAttribute("href") ?? "";
    if (/^(\.\/)?((steps|learn)\.html)?(\?[^#]*)?$/.test(href)) link.setAttribute("href", href + window.location.hash);
    else link.removeAttribute("href");
  }
  return `<!doctype html>${page.documentElement.outerHTML}`;
}

const response = await ask(`steps${window.location.search}`);
if (response.ok) {
  const text = await response.text();
  const own = new URLSearchParams(window.location.search).get("game") === "own";
  document.open();
  document.write(own ? closed(text) : text);
  document.close();
} else {
  document.getElementById("message").textContent = (await response.json()).error;
}
