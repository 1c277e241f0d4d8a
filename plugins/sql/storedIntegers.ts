import type { Bound } from "./fragment.ts";

/** The lowest and the highest integer of a native type. */
export interface IntegerRange {
  readonly least: bigint;
  readonly greatest: bigint;
}

/**
 * Lists the strings of a bound that are the digits of an integer in a range, for a column of integers that is read as
 * text. No other string can equal a value of the column: databases write integers without leading zeros or a plus sign.
 */
export function storedIntegers(right: Bound, { least, greatest }: IntegerRange): readonly string[] {
  const values = right.kind === "list" ? right.values : [right.value];
  return values.filter((value): value is string => {
    if (typeof value !== "string" || !/^(?:0|-?[1-9]\d{0,79})$/.test(value)) return false;
    const integer = BigInt(value);
    return integer >= least && integer <= greatest;
  });
}

/** Returns the range of integers with a number of bits. */
export function integerRange(bits: number, isUnsigned: boolean): IntegerRange {
  const size = 2n ** BigInt(isUnsigned ? bits : bits - 1);
  return { least: isUnsigned ? 0n : -size, greatest: size - 1n };
}
