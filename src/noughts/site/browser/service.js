// Answers from the copies of the site that this browser keeps, so that it works offline; one copy a version.

const VERSION = "%%version%%";
const FILES = %%files%%;
// Other copies of the site on the same host have copies of their own.
const FAMILY = `noughts ${self.registration.scope} `;
const NAME = FAMILY + VERSION;

async function complete() {
  const cache = await caches.open(NAME);
  for (const name of FILES) if (!(await cache.match(name))) await cache.add(new Request(name, { cache: "no-cache" }));
}

async function forgetOthers() {
  const old = (await caches.keys()).filter((name) => name.startsWith(FAMILY) && name !== NAME);
  await Promise.all(old.map((name) => caches.delete(name)));
}

async function answer(request) {
  const address = new URL(request.url);
  address.search = "";
  address.hash = "";
  if (address.href === self.registration.scope) address.pathname += "index.html";
  const cache = await caches.open(NAME);
  return (await cache.match(address.href)) ?? fetch(request);
}

self.addEventListener("install", (event) => event.waitUntil(complete()));
self.addEventListener("activate", (event) => event.waitUntil(forgetOthers().then(() => self.clients.claim())));
self.addEventListener("fetch", (event) => {
  if (event.request.method === "GET" && event.request.url.startsWith(self.registration.scope)) event.respondWith(answer(event.request));
});
