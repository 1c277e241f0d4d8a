import type { BoundValue } from "../expressions/boundValue.ts";
import { vectorFunction } from "../expressions/scalarFunctions.ts";
import {
  checkBounds,
  decimalsOf,
  greatestOf,
  leastOf,
  nullBounds,
  uniteBounds,
  type Bounds,
} from "./bounds.ts";

/** Maximum number of decimals for which the results of rounding are numbered. */
const mostDecimals = 6;

/** Returns the bounds for arguments whose values are not all null. */
type BoundsOf = (parts: readonly Bounds[]) => Omit<Bounds, "hasNulls">;

const areWhole = (parts: readonly Bounds[]) =>
  parts.every(({ decimals }) => decimals === 0) ? 0 : -1;

/**
 * The bounds of functions that return null only for null and for results that are not finite. Rounding keeps the order
 * of numbers, so the function of a bound is a bound.
 */
const bounded: Readonly<Record<string, BoundsOf>> = {
  add: (parts) => ({
    minimum: parts[0].minimum + parts[1].minimum,
    maximum: parts[0].maximum + parts[1].maximum,
    decimals: areWhole(parts),
  }),
  subtract: (parts) => ({
    minimum: parts[0].minimum - parts[1].maximum,
    maximum: parts[0].maximum - parts[1].minimum,
    decimals: areWhole(parts),
  }),
  multiply: (parts) => {
    const [left, right] = parts;
    const products = [left.minimum, left.maximum].flatMap((value) => [
      value * right.minimum,
      value * right.maximum,
    ]);
    return {
      minimum: Math.min(...products),
      maximum: Math.max(...products),
      decimals: areWhole(parts),
    };
  },
  negate: ([{ minimum, maximum, decimals }]) => ({
    minimum: -maximum,
    maximum: -minimum,
    decimals,
  }),
  abs: ([{ minimum, maximum, decimals }]) => ({
    minimum: minimum > 0 ? minimum : maximum < 0 ? -maximum : 0,
    maximum: Math.max(-minimum, maximum),
    decimals,
  }),
  floor: ([{ minimum, maximum }]) => ({
    minimum: Math.floor(minimum),
    maximum: Math.floor(maximum),
    decimals: 0,
  }),
  ceil: ([{ minimum, maximum }]) => ({
    minimum: Math.ceil(minimum),
    maximum: Math.ceil(maximum),
    decimals: 0,
  }),
  least: (parts) => ({
    minimum: leastOf(parts),
    maximum: Math.min(...parts.map(({ maximum }) => maximum)),
    decimals: decimalsOf(parts),
  }),
  greatest: (parts) => ({
    minimum: Math.max(...parts.map(({ minimum }) => minimum)),
    maximum: greatestOf(parts),
    decimals: decimalsOf(parts),
  }),
};

/** Returns bounds for the results of a call. `boundsOf` returns the bounds of an argument, if they are known. */
export function boundsOfCall(
  { function: name, of }: Extract<BoundValue, { kind: "call" }>,
  boundsOf: (of: BoundValue) => Bounds | undefined,
): Bounds | undefined {
  const parts: Bounds[] = [];
  for (const part of of) {
    const bounds = boundsOf(part);
    if (!bounds) return undefined;
    parts.push(bounds);
  }
  if (name === "coalesce")
    return uniteBounds(
      parts,
      parts.every(({ hasNulls }) => hasNulls),
    );
  const isNull = parts.some(({ minimum }) => minimum !== minimum);
  if (isNull) return bounded[name] && nullBounds;
  const hasNulls = parts.some((part) => part.hasNulls);
  if (name === "round" || name === "trunc") return boundsOfDecimals(name, of[1], parts[0]);
  return bounded[name] && checkBounds({ ...bounded[name](parts), hasNulls });
}

function boundsOfDecimals(
  name: "round" | "trunc",
  digits: BoundValue,
  { minimum, maximum, hasNulls }: Bounds,
): Bounds | undefined {
  if (digits.kind !== "literal") return undefined;
  const decimals = Math.trunc(digits.value);
  if (!(decimals >= 0 && decimals <= mostDecimals)) return undefined;
  const cut = new Float64Array(2);
  vectorFunction(name)(
    [
      [minimum, maximum],
      [decimals, decimals],
    ],
    2,
    cut,
  );
  return checkBounds({ minimum: cut[0], maximum: cut[1], decimals, hasNulls });
}
