import type { BoundValue } from "../expressions/boundValue.ts";
import type { ColumnSnapshot } from "../table/snapshot.ts";

/** A line over a column of whole numbers: `of * factor + shift`, which is exact in every row. */
export interface Line {
  readonly of: Extract<BoundValue, { kind: "column" }>;
  /** A whole number other than 0. */
  readonly factor: number;
  /** A whole number. */
  readonly shift: number;
}

/** Whole numbers below this limit are exact as doubles, even after another operation. */
const exactLimit = 2 ** 52;

/**
 * Returns an expression as a line over a column; undefined if it is not one, or if an intermediate result could be
 * rounded.
 */
export function lineOf(of: BoundValue, columns: readonly ColumnSnapshot[]): Line | undefined {
  if (of.kind === "column")
    return columns[of.column].decimals === 0 ? { of, factor: 1, shift: 0 } : undefined;
  if (of.kind !== "call") return undefined;
  const line = combine(of.function, of.of, (part) => lineOf(part, columns));
  if (!line || line.factor === 0) return undefined;
  const isWhole = Number.isInteger(line.factor) && Number.isInteger(line.shift);
  return isWhole && largestOnLine(line, columns) < exactLimit ? line : undefined;
}

/** Returns an upper bound for the absolute values on a line. */
export function largestOnLine(
  { of, factor, shift }: Line,
  columns: readonly ColumnSnapshot[],
): number {
  const { largest } = columns[of.column];
  return Math.abs(factor) * (largest === largest ? largest : 0) + Math.abs(shift);
}

function combine(
  name: string,
  [first, second]: readonly (BoundValue | undefined)[],
  lineOfPart: (of: BoundValue) => Line | undefined,
): Line | undefined {
  const isMirrored = first?.kind === "literal";
  const part = isMirrored ? second : first;
  const line = part && lineOfPart(part);
  if (!line) return undefined;
  const { of, factor, shift } = line;
  if (name === "negate") return { of, factor: -factor, shift: -shift };
  const constant = isMirrored ? first : second;
  if (constant?.kind !== "literal") return undefined;
  const { value } = constant;
  if (name === "add") return { of, factor, shift: shift + value };
  if (name === "multiply") return { of, factor: factor * value, shift: shift * value };
  if (name !== "subtract") return undefined;
  return isMirrored
    ? { of, factor: -factor, shift: value - shift }
    : { of, factor, shift: shift - value };
}
