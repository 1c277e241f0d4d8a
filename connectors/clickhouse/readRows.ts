import type { Readable } from "node:stream";
import { PluginError } from "../../plugins/protocol/index.ts";

/** Creates an error from the text of a server's error message. */
export type ParseFailure = (text: string) => Error;

const newline = 0x0a;
/** Maximum bytes of a row. It bounds the memory of scans, whose answers may have any size. */
const mostRowBytes = 64 * 2 ** 20;
/** Maximum number of characters read from a server's error message. */
const mostFailure = 64 * 1024;

/**
 * Reads a response in the format JSONCompactEachRow, and yields rows in blocks as they arrive. Each line is a row or
 * the server's error message. An error after the first rows arrives in the body, because the status has already been
 * sent.
 * @throws {PluginError} PLUGIN_INVALID for more than `sizeBytes` and for a row of more than 64 MiB,
 * PLUGIN_SOURCE_FAILED for a truncated response
 */
export async function* readRows(
  body: Readable,
  sizeBytes: number,
  parseFailure: ParseFailure,
): AsyncGenerator<unknown[][]> {
  const chunks: AsyncIterator<Buffer> = body[Symbol.asyncIterator]();
  let rest: Buffer[] = [];
  let [total, restBytes] = [0, 0];
  for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) {
    const chunk = next.value;
    total += chunk.length;
    if (total > sizeBytes)
      throw new PluginError("PLUGIN_INVALID", [
        `the answer has more than ${sizeBytes} bytes; group it, filter it or select fewer columns`,
      ]);
    const end = chunk.lastIndexOf(newline);
    if (end < 0) {
      rest.push(chunk);
      restBytes += chunk.length;
      if (restBytes > mostRowBytes)
        throw new PluginError("PLUGIN_INVALID", [
          `a row has more than ${mostRowBytes} bytes; select fewer columns`,
        ]);
      continue;
    }
    const text = Buffer.concat([...rest, chunk.subarray(0, end)]).toString();
    rest = [chunk.subarray(end + 1)];
    restBytes = chunk.length - end - 1;
    const rows = parseRows(text);
    if (!rows) throw parseFailure(await messageIn(`${text}\n${rest[0]!.toString()}`, chunks));
    yield rows;
  }
  const left = Buffer.concat(rest).toString();
  if (left !== "") throw parseFailure(left);
}

/** Parses several lines at once; undefined if one of the lines is not a row. Rows never contain a raw newline. */
function parseRows(text: string): unknown[][] | undefined {
  if (!text.startsWith("[")) return undefined;
  try {
    const rows: unknown[][] = JSON.parse(`[${text.replaceAll("\n", ",")}]`);
    return rows;
  } catch {
    // The line is either the server's message, or a row that the message interrupted.
    return undefined;
  }
}

/** Returns the message that starts in `text` and continues to the end of the response. */
async function messageIn(text: string, chunks: AsyncIterator<Buffer>): Promise<string> {
  let failure = text;
  try {
    while (failure.length < mostFailure) {
      const next = await chunks.next();
      if (next.done === true) break;
      failure += next.value.toString();
    }
  } catch {
    // The message continues to the end of the response, because the server closes the connection after it.
  }
  const lines = failure.split("\n");
  // Rows before the message may contain the words by which the message is recognized, so lines that are rows are
  // skipped.
  const first = lines.findIndex((line) => !isRow(line));
  return lines.slice(Math.max(0, first)).join("\n").slice(0, mostFailure);
}

function isRow(line: string): boolean {
  try {
    return Array.isArray(JSON.parse(line));
  } catch {
    // A line that is not JSON is not a row.
    return false;
  }
}
