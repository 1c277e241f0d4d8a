const relativeBound = 1e-9;

/** Returns whether two answers are equal. Sums of doubles may differ in their last bits. */
export function isClose(one: unknown, other: unknown): boolean {
  if (typeof one === "number" && typeof other === "number")
    return Math.abs(one - other) <= relativeBound * Math.max(Math.abs(one), Math.abs(other));
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((each, index) => isClose(each, other[index]));
  return JSON.stringify(one) === JSON.stringify(other);
}
