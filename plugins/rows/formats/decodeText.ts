import { isUtf8 } from "node:buffer";
import { PluginError } from "../../protocol/index.ts";

/** Encodings that a source can declare. `latin1` is windows-1252, a superset of ISO 8859-1. */
export type Encoding = "utf-8" | "utf-16" | "latin1";

/**
 * Decodes chunks of bytes. A byte order mark determines the Unicode encoding and is dropped. Without a byte order mark,
 * `utf-16` is little-endian.
 * @throws {PluginError} PLUGIN_UNREADABLE for bytes that are invalid in the encoding
 */
export async function* decodeText(
  parts: AsyncIterable<Uint8Array>,
  encoding: Encoding,
): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  let label: string = encoding;
  let at = 0;
  const decode = (part?: Uint8Array): string => {
    try {
      return part ? decoder!.decode(part, { stream: true }) : decoder!.decode();
    } catch (cause) {
      const where = part
        ? `between the bytes ${at} and ${at + part.length}`
        : "at its end, which may be truncated";
      throw wrongBytes(label, where, cause);
    }
  };
  for await (const part of atLeastThreeBytesFirst(parts)) {
    if (!decoder) {
      label = encodingOf(part, encoding);
      decoder = new TextDecoder(label, { fatal: true });
    }
    yield decode(part);
    at += part.length;
  }
  if (decoder) yield decode();
}

/**
 * Converts chunks of bytes to chunks of UTF-8, with the same limits between chunks and the same errors as `decodeText`.
 * UTF-8 is only checked, and no strings are created.
 * @throws {PluginError} PLUGIN_UNREADABLE for bytes that are invalid in the encoding
 */
export async function* decodeUtf8(
  parts: AsyncIterable<Uint8Array>,
  encoding: Encoding,
): AsyncGenerator<Uint8Array> {
  const { first, all } = await peeked(atLeastThreeBytesFirst(parts));
  if (!first) return;
  if (encodingOf(first, encoding) !== "utf-8") {
    for await (const text of decodeText(all, encoding)) yield Buffer.from(text);
    return;
  }
  let at = 0;
  /** The first bytes of a character whose last bytes are in the next chunk. */
  let rest = new Uint8Array();
  for await (const part of all) {
    const whole = rest.length > 0 ? Buffer.concat([rest, part]) : part;
    const end = whole.length - cutBytes(whole);
    if (!isUtf8(whole.subarray(0, end)) || !canContinue(whole.subarray(end)))
      throw wrongBytes("utf-8", `between the bytes ${at} and ${at + part.length}`);
    const isStart = at === 0 && whole[0] === 0xef && whole[1] === 0xbb && whole[2] === 0xbf;
    yield whole.subarray(isStart ? 3 : 0, end);
    rest = whole.slice(end);
    at += part.length;
  }
  if (rest.length > 0) throw wrongBytes("utf-8", "at its end, which may be truncated");
}

async function peeked(
  parts: AsyncGenerator<Uint8Array>,
): Promise<{ first: Uint8Array | undefined; all: AsyncGenerator<Uint8Array> }> {
  const next = await parts.next();
  const first = next.done ? undefined : next.value;
  const all = (async function* () {
    if (first) yield first;
    yield* parts;
  })();
  return { first, all };
}

/** Returns how many bytes at the end are the first bytes of a longer character. */
function cutBytes(bytes: Uint8Array): number {
  for (let count = 1; count <= Math.min(3, bytes.length); count++) {
    const byte = bytes[bytes.length - count]!;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return count < length ? count : 0;
    }
  }
  return 0;
}

/** Returns whether more bytes can complete these bytes to a character. */
function canContinue(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

function wrongBytes(label: string, where: string, cause?: unknown): PluginError {
  return new PluginError(
    "PLUGIN_UNREADABLE",
    [`it is not valid ${label} ${where}; set encoding to utf-8, utf-16 or latin1`],
    { cause },
  );
}

function encodingOf(start: Uint8Array, declared: Encoding): string {
  const [first, second, third] = start;
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return declared === "utf-16" ? "utf-16le" : declared;
}

async function* atLeastThreeBytesFirst(
  parts: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let first: Uint8Array | undefined = new Uint8Array();
  for await (const part of parts) {
    if (!first) {
      yield part;
      continue;
    }
    first = Buffer.concat([first, part]);
    if (first.length < 3) continue;
    yield first;
    first = undefined;
  }
  if (first && first.length > 0) yield first;
}
