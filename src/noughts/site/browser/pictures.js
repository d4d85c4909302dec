// Pictures that somebody else's game has a part in.

const KEPT = new Set(["svg", "title", "desc", "style", "g", "rect", "path", "circle", "text", "line", "ellipse", "polygon"]);
const LOADS = /url\s*\(|@import|\\/i;

/** A picture with nothing in it that could run, load or open anything, also when it is saved and opened as a file. */
export function drawingOnly(text) {
  const picture = new DOMParser().parseFromString(text, "image/svg+xml");
  for (const node of [...picture.childNodes]) if (node !== picture.documentElement) node.remove();
  for (const element of [...picture.querySelectorAll("*")]) {
    if (!KEPT.has(element.localName) || (element.localName === "style" && LOADS.test(element.textContent))) element.remove();
    for (const { name, value } of [...element.attributes]) if (/^on|href/i.test(name) || LOADS.test(value)) element.removeAttribute(name);
  }
  if (picture.documentElement?.localName !== "svg") throw new Error("This game has no picture.");
  return new XMLSerializer().serializeToString(picture);
}
