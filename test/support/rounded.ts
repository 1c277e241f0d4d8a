/**
 * Returns an answer with its numbers rounded to twelve digits. Only answers of the same executor are equal to the bit.
 * Sums that are combined elsewhere may differ in the last bit.
 */
export function rounded(data: unknown): unknown {
  return JSON.parse(JSON.stringify(data), (_, value: unknown) =>
    typeof value === "number" ? Number(value.toPrecision(12)) : value,
  );
}
