import { isRecord } from "./isRecord.ts";

/**
 * Yields the JSON data of server-sent events as they arrive, until `[DONE]` or the end. Data that is not an object is
 * skipped. Cancels the call when the caller stops reading.
 * @throws the reason of the call's signal, or a TypeError if the connection is lost
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<Readonly<Record<string, unknown>>> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      rest += decoder.decode(value, { stream: true });
      const blocks = rest.split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        const data = block
          .split("\n")
          .filter((line) => line.startsWith("data:"))
          .map((line) => line.slice(5).trimStart())
          .join("\n");
        if (data === "[DONE]") return;
        const event = parsed(data);
        if (isRecord(event)) yield event;
      }
    }
  } finally {
    await reader.cancel();
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
