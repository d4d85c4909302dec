// Runs in a worker: loads Python with our package, then answers questions. All that it needs is sent to it.

const FOLDER = "https://noughts.invalid/"; // an address that exists nowhere: nothing may be loaded
// Browsers start no worker that is a module in a frame of an origin of its own. Pyodide takes a worker that can import
// scripts the old way for one that cannot import modules.
self.importScripts = undefined;
const blobs = (text) => URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
let answer = null;

async function load({ pyodide, asm, wasm, library, archive, lock, source }) {
  const module = wasm instanceof WebAssembly.Module ? wasm : await WebAssembly.compile(wasm);
  // Pyodide asks for two files by their names. Both are here; there is no other, and no network.
  self.fetch = async (address) => {
    if (String(address) === `${FOLDER}python_stdlib.zip`) return new Response(library);
    if (String(address) === `${FOLDER}pyodide.asm.wasm`) return new Response();
    throw new TypeError("there is no network here");
  };
  WebAssembly.instantiateStreaming = async (_, imports) => ({ module, instance: await WebAssembly.instantiate(module, imports) });
  const [{ loadPyodide }, { default: createPyodideModule }] = await Promise.all([import(blobs(pyodide)), import(blobs(asm))]);
  const python = await loadPyodide({ createPyodideModule, indexURL: FOLDER, packageBaseUrl: FOLDER, lockFileContents: lock, stdout() {}, stderr() {} });
  python.unpackArchive(archive, "zip", { extractDir: "/noughts" });
  python.runPython("import sys; sys.path.insert(0, '/noughts')");
  answer = python.pyimport("noughts.site.asking").start(source);
}

function reply({ id, path, query }) {
  const found = answer(path, query, (progress) => self.postMessage({ id, progress }));
  const [status, body] = found.toJs();
  found.destroy();
  self.postMessage({ id, status, body });
}

self.onmessage = async ({ data }) => {
  try {
    if (data.load) {
      await load(data.load);
      self.postMessage({ ready: true });
    } else {
      reply(data);
    }
  } catch (error) {
    self.postMessage({ failed: String(error?.message ?? error).trim().split("\n").pop().slice(0, 300) });
  }
};
