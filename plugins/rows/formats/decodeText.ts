import { isUtf8 } from "node:buffer";
import { CorrectableError } from "../correctableError.ts";

/** Number of bytes at the start of a file from which its encoding is detected. */
const detectedBytes = 4096;

/**
 * Decodes chunks of bytes. A byte order mark determines the Unicode encoding and is dropped. Without a mark and an
 * encoding, the text is UTF-8, or UTF-16 if its line ends show it; no other encoding is guessed. `utf-16` without a
 * mark is little-endian, unless its line ends show the other order. `found` receives the label of the encoding.
 * @throws {PluginError} PLUGIN_UNREADABLE for bytes that are invalid in the encoding
 */
export async function* decodeText(
  parts: AsyncIterable<Uint8Array>,
  encoding: string | undefined,
  found?: (encoding: string) => void,
): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  let label = "utf-8";
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
  for await (const part of wholeStartFirst(parts)) {
    if (!decoder) {
      label = encodingOf(part, encoding);
      found?.(label);
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
  encoding: string | undefined,
): AsyncGenerator<Uint8Array> {
  const { first, all } = await peeked(wholeStartFirst(parts));
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

function wrongBytes(label: string, where: string, cause?: unknown): CorrectableError {
  return new CorrectableError(
    "PLUGIN_UNREADABLE",
    [
      `it is not valid ${label} ${where}; set encoding to the file's encoding, such as utf-16, windows-1252 (Western ` +
        "Europe), windows-1250 (Central Europe), windows-1251 (Cyrillic), shift_jis, euc-kr, gbk or big5",
    ],
    { cause, remedies: [{ setting: "encoding" }] },
  );
}

/** Returns the label of the encoding of a text that starts with these bytes. */
function encodingOf(start: Uint8Array, declared: string | undefined): string {
  const [first, second, third] = start;
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  if (declared !== undefined && declared !== "utf-16") return declared;
  const unmarked = declared === "utf-16" ? "utf-16le" : "utf-8";
  return utf16OrderOf(start.subarray(0, detectedBytes)) ?? unmarked;
}

/**
 * Returns the encoding of UTF-16 without a mark: the high bytes of line ends are zero, and no low byte is. Undefined
 * for other bytes.
 */
function utf16OrderOf(start: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  const zeros = [0, 0];
  const lineEnds = [0, 0];
  for (let at = 0; at + 1 < start.length; at += 2) {
    const [even, odd] = [start[at]!, start[at + 1]!];
    if (even === 0) zeros[0]!++;
    if (odd === 0) zeros[1]!++;
    if (odd === 0 && (even === 10 || even === 13)) lineEnds[1]!++;
    if (even === 0 && (odd === 10 || odd === 13)) lineEnds[0]!++;
  }
  if (lineEnds[1]! > 0 && zeros[0] === 0) return "utf-16le";
  return lineEnds[0]! > 0 && zeros[1] === 0 ? "utf-16be" : undefined;
}

/** Joins the first chunks, so that the first chunk has enough bytes to detect the encoding. */
async function* wholeStartFirst(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] | undefined = [];
  let heldBytes = 0;
  for await (const part of parts) {
    if (!held) {
      yield part;
      continue;
    }
    held.push(part);
    heldBytes += part.length;
    if (heldBytes < detectedBytes) continue;
    yield held.length === 1 ? part : Buffer.concat(held);
    held = undefined;
  }
  if (held && heldBytes > 0) yield Buffer.concat(held);
}
