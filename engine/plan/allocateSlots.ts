import type { BoundValue } from "../expressions/boundValue.ts";
import type { SlotDouble, Slot, Summand } from "./boundPlan.ts";

/** A request for a sum, or for a count of values. The count equals the number of rows if there are no nulls. */
export interface RegisteredSum {
  readonly summand: Summand;
  readonly isExact: boolean;
  readonly hasNulls: boolean;
  readonly isCounted: boolean;
}

/** Two numbers of a row. */
export interface NumberPair {
  readonly left: BoundValue;
  readonly right: BoundValue;
}

/** The states that the aggregates of a plan need. Equal expressions have equal keys and share states. */
export interface RegisteredStates {
  readonly sums: ReadonlyMap<string, RegisteredSum>;
  readonly extents: ReadonlyMap<string, Summand>;
  readonly variances: ReadonlyMap<string, BoundValue>;
  readonly covariances: ReadonlyMap<string, NumberPair>;
  readonly needsRows: boolean;
}

/** The doubles that contain the registered states. */
export interface SlotDoubles {
  readonly rows: SlotDouble;
  sum(key: string): { readonly sum: SlotDouble; readonly count: SlotDouble };
  extent(key: string): number;
  variance(key: string): number;
  covariance(key: string): number;
}

/** Assigns the states to slots. A sum without nulls shares a slot with the row count or with another such sum. */
export function allocateSlots({
  sums: summed,
  extents: extreme,
  variances: varied,
  covariances: covaried,
  needsRows,
}: RegisteredStates): { readonly slots: readonly Slot[]; readonly places: SlotDoubles } {
  const slots: Slot[] = [];
  const sums = new Map<string, { sum: SlotDouble; count: SlotDouble }>();
  let rows: SlotDouble = { slot: 0, lane: 0 };
  const plain = [...summed].filter(([, { hasNulls, isCounted }]) => !hasNulls && !isCounted);
  const ofRows = [...summed].filter(([, { hasNulls, isCounted }]) => !hasNulls && isCounted);
  plain.sort(([, left], [, right]) => rankOf(right) - rankOf(left));
  const [first, ...others] = plain;
  if (first) {
    const [key, { summand, isExact }] = first;
    rows = { slot: slots.push({ kind: "rowsSum", right: summand, isExact }) - 1, lane: 0 };
    sums.set(key, { sum: { ...rows, lane: 1 }, count: rows });
  } else if (needsRows || ofRows.length > 0 || summed.size === 0)
    rows = { slot: slots.push({ kind: "rows" }) - 1, lane: 0 };
  for (const [key] of ofRows) sums.set(key, { sum: rows, count: rows });
  while (others.length > 0) {
    const [left, right] = others;
    const isPair = right !== undefined && left[1].isExact === right[1].isExact;
    if (isPair) {
      others.splice(0, 2);
      const slot =
        slots.push({
          kind: "pair",
          left: left[1].summand,
          right: right[1].summand,
          isExact: left[1].isExact,
        }) - 1;
      sums.set(left[0], { sum: { slot, lane: 0 }, count: rows });
      sums.set(right[0], { sum: { slot, lane: 1 }, count: rows });
    } else {
      others.shift();
      const { summand, isExact } = left[1];
      const slot = slots.push({ kind: "rowsSum", right: summand, isExact }) - 1;
      sums.set(left[0], { sum: { slot, lane: 1 }, count: { slot, lane: 0 } });
    }
  }
  for (const [key, { summand, isExact, hasNulls, isCounted }] of summed) {
    if (!hasNulls) continue;
    const slot =
      slots.push(
        isCounted
          ? { kind: "count", of: summand.of }
          : { kind: "countSum", right: summand, isExact },
      ) - 1;
    sums.set(key, { sum: { slot, lane: 1 }, count: { slot, lane: 0 } });
  }
  const extents = new Map<string, number>();
  for (const [key, of] of extreme) extents.set(key, slots.push({ kind: "extent", of }) - 1);
  const variances = new Map<string, number>();
  for (const [key, of] of varied) variances.set(key, slots.push({ kind: "variance", of }) - 1);
  const covariances = new Map<string, number>();
  for (const [key, pair] of covaried)
    covariances.set(key, slots.push({ kind: "covariance", ...pair }) - 1);
  return {
    slots,
    places: {
      rows,
      sum: (key) => found(sums, key),
      extent: (key) => found(extents, key),
      variance: (key) => found(variances, key),
      covariance: (key) => found(covariances, key),
    },
  };
}

/** Sums of columns come first, so that they share slots: kernels can read both as stored. */
const rankOf = ({ isExact, summand }: RegisteredSum) =>
  2 * Number(isExact) + Number(summand.of.kind === "column");

function found<Value>(map: ReadonlyMap<string, Value>, key: string): Value {
  const value = map.get(key);
  if (value === undefined) throw new RangeError(`there is no state for ${key}`);
  return value;
}
