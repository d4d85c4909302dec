// Asking what a position is worth. A long search tells how far it is, by server-sent events.

import { LONG_PATIENCE, Refused, address, keep, keptAnswer, request } from "./api.js";

const WHEN_BUSY = 2;

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

async function read(response, progress) {
  if (!response.headers.get("Content-Type")?.includes("event-stream")) return response.json();
  let answer = null;
  let problem = new Refused("The analysis broke off; please try again.");
  // Read to the end even after the answer: to leave early would look like giving up.
  for await (const [kind, data] of events(response)) {
    if (kind === "progress") progress(data);
    if (kind === "answer") answer = data;
    if (kind === "error") problem = new Refused(data.error, data.status, WHEN_BUSY);
  }
  if (answer) return answer;
  throw problem;
}

/** What a position is worth; `progress` hears how far a long search is. */
export async function analyse(game, where, signal, progress = () => {}) {
  const url = address("analyse", { game, position: where });
  const options = { signal, headers: { Accept: "text/event-stream" }, patience: LONG_PATIENCE };
  return keptAnswer(url) ?? keep(url, await request(url, (response) => read(response, progress), options));
}
