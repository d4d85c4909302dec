// The files of the site: where they are, how large, and the copies that this browser keeps for the next visit.

const ROOT = new URL("..", import.meta.url);
const GZIP = [0x1f, 0x8b];

/** The address of a file of the site. */
export const addressOf = (name) => new URL(name, ROOT).href;

async function store() {
  try {
    return await caches.open(`noughts ${ROOT.href} ${document.querySelector('meta[name="noughts-version"]').content}`);
  } catch {
    return null; // no copies in private windows, in frames of other sites, without https
  }
}

async function kept(name, fetched) {
  // Once the service worker is there, it looks into the copies itself.
  const cache = navigator.serviceWorker?.controller ? null : await store();
  const known = await cache?.match(addressOf(name)).catch(() => null);
  if (known) return known;
  const response = await fetched();
  if (!response.ok) throw new Error(`${name} cannot be loaded: the host answered ${response.status}`);
  cache?.put(addressOf(name), response.clone()).catch(() => null);
  return response;
}

/** Load a file, unpacked; `report` is called with the number of bytes that came in. */
export async function load(name, report = () => {}, priority = "auto") {
  const response = await kept(name, () => fetch(addressOf(name), { priority }));
  const parts = [];
  for (const reader = response.body.getReader(); ;) {
    const { value, done } = await reader.read();
    if (done) break;
    parts.push(value);
    report(value.length);
  }
  const file = new Blob(parts);
  const head = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  // A host may have unpacked it already.
  const packed = name.endsWith(".gzip") && GZIP.every((byte, place) => head[place] === byte);
  return new Response(packed ? file.stream().pipeThrough(new DecompressionStream("gzip")) : file);
}
