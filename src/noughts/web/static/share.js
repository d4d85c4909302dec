// Sharing a position as a link.

import { showNote } from "./page.js";

const LOCAL = /^(localhost|127\.|\[?::1)/;

/** Hand the link to whatever this device shares with, or else copy it. */
export async function share() {
  if (!navigator.share) return copyLink();
  try {
    await navigator.share({ title: document.title, url: window.location.href });
  } catch (error) {
    if (error?.name !== "AbortError") await copyLink();
  }
  return undefined;
}

/** Copy the link; a link to this computer says that it works on this computer only. */
export async function copyLink() {
  try {
    await navigator.clipboard.writeText(window.location.href);
    const local = LOCAL.test(window.location.hostname);
    showNote(local ? "Link copied. It works on this computer only: for others, start the server with --host." : "Link copied.");
  } catch {
    showNote("Could not copy the link. Please copy it from the address bar.");
  }
}
