const keptCount = 100_000;
/** Characters of a text whose written form is kept. */
const keptLength = 200;

/** Keeps the written forms of the first 100,000 values of a column: most cells are one that was met before. */
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
