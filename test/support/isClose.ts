const relativeBound = 1e-9;

/**
 * Returns whether two answers are equal. Sums of doubles may differ in their last bits, and so may results whose
 * operands cancel each other, such as a correlation of about 0. `scale` is the size of these operands.
 */
export function isClose(one: unknown, other: unknown, scale = 0): boolean {
  if (typeof one === "number" && typeof other === "number")
    return Math.abs(one - other) <= relativeBound * Math.max(Math.abs(one), Math.abs(other), scale);
  if (Array.isArray(one) && Array.isArray(other))
    return (
      one.length === other.length && one.every((each, index) => isClose(each, other[index], scale))
    );
  return JSON.stringify(one) === JSON.stringify(other);
}
