/**
 * An answer with its numbers to twelve digits: the same bits are promised by one executor only, sums that are put
 * together elsewhere may differ in the last one.
 */
export function rounded(data: unknown): unknown {
  return JSON.parse(JSON.stringify(data), (_, value: unknown) =>
    typeof value === "number" ? Number(value.toPrecision(12)) : value,
  );
}
