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
      throw new PluginError(
        "PLUGIN_UNREADABLE",
        [`it is not valid ${label} ${where}; set encoding to utf-8, utf-16 or latin1`],
        { cause },
      );
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
