import { createGunzip } from "node:zlib";
import { Readable } from "node:stream";
import { PluginError } from "../../protocol/index.ts";
import { decodeText, decodeUtf8 } from "./decodeText.ts";
import type { ReadOptions } from "./fileTable.ts";
import type { UnpackBudget } from "./unpackBudget.ts";

/**
 * Decodes the text of a file chunk by chunk. Gzipped files are decompressed first. `found` receives the label of the
 * encoding before the first chunk.
 */
export function textOf(
  { source, format, settings, budget }: ReadOptions,
  signal: AbortSignal,
  found?: (encoding: string) => void,
): AsyncIterable<string> {
  const bytes = source.stream(signal);
  return decodeText(format.isGzipped ? gunzipped(bytes, budget) : bytes, settings.encoding, found);
}

/** Returns the text of a file as UTF-8, in the same chunks as `textOf`. */
export function utf8Of(
  { source, format, settings, budget }: ReadOptions,
  signal: AbortSignal,
): AsyncIterable<Uint8Array> {
  const bytes = source.stream(signal);
  return decodeUtf8(format.isGzipped ? gunzipped(bytes, budget) : bytes, settings.encoding);
}

async function* gunzipped(
  bytes: AsyncIterable<Uint8Array>,
  budget: UnpackBudget,
): AsyncGenerator<Uint8Array> {
  const parts = Readable.from(bytes);
  const unzip = createGunzip();
  parts.on("error", (failure) => unzip.destroy(failure));
  try {
    const unpacked: AsyncIterable<Uint8Array> = parts.pipe(unzip);
    for await (const part of unpacked) {
      budget.take(part.length);
      yield part;
    }
  } catch (cause) {
    if (cause instanceof PluginError) throw cause;
    throw new PluginError("PLUGIN_UNREADABLE", ["it is not a gzip file, or it is truncated"], {
      cause,
    });
  } finally {
    unzip.destroy();
    parts.destroy();
  }
}
