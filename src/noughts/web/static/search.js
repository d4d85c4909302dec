// Requests for the value of a position. A long search reports its progress by server-sent events.

import { LONG_TIMEOUT, ApiError, address, addToCache, cachedAnswer, request } from "./api.js";

const RETRY_AFTER = 2;

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
  let problem = new ApiError("The analysis was interrupted. Please try again.");
  // Read to the end even after the answer: the server would take an early end for a cancellation.
  for await (const [kind, data] of events(response)) {
    if (kind === "progress") progress(data);
    if (kind === "answer") answer = data;
    if (kind === "error") problem = new ApiError(data.error, data.status, RETRY_AFTER);
  }
  if (answer) return answer;
  throw problem;
}

/** The value of a position; `progress` is called while a long search runs. */
export async function analyse(game, where, signal, progress = () => {}) {
  const url = address("analyse", { game, position: where });
  const options = { signal, headers: { Accept: "text/event-stream" }, timeout: LONG_TIMEOUT };
  return cachedAnswer(url) ?? addToCache(url, await request(url, (response) => read(response, progress), options));
}
