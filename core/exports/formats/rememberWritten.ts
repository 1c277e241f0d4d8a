const keptCount = 100_000;
/** Maximum length of a string whose written form is cached. */
const keptLength = 200;

/**
 * Caches the written forms of the first 100,000 distinct values of a column, because most cells repeat an earlier
 * value.
 */
export function rememberWritten<Value extends string | number>(
  write: (value: Value) => string,
): (value: Value) => string {
  const known = new Map<Value, string>();
  return (value) => {
    const kept = known.get(value);
    if (kept !== undefined) return kept;
    const written = write(value);
    const isShort = typeof value === "number" || value.length < keptLength;
    if (isShort && known.size < keptCount) known.set(value, written);
    return written;
  };
}
