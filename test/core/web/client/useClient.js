// A program that uses the client in the same way in every runtime. `runtimes.test.ts` runs it.
import { ClientError, createClient } from "./core/web/client/index.js";

const codeOf = (promise) =>
  promise.then(
    () => "no failure",
    (failure) => (failure instanceof ClientError ? failure.code : String(failure)),
  );

/** Returns what the client returns for JSON, pages, a file, text, a stream, and each kind of failure. */
export async function useClient(url) {
  const client = createClient({ url, key: "k", token: "t", retryCount: 0 });
  const names = [];
  for await (const { tag } of client.records("tag", { limit: 2 })) names.push(tag);
  const file = await client.create("export", { type: "pdf", id: "a" });
  const text = await client.create("aisummary", {});
  const pieces = [];
  const stream = await client.stream("data", "get", { find: {} }, "application/octet-stream");
  const reader = stream.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read())
    pieces.push(...read.value);
  const aborting = new AbortController();
  const aborted = codeOf(client.with({ signal: aborting.signal }).get("alert"));
  aborting.abort();
  const away = createClient({ url: "http://127.0.0.1:9", key: "k", token: "t", retryCount: 0 });
  return {
    names,
    file: file instanceof Uint8Array ? [...file] : String(file),
    text,
    pieces,
    refused: await codeOf(client.get("theme")),
    aborted: await aborted,
    timedOut: await codeOf(client.with({ timeoutMs: 50 }).get("alert")),
    unreachable: await codeOf(away.get("tag")),
  };
}

const { Deno, process } = globalThis;
const [url] = Deno?.args ?? process?.argv.slice(2) ?? [];
if (url) console.log(JSON.stringify(await useClient(url)));
