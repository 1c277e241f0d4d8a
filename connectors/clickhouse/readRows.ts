import type { Readable } from "node:stream";
import { PluginError } from "../../plugins/protocol/index.ts";

/** Makes an error of the text in which a server describes its own. */
export type ParseFailure = (text: string) => Error;

const newline = 0x0a;
/** Most characters of a message that are looked at. */
const mostFailure = 64 * 1024;

/**
 * Reads an answer in the format JSONCompactEachRow: rows in blocks as they arrive. A line is a row, or the server's
 * message: an error after the first rows comes in the body, because the status was sent before it.
 * @throws {PluginError} PLUGIN_INVALID for more than `sizeBytes`, PLUGIN_SOURCE_FAILED when the answer breaks off
 */
export async function* readRows(
  body: Readable,
  sizeBytes: number,
  parseFailure: ParseFailure,
): AsyncGenerator<unknown[][]> {
  const chunks: AsyncIterator<Buffer> = body[Symbol.asyncIterator]();
  let rest: Buffer[] = [];
  let total = 0;
  for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) {
    const chunk = next.value;
    total += chunk.length;
    if (total > sizeBytes)
      throw new PluginError("PLUGIN_INVALID", [
        `the answer has more than ${sizeBytes} bytes; group it, filter it or ask for fewer columns`,
      ]);
    const end = chunk.lastIndexOf(newline);
    if (end < 0) {
      rest.push(chunk);
      continue;
    }
    const text = Buffer.concat([...rest, chunk.subarray(0, end)]).toString();
    rest = [chunk.subarray(end + 1)];
    const rows = parseRows(text);
    if (!rows) throw parseFailure(await messageIn(`${text}\n${rest[0]!.toString()}`, chunks));
    yield rows;
  }
  const left = Buffer.concat(rest).toString();
  if (left !== "") throw parseFailure(left);
}

/** Parses lines at once; undefined when one is not a row. No row has a raw newline. */
function parseRows(text: string): unknown[][] | undefined {
  if (!text.startsWith("[")) return undefined;
  try {
    const rows: unknown[][] = JSON.parse(`[${text.replaceAll("\n", ",")}]`);
    return rows;
  } catch {
    // The server's message, or a row that it cuts.
    return undefined;
  }
}

/** Returns the message that begins in a text and ends with the answer. */
async function messageIn(text: string, chunks: AsyncIterator<Buffer>): Promise<string> {
  let failure = text;
  try {
    while (failure.length < mostFailure) {
      const next = await chunks.next();
      if (next.done === true) break;
      failure += next.value.toString();
    }
  } catch {
    // The server closes the connection after its message.
  }
  const lines = failure.split("\n");
  // The rows before it may hold anything, even its words.
  const first = lines.findIndex((line) => !isRow(line));
  return lines.slice(Math.max(0, first)).join("\n").slice(0, mostFailure);
}

function isRow(line: string): boolean {
  try {
    return Array.isArray(JSON.parse(line));
  } catch {
    // It is none.
    return false;
  }
}
