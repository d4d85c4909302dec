// A bar that shows how much of Python has been loaded.

// In a corner, so that nothing moves when it comes and goes.
const PLACE = "position: fixed; right: 0; bottom: 0; z-index: 1; margin: 0; padding: 0.5rem 0.75rem; max-width: 100%; background: var(--card); border: 1px solid";

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
    shown.className = "muted";
    shown.style.cssText = PLACE;
    const bar = document.createElement("progress");
    bar.setAttribute("aria-label", "Loading Python");
    shown.append("Loading Python, which searches in your browser … ", bar);
    (document.querySelector("main") ?? document.body).append(shown);
  }
  shown.querySelector("progress").value = Math.min(part, 1);
}
