addEventListener("message", ({ data, ports: [port] }) => {
  if (!port) return;
  const worker = new Worker(URL.createObjectURL(new Blob([data.engine], { type: "text/javascript" })));
  worker.onmessage = (event) => port.postMessage(event.data);
  worker.onerror = (event) => port.postMessage({ failed: event.message || "the worker could not be started" });
  port.onmessage = (event) => worker.postMessage(event.data);
  worker.postMessage({ load: data.load });
}, { once: true });
