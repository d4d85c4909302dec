// Python for workers: loads its files once, with a progress bar, and starts workers with them.

import { addressOf, load } from "./files.js";
import { showProgress } from "./progress.js";

let files = null;

async function loadFiles() {
  const { engine } = await (await load("site/files.json")).json();
  const total = Object.values(engine).reduce((sum, bytes) => sum + bytes, 0);
  let done = 0;
  const report = (bytes) => {
    done += bytes;
    showProgress(done / total);
  };
  try {
    showProgress(0);
    const get = async (name, how) => (await load(`engine/${name}`, report, "low"))[how]();
    const [worker, pyodide, asm, wasm, library, archive, lock] = await Promise.all([
      get("engine.js", "text"), get("pyodide.mjs.gzip", "text"), get("pyodide.asm.mjs.gzip", "text"), get("pyodide.asm.wasm.gzip", "arrayBuffer"),
      get("python_stdlib.zip", "arrayBuffer"), get("noughts.zip", "arrayBuffer"), get("lock.json", "json"),
    ]);
    return { worker, common: { pyodide, asm, library, archive, lock }, wasm };
  } finally {
    showProgress(null);
  }
}

/** The files of Python. After a failure they are loaded again. Later the whole site is kept, to work offline. */
export function python() {
  files ??= loadFiles().then((found) => {
    navigator.serviceWorker?.register(addressOf("service.js")).catch(() => null);
    return found;
  }, (error) => {
    files = null;
    throw error;
  });
  return files;
}

let compiled = null;

/** Start a worker for all games: our own code only. `tell` gets its messages. */
export function startWorker(tell) {
  let worker = null;
  let ended = false;
  python().then(async ({ worker: text, common, wasm }) => {
    compiled ??= WebAssembly.compile(wasm);
    const module = await compiled;
    if (ended) return;
    const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
    worker = new Worker(address);
    worker.onmessage = ({ data }) => tell(data);
    worker.onerror = ({ message }) => tell({ failed: message || "the worker could not be started" });
    worker.postMessage({ load: { ...common, wasm: module } });
  }).catch((error) => tell({ failed: error.message }));
  return {
    post: (message) => worker.postMessage(message),
    end() {
      ended = true;
      worker?.terminate();
    },
  };
}

/** Start a worker for somebody's own game, in a frame of an origin of its own, which may use no network at all. */
export function startSandbox(source, tell) {
  const { port1: port, port2: inner } = new MessageChannel();
  let frame = null;
  let ended = false;
  Promise.all([python(), load("site/sandbox.html").then((response) => response.text())]).then(([{ worker: engine, common, wasm }, page]) => {
    if (ended) return;
    frame = document.createElement("iframe");
    frame.setAttribute("sandbox", "allow-scripts");
    frame.hidden = true;
    frame.title = "A worker without network";
    frame.srcdoc = page;
    frame.onload = () => frame.contentWindow.postMessage({ engine, load: { ...common, wasm, source } }, "*", [inner]);
    port.onmessage = ({ data }) => tell(data);
    document.body.append(frame);
  }).catch((error) => tell({ failed: error.message }));
  return {
    post: (message) => port.postMessage(message),
    end() {
      ended = true;
      port.close();
      frame?.remove();
    },
  };
}
