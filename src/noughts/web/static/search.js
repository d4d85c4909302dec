// Asking what a position is worth. A long search tells how far it is, by server-sent events.

import { address, keep, keptAnswer, pause, Refused, request, TRIES } from "./api.js";

/** Yield the [kind, data] of each server-sent event in a response. */
async function* events(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    text = (text + (value ?? "")).replaceAll("\r\n", "\n");
    const blocks = text.split("\n\n");
    text = blocks.pop();
    for (const block of blocks) {
      const fields = block.split("\n").map((line) => line.match(/^(event|data): ?(.*)$/)).filter(Boolean);
      const kind = fields.find(([, name]) => name === "event")?.[2] ?? "message";
      const data = fields.filter(([, name]) => name === "data").map(([, , rest]) => rest).join("\n");
      if (data) yield [kind, JSON.parse(data)];
    }
    if (done) return;
  }
}

/** What a position is worth; `progress` hears how far a long search is. */
export async function analyse(game, where, signal, progress = () => {}) {
  const url = address("analyse", { game, position: where });
  if (keptAnswer(url)) return keptAnswer(url);
  for (let attempt = 1; ; attempt += 1) {
    const response = await request(url, signal, { Accept: "text/event-stream" });
    if (!response.headers.get("Content-Type")?.includes("event-stream")) return keep(url, await response.json());
    let answer = null;
    let problem = new Refused("The analysis broke off; please try again.");
    // Read to the end even after the answer: to leave early would look like giving up.
    for await (const [kind, data] of events(response)) {
      if (kind === "progress") progress(data);
      if (kind === "answer") answer = data;
      if (kind === "error") problem = new Refused(data.error, data.status);
    }
    if (answer) return keep(url, answer);
    if (problem.status !== 503 || attempt === TRIES) throw problem;
    await pause(1000, signal);
  }
}
