// A bar that shows how much of Python has been loaded.

let shown = null;

/** Show what part has come, from 0 to 1; null removes the bar. */
export function showProgress(part) {
  if (part === null) {
    shown?.remove();
    shown = null;
    return;
  }
  if (!shown) {
    shown = document.createElement("p");
    shown.id = "loading-python";
    shown.className = "notice muted";
    const bar = document.createElement("progress");
    bar.setAttribute("aria-label", "Loading Python");
    shown.append("Loading Python, which searches and explains in your browser (once) … ", bar);
    (document.querySelector("main") ?? document.body).before(shown);
  }
  shown.querySelector("progress").value = Math.min(part, 1);
}
