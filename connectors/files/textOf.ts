import { createGunzip } from "node:zlib";
import { Readable } from "node:stream";
import { PluginError } from "../../plugins/protocol/index.ts";
import { decodeText } from "../../plugins/rows/index.ts";
import type { ReadOptions } from "./fileTable.ts";

/** Decodes the text of a file, part by part, decompressed when it is gzipped. */
export function textOf(
  { source, format, settings }: ReadOptions,
  signal: AbortSignal,
): AsyncIterable<string> {
  const bytes = source.stream(signal);
  return decodeText(format.isGzipped ? gunzipped(bytes) : bytes, settings.encoding);
}

async function* gunzipped(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const parts = Readable.from(bytes);
  const unzip = createGunzip();
  parts.on("error", (failure) => unzip.destroy(failure));
  try {
    const unpacked: AsyncIterable<Uint8Array> = parts.pipe(unzip);
    yield* unpacked;
  } catch (cause) {
    if (cause instanceof PluginError) throw cause;
    throw new PluginError("PLUGIN_SOURCE_FAILED", ["it is no gzip file, or it is cut"], { cause });
  } finally {
    unzip.destroy();
    parts.destroy();
  }
}
