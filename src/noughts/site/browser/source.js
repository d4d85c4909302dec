// The source of a game in the fragment of an address, compressed; and the sources that this reader has agreed to run.

const PREFIX = "#source=";
const MOST = 200_000; // characters
const KEY = "noughts.sources";
const REMEMBERED = 50;

const bytesOf = (stream) => new Response(stream).arrayBuffer().then((buffer) => new Uint8Array(buffer));

/** The fragment of an address that holds a source. */
export async function packed(source) {
  const bytes = await bytesOf(new Blob([source]).stream().pipeThrough(new CompressionStream("deflate-raw")));
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return PREFIX + btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The source in a fragment; null if there is none. Raises an error in plain words if it is damaged. */
export async function unpacked(fragment) {
  if (!fragment.startsWith(PREFIX)) return null;
  try {
    const text = atob(fragment.slice(PREFIX.length).replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).pipeThrough(new TextDecoderStream("utf-8", { fatal: true })).getReader();
    let source = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return source;
      source += value;
      if (source.length > MOST) throw new Error();
    }
  } catch {
    throw new Error("The link to this game is damaged or not complete. Copy all of it, and try again.");
  }
}

async function digest(source) {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(source)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const agreed = new Set(); // where nothing can be stored

function remembered() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? [];
  } catch {
    return [];
  }
}

/** Whether this reader wrote the source here, or agreed to run it before. */
export async function mayRun(source) {
  const name = await digest(source);
  return agreed.has(name) || remembered().includes(name);
}

/** Remember that this source may run. */
export async function agree(source) {
  const name = await digest(source);
  agreed.add(name);
  try {
    localStorage.setItem(KEY, JSON.stringify([name, ...remembered().filter((each) => each !== name)].slice(0, REMEMBERED)));
  } catch {
    // There is no storage in private windows or in frames of other sites.
  }
}
