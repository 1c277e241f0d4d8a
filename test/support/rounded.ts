/**
 * Returns an answer with its numbers rounded to twelve digits. Use it to compare answers of different executors: sums
 * may differ in the last bit if their parts are combined in different places.
 */
export function rounded(data: unknown): unknown {
  return JSON.parse(JSON.stringify(data), (_, value: unknown) =>
    typeof value === "number" ? Number(value.toPrecision(12)) : value,
  );
}
