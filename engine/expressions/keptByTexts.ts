/** What was computed over a dictionary, by what was asked. */
interface Kept {
  readonly textCount: number;
  readonly sizeBytes: number;
  readonly value: unknown;
}

/** Bytes that are kept for a dictionary: some, and more for a large one. */
const leastBytes = 2 ** 20;
const bytesPerText = 16;

const kept = new WeakMap<WeakKey, Map<string, Kept>>();

/**
 * Keeps what was computed over texts, of a dictionary or an array, as long as these live and do not grow; the least recently
 * used goes first when the bytes for the dictionary are used up. What is too large for them is not kept.
 */
export function keptByTexts<Value>(
  texts: WeakKey,
  textCount: number,
  key: string,
  make: () => { readonly value: Value; readonly sizeBytes: number },
): Value {
  const entries = kept.get(texts) ?? new Map<string, Kept>();
  kept.set(texts, entries);
  const known = entries.get(key);
  entries.delete(key);
  if (known?.textCount === textCount) {
    entries.set(key, known);
    return known.value as Value;
  }
  const { value, sizeBytes } = make();
  const limit = Math.max(leastBytes, textCount * bytesPerText);
  if (sizeBytes > limit) return value;
  entries.set(key, { textCount, sizeBytes, value });
  let total = 0;
  for (const entry of entries.values()) total += entry.sizeBytes;
  for (const [oldest, entry] of entries) {
    if (total <= limit) break;
    entries.delete(oldest);
    total -= entry.sizeBytes;
  }
  return value;
}
