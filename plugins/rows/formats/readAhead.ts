import type { ByteSource } from "./byteSource.ts";

const blockBytes = 2 ** 18;
const keptBlocks = 16;

/** Serves small reads of a source from cached blocks, because a separate request for each read would be slow. */
export function readAhead(source: ByteSource): ByteSource {
  const { sizeBytes } = source;
  /** The cached blocks by index. The most recently used block is last. */
  const kept = new Map<number, Promise<Uint8Array>>();
  const blockAt = (index: number, signal: AbortSignal): Promise<Uint8Array> => {
    const from = index * blockBytes;
    const block =
      kept.get(index) ?? source.read(from, Math.min(from + blockBytes, sizeBytes), signal);
    kept.delete(index);
    kept.set(index, block);
    block.catch(() => kept.get(index) === block && kept.delete(index));
    const [oldest] = kept.keys();
    if (kept.size > keptBlocks && oldest !== undefined) kept.delete(oldest);
    return block;
  };
  return {
    ...source,
    async read(from, to, signal) {
      const end = Math.min(to, sizeBytes);
      if (end - from >= blockBytes) return source.read(from, end, signal);
      const parts: Uint8Array[] = [];
      for (let at = from; at < end;) {
        const index = Math.floor(at / blockBytes);
        const block = await blockAt(index, signal);
        const part = block.subarray(at - index * blockBytes, end - index * blockBytes);
        parts.push(part);
        at += part.length;
      }
      const [only] = parts;
      return only && parts.length === 1 ? only : Buffer.concat(parts);
    },
  };
}
